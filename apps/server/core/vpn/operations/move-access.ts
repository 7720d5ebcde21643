import { randomBytes } from 'node:crypto'
import type { Protocol, SwitchName } from '@sallyport/contract/shapes'
import { canEndBridge } from '@sallyport/domain/vpn/bridge-rules'
import type { Db } from '../../../db/client.ts'
import { personalPorts, releasePort, takePort } from '../../fleet/node-ports.ts'
import { findNodesOf, lockNodes, place } from '../../fleet/placements.ts'
import type { Bus } from '../../kernel/bus.ts'
import type { Vault } from '../../kernel/vault.ts'
import { isExtended } from '../access/access-row.ts'
import { findAccessRows, findProxyBeside } from '../access/access-row-reads.ts'
import { lockEntriesTo, refreshBridgesTo, removeBridgesTo } from '../access/bridges.ts'
import { movedEdit } from '../access/instances.ts'
import type { LockedAccess } from '../access/locked-access.ts'
import { fitParts, storeParts } from '../access/personal-parts.ts'
import { updateAccess } from '../access/rows.ts'
import { type Copy, carryCopies, holdAccess } from './hold-access.ts'
import { requireProxyEngine } from './proxy-engine.ts'

/** Putting an access, with everything that belongs to it, where it should be. */

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
  readonly options: readonly SwitchName[]
}

/** What a customer's own JSON was written for. */
type Written = Pick<Destination, 'protocol' | 'options'>

/** Whether a customer's own JSON still fits. */
export const fitsEdit = (before: Written, after: Written): boolean =>
  before.protocol === after.protocol &&
  before.options.length === after.options.length &&
  before.options.every((name) => after.options.includes(name))

/** How it moves where that is not said by its term. */
export interface MoveManner {
  /** Until when its node goes on carrying it as it was, for apps that have not fetched yet. */
  readonly heldUntil?: number
  /** Its term has ended: it goes to its new place, and comes up there once it is renewed. */
  readonly isOff?: boolean
}

/** What is paused goes to its new place, and comes up there once it is wanted again. */
const isOn = ({ term }: LockedAccess, { isOff = false }: MoveManner): boolean =>
  !isOff && term.paused === null

const isHeld = (copies: readonly Copy[], accessId: number): boolean =>
  copies.some((copy) => copy.access_id === accessId)

/** The proxy follows its configuration to another node, where it has another port. */
const moveProxy = async (
  tx: Db,
  mover: Mover,
  access: LockedAccess,
  to: Destination,
  { copies, isPresent }: { readonly copies: readonly Copy[]; readonly isPresent: boolean },
): Promise<void> => {
  const proxy = await findProxyBeside(tx, access.id)
  if (!proxy) return
  const { id: accessId } = proxy
  const isElsewhere = to.nodeId !== access.node_id
  if (isElsewhere) {
    await requireProxyEngine(tx, to.nodeId, proxy.protocol, mover.now)
    await releasePort(tx, access.node_id, accessId)
  }
  const needsPort = isElsewhere || isHeld(copies, accessId)
  await updateAccess(tx, accessId, {
    server_id: to.serverId,
    location_id: to.locationId,
    ...(needsPort && { port: await takePort(tx, to.nodeId, { accessId }, personalPorts) }),
    ...(to.serverId !== access.server_id && { credential_nonce: randomBytes(16) }),
  })
  if (isElsewhere) {
    const left = { nodeId: access.node_id, serverId: access.server_id, accessId }
    await place(tx, mover.bus, { ...left, isPresent: false })
  }
  await place(tx, mover.bus, { nodeId: to.nodeId, serverId: to.serverId, accessId, isPresent })
}

/**
 * What the customer wrote for the personal Xray: kept while protocol and options are, and on another server with
 * that server's own parts. Looks before the move, and answers how to store it after the move.
 */
const followEdit = async (tx: Db, { vault }: Mover, access: LockedAccess, to: Destination) => {
  const { id } = access
  if (!fitsEdit(access, to)) {
    return () => updateAccess(tx, id, { xray_config_sealed: null })
  }
  if (to.serverId === access.server_id || !isExtended(access)) return async () => {}
  const carried = async () => (await findAccessRows(tx, [id])).get(id)
  const before = await carried()
  return async () => {
    const after = await carried()
    await updateAccess(tx, id, {
      xray_config_sealed: before && after ? movedEdit(vault, before, after) : null,
    })
  }
}

/**
 * The caller has taken the slot and decided that it may be. Another server or protocol means other credentials, also on the
 * way back: what was left behind never works again, but for the copies that are answered.
 */
export const moveAccess = async (
  tx: Db,
  mover: Mover,
  access: LockedAccess,
  to: Destination,
  manner: MoveManner = {},
): Promise<readonly Copy[]> => {
  const { protocol, options } = to
  const { id: accessId } = access
  const isPresent = isOn(access, manner)
  const entries = await lockEntriesTo(tx, [accessId])
  await lockNodes(tx, [access.node_id, to.nodeId, ...(await findNodesOf(tx, entries))])
  const { heldUntil: until } = manner
  const copies = until === undefined ? [] : await holdAccess(tx, accessId, { until, now: mover.now })
  const given = isHeld(copies, accessId) ? { port: null, tunnel_host: null } : {}
  const before = { ...access, ...given, nodeId: access.node_id }
  const isOther = to.serverId !== access.server_id || protocol !== access.protocol
  const storeEdit = await followEdit(tx, mover, access, to)
  await storeParts(
    tx,
    accessId,
    await fitParts(tx, mover, accessId, { nodeId: to.nodeId, protocol, options }, before),
  )
  await updateAccess(tx, accessId, {
    server_id: to.serverId,
    location_id: to.locationId,
    protocol,
    options: [...options],
    ...(isOther && { credential_nonce: randomBytes(16) }),
  })
  await storeEdit()
  if (to.nodeId !== access.node_id) {
    const left = { nodeId: access.node_id, serverId: access.server_id, accessId }
    await place(tx, mover.bus, { ...left, isPresent: false })
  }
  await place(tx, mover.bus, { nodeId: to.nodeId, serverId: to.serverId, accessId, isPresent })
  await moveProxy(tx, mover, access, to, { copies, isPresent })
  if (!canEndBridge(protocol)) await removeBridgesTo(tx, mover.bus, [accessId], mover.now)
  else await refreshBridgesTo(tx, mover.bus, accessId)
  await carryCopies(tx, mover.bus, copies)
  return copies
}
