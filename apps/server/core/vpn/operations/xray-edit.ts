import type { configs } from '@sallyport/contract/customer/configs'
import type { Connection } from '@sallyport/contract/customer/shapes'
import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import type { XrayInstance } from '@sallyport/domain/vpn/engine/xray-json'
import { matchesPublicKey, readXrayConfig } from '@sallyport/domain/vpn/xray-policy'
import { type Db, inTransaction } from '../../../db/client.ts'
import { engineOf } from '../../fleet/inbounds.ts'
import { findNodesOf, lockNodes, placeAgain } from '../../fleet/placements.ts'
import { findNodeReadiness } from '../../fleet/servers.ts'
import { dropTrial, insertTrial, takeVerdict } from '../../fleet/trials.ts'
import { type Bus, startWaiting } from '../../kernel/bus.ts'
import { sameBytes } from '../../kernel/vault.ts'
import { extraOf, isExtended } from '../access/access-row.ts'
import { certificatesOf } from '../access/access-row-reads.ts'
import { lockEntriesTo, refreshBridgesTo, removeBridgeFrom } from '../access/bridges.ts'
import { xrayConfigContext } from '../access/instances.ts'
import { lockLive } from '../access/locked-access.ts'
import { completedInstance } from '../access/node-state.ts'
import { borrowsOnlyOwn, targetsOf } from '../access/own-targets.ts'
import { findAccess, type ShownAccess } from '../access/reads.ts'
import { updateAccess } from '../access/rows.ts'
import { type AccessContext, showAfter } from './access-context.ts'
import { toConnection } from './config-view.ts'
import { fitsEdit } from './move-access.ts'
import { listStandaloneProxies } from './standalone-proxies.ts'

type Body = BodyOf<typeof configs.changeXrayConfig>

/** Who asks an engine waits for it, unless the service stops. */
type EditContext = AccessContext & { readonly stopping: AbortSignal }

const patienceMs = 8000
const lookAgainMs = 1000

/** What the customer wrote, brought to the form that is kept; everything wrong with it is named. */
const readEdited = (body: Body, row: ShownAccess, hasOnlyTargets: boolean): XrayInstance => {
  const { listen_address: listen, sites } = extraOf(row)
  const targets = targetsOf({ settings: row.settings, sites })
  const result = readXrayConfig(body.xray_config, { listen, port: row.port, targets, hasOnlyTargets })
  if ('problems' in result) {
    throw new ApiError(
      'BAD_REQUEST',
      result.problems.map(({ path, problem }) => ({
        path: path === '' ? 'xray_config' : `xray_config.${path}`,
        problem,
      })),
    )
  }
  const key = body.public_key ?? null
  if (key !== null && !matchesPublicKey(result.instance, key)) {
    throw badRequest('public_key', 'does not belong to the privateKey of realitySettings; leave it out')
  }
  return result.instance
}

/** The node's engine is asked before anything is kept. Only a demo node without an engine is taken at its word. */
const askEngine = async (call: EditContext, row: ShownAccess, instance: XrayInstance): Promise<void> => {
  const { db, vault, bus, now } = call
  const { hasEngine, sellsWithout } = await findNodeReadiness(db, row.node_id, 'xray', now)
  if (!hasEngine) {
    if (sellsWithout) return
    throw new ApiError('UNAVAILABLE', [{ path: '', problem: 'the server is not answering; try again later' }])
  }
  const certificate = await certificatesOf(db, vault, [row.server_id])
  const config = JSON.stringify(completedInstance(instance, () => certificate(row.server_id)))
  const id = await inTransaction(db, (tx) => insertTrial(tx, { vault, bus, now }, row.node_id, config))
  const verdict = await waitForVerdict(call, id)
  if (verdict === undefined) {
    await dropTrial(db, id)
    throw new ApiError('UNAVAILABLE', [
      { path: '', problem: 'the server did not answer in time; nothing was changed, try again' },
    ])
  }
  if (!verdict.isAccepted) {
    throw badRequest('xray_config', `the server refuses it: ${verdict.reason ?? 'no reason given'}`)
  }
}

const waitForVerdict = async ({ db, bus, stopping }: EditContext, id: number) => {
  const deadline = performance.now() + patienceMs
  while (performance.now() < deadline && !stopping.aborted) {
    // Listening starts before reading, so that an answer in between is not slept through.
    const answer = startWaiting(bus, `trial:${id}`, lookAgainMs, stopping)
    try {
      const verdict = await takeVerdict(db, id)
      if (verdict) return verdict
      await answer.done
    } finally {
      answer.cancel()
    }
  }
  return takeVerdict(db, id)
}

/** The node of the instance, and the nodes from which bridges lead to it. */
const tellAgain = async (tx: Db, bus: Bus, id: number): Promise<void> => {
  const entries = await lockEntriesTo(tx, [id])
  await lockNodes(tx, await findNodesOf(tx, [id, ...entries]))
  await placeAgain(tx, bus, [id], true)
  await refreshBridgesTo(tx, bus, id)
}

export const changeXrayConfig = async (context: EditContext, id: number, body: Body): Promise<Connection> => {
  const { db, owner, vault, bus, now } = context
  const before = await findAccess(db, owner, now, id)
  if (!before || !isExtended(before)) {
    const isThere = before || (await listStandaloneProxies(context, false, id)).length > 0
    if (!isThere) throw new ApiError('NOT_FOUND')
    throw badRequest('config_id', 'has no personal Xray: first set use_extended_settings in its settings')
  }
  if (before.expires_at <= now) throw badRequest('config_id', 'has ended; renew it first')
  const instance = readEdited(body, before, await borrowsOnlyOwn(db, before.node_id, 'xray'))
  await askEngine(context, before, instance)
  return inTransaction(db, async (tx) => {
    const access = await lockLive(tx, owner, id, now)
    const isThere =
      access.server_id === before.server_id &&
      access.port === before.port &&
      sameBytes(access.credential_nonce, before.credential_nonce)
    if (!isThere || !fitsEdit(before, access)) {
      throw conflict('config_id', 'was moved or changed meanwhile; read it again')
    }
    await updateAccess(tx, id, {
      xray_config_sealed: vault.seal(JSON.stringify(instance), xrayConfigContext),
    })
    await tellAgain(tx, bus, id)
    return toConnection(vault, await showAfter(tx, context, id))
  })
}

export const resetXrayConfig = (context: AccessContext, id: number): Promise<Connection> =>
  inTransaction(context.db, async (tx) => {
    const access = await lockLive(tx, context.owner, id, context.now)
    if (engineOf[access.protocol] !== 'xray') {
      throw badRequest('config_id', `${access.protocol} is not carried by Xray: there is nothing to reset`)
    }
    await updateAccess(tx, id, { xray_config_sealed: null })
    await removeBridgeFrom(tx, id)
    await tellAgain(tx, context.bus, id)
    return toConnection(context.vault, await showAfter(tx, context, id))
  })
