import type { configs } from '@sallyport/contract/customer/configs'
import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { XrayInstance } from '@sallyport/domain/vpn/engine/xray-json'
import { matchesPublicKey, readXrayConfig } from '@sallyport/domain/vpn/xray-policy'
import type { Call, Handlers } from '../../core/call.ts'
import { engineOf } from '../../core/fleet/inbounds.ts'
import { findNodesOf, holdNodes, placeAgain } from '../../core/fleet/placements.ts'
import { findNodeReadiness } from '../../core/fleet/servers.ts'
import { dropTrial, insertTrial, takeVerdict } from '../../core/fleet/trials.ts'
import { type Bus, startWaiting } from '../../core/kernel/bus.ts'
import { completedInstance } from '../../core/vpn/accesses.ts'
import { holdEntriesTo, refreshBridgesTo, removeBridgeFrom } from '../../core/vpn/bridges.ts'
import { extraOf, isExtended } from '../../core/vpn/carried.ts'
import { certificatesOf } from '../../core/vpn/carried-reads.ts'
import { xrayConfigContext } from '../../core/vpn/instances.ts'
import { borrowsOnlyOwn, targetsOf } from '../../core/vpn/own-targets.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { holdLive } from './held.ts'
import { fitsEdit } from './moving.ts'
import { type ConfigRow, findConfig, updateConfig } from './queries.ts'
import { toConnection } from './shown.ts'

type ChangeCall = Call<typeof configs.changeXrayConfig>

const patienceMs = 8000
const lookAgainMs = 1000

/** What the customer wrote, brought to the form that is kept; everything wrong with it is named. */
const readEdited = ({ body }: ChangeCall, row: ConfigRow, hasOnlyTargets: boolean): XrayInstance => {
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
const askEngine = async (call: ChangeCall, row: ConfigRow, instance: XrayInstance): Promise<void> => {
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

const waitForVerdict = async ({ db, bus, stopping }: ChangeCall, id: number) => {
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
  const entries = await holdEntriesTo(tx, [id])
  await holdNodes(tx, await findNodesOf(tx, [id, ...entries]))
  await placeAgain(tx, bus, id, true)
  await refreshBridgesTo(tx, bus, id)
}

export const xrayConfigHandlers: Pick<Handlers<typeof configs>, 'changeXrayConfig' | 'resetXrayConfig'> = {
  changeXrayConfig: async (call) => {
    const { db, userId, vault, bus, now } = call
    const id = call.params.config_id
    const before = await findConfig(db, userId, now, id)
    if (!before) throw new ApiError('NOT_FOUND')
    if (!isExtended(before)) {
      throw badRequest('config_id', 'has no personal Xray: first set use_extended_settings in its settings')
    }
    if (before.expires_at <= now) throw badRequest('config_id', 'has ended; renew it first')
    const instance = readEdited(call, before, await borrowsOnlyOwn(db, before.node_id, 'xray'))
    await askEngine(call, before, instance)
    return inTransaction(db, async (tx) => {
      const config = await holdLive(tx, userId, id, now)
      const isThere = config.server_id === before.server_id && config.port === before.port
      if (!isThere || !fitsEdit(before, config)) {
        throw conflict('config_id', 'was moved or changed meanwhile; read it again')
      }
      await updateConfig(tx, id, {
        xray_config_sealed: vault.seal(JSON.stringify(instance), xrayConfigContext),
      })
      await tellAgain(tx, bus, id)
      return toConnection(vault, (await findConfig(tx, userId, now, id)) as ConfigRow)
    })
  },

  resetXrayConfig: ({ db, userId, params, vault, bus, now }) =>
    inTransaction(db, async (tx) => {
      const config = await holdLive(tx, userId, params.config_id, now)
      if (engineOf[config.protocol] !== 'xray') {
        throw badRequest('config_id', `${config.protocol} is not carried by Xray: there is nothing to reset`)
      }
      await updateConfig(tx, config.id, { xray_config_sealed: null })
      await removeBridgeFrom(tx, { type: 'config', id: config.id })
      await tellAgain(tx, bus, config.id)
      return toConnection(vault, (await findConfig(tx, userId, now, config.id)) as ConfigRow)
    }),
}
