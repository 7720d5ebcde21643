import { randomBytes } from 'node:crypto'
import type { configs } from '@sallyport/contract/customer/configs'
import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import type { ProxyProtocol } from '@sallyport/contract/shapes'
import { connectionUrl } from '@sallyport/domain/delivery/render/link'
import { isAllowedProxy } from '@sallyport/domain/vpn/proxy-rules'
import { publicNameProblem } from '@sallyport/domain/vpn/public-address'
import { type Db, inTransaction } from '../../../db/client.ts'
import { personalPorts, releasePort, takePort } from '../../fleet/node-ports.ts'
import { endCopiesOf, place, placeAgain } from '../../fleet/placements.ts'
import type { Bus } from '../../kernel/bus.ts'
import type { Vault } from '../../kernel/vault.ts'
import { findProxyBeside } from '../access/access-row-reads.ts'
import { type LockedAccess, lockAccess, lockLive } from '../access/locked-access.ts'
import { defaultTlsDomain, proxyEndpoint } from '../access/proxies.ts'
import { ownsAccess } from '../access/reads.ts'
import { eraseAccesses, insertAccess, updateAccess } from '../access/rows.ts'
import type { AccessContext } from './access-context.ts'
import { lacksProxyEngine, requireFronting, requireProxyEngine } from './proxy-engine.ts'

/** The proxy that goes with a configuration: an access of its own, so that changing one leaves the other alone. */

const readTlsDomain = (protocol: ProxyProtocol, domain: string | undefined): string | null => {
  if (domain === undefined) return null
  if (protocol !== 'mtproto') throw badRequest('tls_domain', 'is only for mtproto')
  const problem = publicNameProblem(domain)
  if (problem !== null) throw badRequest('tls_domain', problem)
  return domain.toLowerCase()
}

/** Whether the configuration's server can carry such a proxy. */
const requireCarrier = async (
  tx: Db,
  config: LockedAccess,
  protocol: ProxyProtocol,
  now: number,
): Promise<void> => {
  if (!isAllowedProxy(protocol, config.location_id)) {
    throw badRequest(
      'protocol',
      `mtproto is not available for configurations in location ${config.location_id}; a cloud server there takes it`,
    )
  }
  await requireProxyEngine(tx, config.node_id, protocol, now)
}

const findShown = async (db: Db, vault: Vault, besideId: number) => {
  const proxy = await findProxyBeside(db, besideId)
  if (!proxy) throw new ApiError('NOT_FOUND')
  const { id, protocol, tls_domain } = proxy
  return { id, protocol, tls_domain, connection_url: connectionUrl(proxyEndpoint(vault, proxy)) }
}

const placeProxy = (
  tx: Db,
  { bus }: AccessContext,
  { node_id: nodeId, server_id: serverId }: LockedAccess,
  accessId: number,
  isPresent: boolean,
): Promise<void> => place(tx, bus, { nodeId, serverId, accessId, isPresent })

export const showProxy = async ({ db, vault, owner }: AccessContext, besideId: number) => {
  if (!(await ownsAccess(db, owner, besideId))) throw new ApiError('NOT_FOUND')
  const { tls_domain, ...shown } = await findShown(db, vault, besideId)
  return shown.protocol === 'mtproto' ? { ...shown, tls_domain: tls_domain ?? defaultTlsDomain } : shown
}

export const addProxy = (
  context: AccessContext,
  besideId: number,
  body: BodyOf<typeof configs.createSubconfig>,
) => {
  const { owner, vault, now } = context
  const tlsDomain = readTlsDomain(body.protocol, body.tls_domain)
  return inTransaction(context.db, async (tx) => {
    const access = await lockLive(tx, owner, besideId, now)
    await requireCarrier(tx, access, body.protocol, now)
    if (tlsDomain !== null) await requireFronting(tx, access.node_id, tlsDomain)
    if (await findProxyBeside(tx, besideId)) {
      throw conflict('config_id', 'has a proxy already; change or delete that one')
    }
    const accessId = await insertAccess(tx, {
      termId: access.term.id,
      besideId,
      serverId: access.server_id,
      locationId: access.location_id,
      protocol: body.protocol,
      tlsDomain,
      credentialNonce: randomBytes(16),
      now,
    })
    const port = await takePort(tx, access.node_id, { accessId }, personalPorts)
    await updateAccess(tx, accessId, { port })
    await placeProxy(tx, context, access, accessId, true)
    return findShown(tx, vault, besideId)
  })
}

export const changeProxy = (
  context: AccessContext,
  besideId: number,
  body: BodyOf<typeof configs.changeSubconfig>,
) => {
  const { owner, vault, now } = context
  return inTransaction(context.db, async (tx) => {
    const access = await lockLive(tx, owner, besideId, now)
    const shown = await findShown(tx, vault, besideId)
    if (shown.protocol === body.protocol) return shown
    await requireCarrier(tx, access, body.protocol, now)
    if (body.protocol === 'mtproto' && shown.tls_domain !== null) {
      await requireFronting(tx, access.node_id, shown.tls_domain, 'protocol')
    }
    // Another engine may not have let go of the old port when this one wants it.
    await releasePort(tx, access.node_id, shown.id)
    const port = await takePort(tx, access.node_id, { accessId: shown.id }, personalPorts)
    await updateAccess(tx, shown.id, { protocol: body.protocol, port, credential_nonce: randomBytes(16) })
    await placeProxy(tx, context, access, shown.id, true)
    await endCopiesOf(tx, context.bus, [shown.id])
    return findShown(tx, vault, besideId)
  })
}

/** A configuration is moved by others than its customer: a proxy that its new place cannot carry does not follow. */
export const leaveProxyBehind = async (
  tx: Db,
  at: { readonly bus: Bus; readonly now: number },
  access: LockedAccess,
  to: { readonly nodeId: number; readonly locationId: number },
): Promise<void> => {
  const proxy = await findProxyBeside(tx, access.id)
  if (!proxy) return
  const isRefused =
    !isAllowedProxy(proxy.protocol, to.locationId) ||
    (to.nodeId !== access.node_id && (await lacksProxyEngine(tx, to.nodeId, proxy.protocol, at.now)))
  if (!isRefused) return
  await placeAgain(tx, at.bus, [proxy.id], false)
  await eraseAccesses(tx, [proxy.id])
}

export const deleteProxy = (context: AccessContext, besideId: number): Promise<boolean> =>
  inTransaction(context.db, async (tx) => {
    const access = await lockAccess(tx, context.owner, besideId)
    const proxy = access && (await findProxyBeside(tx, besideId))
    if (!proxy) throw new ApiError('NOT_FOUND')
    if (access.term.state === 'active') await placeProxy(tx, context, access, proxy.id, false)
    await endCopiesOf(tx, context.bus, [proxy.id])
    await eraseAccesses(tx, [proxy.id])
    return true
  })
