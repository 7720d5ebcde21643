import { randomBytes } from 'node:crypto'
import type { OptionName, Protocol } from '@sallyport/contract/shapes'
import { canEndBridge } from '@sallyport/domain/vpn/bridge-rules'
import { personalPorts, releasePort, takePort } from '../../core/fleet/node-ports.ts'
import { findNodesOf, holdNodes, itemOfProxy, place } from '../../core/fleet/placements.ts'
import type { Bus } from '../../core/kernel/bus.ts'
import type { Vault } from '../../core/kernel/vault.ts'
import { holdEntriesTo, refreshBridgesTo, removeBridgesTo } from '../../core/vpn/bridges.ts'
import { isExtended } from '../../core/vpn/carried.ts'
import { findCarried } from '../../core/vpn/carried-reads.ts'
import { furnish, storeFurniture } from '../../core/vpn/homes.ts'
import { movedEdit } from '../../core/vpn/instances.ts'
import type { Db } from '../../db/client.ts'
import { requireProxyEngine } from './proxy-engine.ts'
import { type HeldConfig, updateConfig } from './queries.ts'
import { findProxy, updateProxy } from './subconfig-queries.ts'

/** Putting a configuration, with everything that belongs to it, where it should be. */

export interface Mover {
  readonly vault: Vault
  readonly bus: Bus
  readonly now: number
}

export interface Destination {
  readonly nodeId: number
  readonly serverId: number
  readonly locationId: number
  readonly protocol: Protocol
  readonly options: readonly OptionName[]
}

/** What a customer's own JSON was written for. */
type Written = Pick<Destination, 'protocol' | 'options'>

/** Whether a customer's own JSON still fits. */
export const fitsEdit = (before: Written, after: Written): boolean =>
  before.protocol === after.protocol &&
  before.options.length === after.options.length &&
  before.options.every((name) => after.options.includes(name))

/** The proxy follows its configuration to another node, where it has another port. */
const moveProxy = async (tx: Db, mover: Mover, config: HeldConfig, to: Destination): Promise<void> => {
  const proxy = await findProxy(tx, config.id)
  if (!proxy) return
  const item = itemOfProxy(config.id)
  const placement = { configId: config.id, item }
  if (to.nodeId !== config.node_id) {
    await requireProxyEngine(tx, to.nodeId, proxy.protocol, mover.now)
    await releasePort(tx, config.node_id, item)
    await updateProxy(tx, config.id, { port: await takePort(tx, to.nodeId, item, personalPorts) })
    await place(tx, mover.bus, {
      ...placement,
      nodeId: config.node_id,
      serverId: config.server_id,
      isPresent: false,
    })
  }
  if (to.serverId !== config.server_id)
    await updateProxy(tx, config.id, { credential_nonce: randomBytes(16) })
  await place(tx, mover.bus, { ...placement, nodeId: to.nodeId, serverId: to.serverId, isPresent: true })
}

/**
 * What the customer wrote for the personal Xray: kept while protocol and options are, and on another server with
 * that server's own parts. Looks before the move, and answers how to store it after the move.
 */
const followEdit = async (tx: Db, { vault }: Mover, config: HeldConfig, to: Destination) => {
  const { id } = config
  if (!fitsEdit(config, to)) {
    return () => updateConfig(tx, id, { xray_config_sealed: null })
  }
  if (to.serverId === config.server_id || !isExtended(config)) return async () => {}
  const carried = async () => (await findCarried(tx, [id])).get(id)
  const before = await carried()
  return async () => {
    const after = await carried()
    await updateConfig(tx, id, {
      xray_config_sealed: before && after ? movedEdit(vault, before, after) : null,
    })
  }
}

/** The caller has taken the slot and decided that it may be. Another server means other credentials. */
export const moveConfig = async (
  tx: Db,
  mover: Mover,
  config: HeldConfig,
  to: Destination,
): Promise<void> => {
  const { protocol, options } = to
  const entries = await holdEntriesTo(tx, [config.id])
  await holdNodes(tx, [config.node_id, to.nodeId, ...(await findNodesOf(tx, entries))])
  const before = { ...config, nodeId: config.node_id }
  const storeEdit = await followEdit(tx, mover, config, to)
  const furniture = await furnish(tx, mover, config.id, { nodeId: to.nodeId, protocol, options }, before)
  await storeFurniture(tx, config.id, furniture)
  await updateConfig(tx, config.id, {
    server_id: to.serverId,
    location_id: to.locationId,
    protocol,
    options: [...options],
    ...(to.serverId !== config.server_id && { credential_nonce: randomBytes(16) }),
  })
  await storeEdit()
  const placement = { configId: config.id }
  if (to.nodeId !== config.node_id) {
    await place(tx, mover.bus, {
      ...placement,
      nodeId: config.node_id,
      serverId: config.server_id,
      isPresent: false,
    })
  }
  await place(tx, mover.bus, { ...placement, nodeId: to.nodeId, serverId: to.serverId, isPresent: true })
  await moveProxy(tx, mover, config, to)
  if (!canEndBridge(protocol)) await removeBridgesTo(tx, mover.bus, [config.id], mover.now)
  else await refreshBridgesTo(tx, mover.bus, config.id)
}
