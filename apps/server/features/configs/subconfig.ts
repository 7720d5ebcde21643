import { randomBytes } from 'node:crypto'
import type { configs } from '@sallyport/contract/customer/configs'
import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { ProxyProtocol } from '@sallyport/contract/shapes'
import { connectionUrl } from '@sallyport/domain/delivery/render/link'
import { isAllowedProxy } from '@sallyport/domain/vpn/proxy-rules'
import { publicNameProblem } from '@sallyport/domain/vpn/public-address'
import type { Call, Handlers } from '../../core/call.ts'
import { personalPorts, releasePort, takePort } from '../../core/fleet/node-ports.ts'
import { itemOfProxy, place } from '../../core/fleet/placements.ts'
import type { Vault } from '../../core/kernel/vault.ts'
import { findProxies } from '../../core/vpn/carried-reads.ts'
import { defaultTlsDomain, proxyEndpoint } from '../../core/vpn/proxies.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { holdLive } from './held.ts'
import { requireFronting, requireProxyEngine } from './proxy-engine.ts'
import { type HeldConfig, holdConfig } from './queries.ts'
import { deleteProxy, findProxy, insertProxy, ownsConfig, updateProxy } from './subconfig-queries.ts'

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
  config: HeldConfig,
  protocol: ProxyProtocol,
  now: number,
): Promise<void> => {
  if (!isAllowedProxy(protocol, config.location_id)) {
    throw badRequest('protocol', `mtproto is not available in location ${config.location_id}`)
  }
  await requireProxyEngine(tx, config.node_id, protocol, now)
}

const findShown = async (db: Db, vault: Vault, configId: number) => {
  const proxy = (await findProxies(db, [configId])).get(configId)
  if (!proxy) throw new ApiError('NOT_FOUND')
  const { id, protocol, tls_domain } = proxy
  return { id, protocol, tls_domain, connection_url: connectionUrl(proxyEndpoint(vault, proxy)) }
}

const placeProxy = (
  tx: Db,
  { bus }: Pick<Call<never>, 'bus'>,
  config: HeldConfig,
  isPresent: boolean,
): Promise<void> => {
  const { id: configId, node_id: nodeId, server_id: serverId } = config
  return place(tx, bus, { nodeId, serverId, configId, item: itemOfProxy(configId), isPresent })
}

export const subconfigHandlers: Pick<
  Handlers<typeof configs>,
  'showSubconfig' | 'createSubconfig' | 'changeSubconfig' | 'deleteSubconfig'
> = {
  showSubconfig: async ({ db, userId, vault, params }) => {
    if (!(await ownsConfig(db, userId, params.config_id))) throw new ApiError('NOT_FOUND')
    const { tls_domain, ...shown } = await findShown(db, vault, params.config_id)
    return shown.protocol === 'mtproto' ? { ...shown, tls_domain: tls_domain ?? defaultTlsDomain } : shown
  },

  createSubconfig: (call) => {
    const { userId, vault, body, now } = call
    const tlsDomain = readTlsDomain(body.protocol, body.tls_domain)
    return inTransaction(call.db, async (tx) => {
      const config = await holdLive(tx, userId, call.params.config_id, now)
      await requireCarrier(tx, config, body.protocol, now)
      if (tlsDomain !== null) await requireFronting(tx, config.node_id, tlsDomain)
      if (await findProxy(tx, config.id)) {
        throw conflict('config_id', 'has a proxy already; change or delete that one')
      }
      await insertProxy(tx, {
        configId: config.id,
        protocol: body.protocol,
        tlsDomain,
        credentialNonce: randomBytes(16),
        port: await takePort(tx, config.node_id, itemOfProxy(config.id), personalPorts),
        now,
      })
      await placeProxy(tx, call, config, true)
      return findShown(tx, vault, config.id)
    })
  },

  changeSubconfig: (call) => {
    const { userId, vault, body, now } = call
    return inTransaction(call.db, async (tx) => {
      const config = await holdLive(tx, userId, call.params.config_id, now)
      const shown = await findShown(tx, vault, config.id)
      if (shown.protocol === body.protocol) return shown
      await requireCarrier(tx, config, body.protocol, now)
      if (body.protocol === 'mtproto' && shown.tls_domain !== null) {
        await requireFronting(tx, config.node_id, shown.tls_domain)
      }
      // Another engine may not have let go of the old port when this one wants it.
      const item = itemOfProxy(config.id)
      await releasePort(tx, config.node_id, item)
      const port = await takePort(tx, config.node_id, item, personalPorts)
      await updateProxy(tx, config.id, { protocol: body.protocol, port })
      await placeProxy(tx, call, config, true)
      return findShown(tx, vault, config.id)
    })
  },

  deleteSubconfig: (call) =>
    inTransaction(call.db, async (tx) => {
      const config = await holdConfig(tx, call.userId, call.params.config_id)
      if (!config || !(await deleteProxy(tx, config.id))) throw new ApiError('NOT_FOUND')
      await releasePort(tx, config.node_id, itemOfProxy(config.id))
      if (config.state === 'active') await placeProxy(tx, call, config, false)
      return true
    }),
}
