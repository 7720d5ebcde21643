import { ApiError } from '@sallyport/contract/errors'
import type { Protocol } from '@sallyport/contract/shapes'
import type { Db } from '../../../db/client.ts'
import { findNodesOf, lockNodes, place, placeAgain } from '../../fleet/placements.ts'
import {
  type ClaimedServer,
  claimBeyond,
  claimSlot,
  haveRoom,
  listAvailable,
  lockServers,
  noServerIn,
  releaseSlot,
  type ServerChoice,
} from '../../fleet/servers.ts'
import type { Bus } from '../../kernel/bus.ts'
import { lockEntriesTo, removeBridgesTo } from '../access/bridges.ts'
import { eraseAccesses, eraseAccessesOf, listAccessesOf, listWithProxies } from '../access/rows.ts'

/** Accesses that take a slot of an operator's server: coming, ending and going. */

/** Better said before the customer pays than after. */
export const requireRoom = async (
  tx: Db,
  wanted: {
    readonly locationId: number
    readonly protocol: Protocol
    readonly serverId?: number | undefined
    readonly homeId?: number | undefined
    readonly isNew: boolean
  },
  now: number,
): Promise<void> => {
  const { locationId, protocol, serverId, homeId, isNew } = wanted
  const servers = await listAvailable(tx, { locationId, protocol, preferredId: serverId, homeId, isNew, now })
  if (servers.length === 0) throw await noServerIn(tx, locationId)
}

/** The same for what comes on each of these servers. */
export const requireRoomOn = async (tx: Db, serverIds: readonly number[]): Promise<void> => {
  if (!(await haveRoom(tx, serverIds))) throw new ApiError('NO_SERVER_AVAILABLE')
}

/** Of the preferred server or another of the location, also when the preferred one is no longer a server there. */
export const claimAnyhow = async (tx: Db, choice: ServerChoice): Promise<ClaimedServer | undefined> =>
  (await claimSlot(tx, choice)) ?? claimSlot(tx, { ...choice, preferredId: undefined })

interface Switch {
  readonly bus: Bus
  readonly now: number
}

/**
 * Takes everything of these terms from its nodes and gives the slots back. The caller locks the terms. Servers first and
 * nodes after, as a purchase takes them, so that the two cannot wait for each other.
 */
export const switchAccessesOff = async (
  tx: Db,
  { bus, now }: Switch,
  termIds: readonly number[],
): Promise<void> => {
  const accesses = await listAccessesOf(tx, termIds)
  const ids = accesses.map((access) => access.id)
  const entries = await lockEntriesTo(tx, ids)
  const slots = accesses.filter((access) => access.beside_id === null)
  await lockServers(tx, new Set(slots.map((access) => access.server_id)))
  for (const { server_id: serverId } of slots) await releaseSlot(tx, serverId)
  await lockNodes(tx, await findNodesOf(tx, [...ids, ...entries]))
  await placeAgain(tx, bus, ids, false)
  await removeBridgesTo(tx, bus, ids, now)
}

/** Off without ending: the slots are kept, and so are the bridges, which wait for it. The caller locks the terms. */
export const pauseAccesses = async (tx: Db, bus: Bus, termIds: readonly number[]): Promise<void> => {
  const ids = (await listAccessesOf(tx, termIds)).map((access) => access.id)
  await lockNodes(tx, await findNodesOf(tx, ids))
  await placeAgain(tx, bus, ids, false)
}

/** Where they were, under the links they had. The caller locks the terms. */
export const resumeAccesses = async (tx: Db, bus: Bus, termIds: readonly number[]): Promise<void> => {
  const accesses = await listAccessesOf(tx, termIds)
  await lockNodes(
    tx,
    accesses.map((access) => access.node_id),
  )
  for (const { id, node_id: nodeId, server_id: serverId } of accesses) {
    await place(tx, bus, { nodeId, serverId, accessId: id, isPresent: true })
  }
}

/**
 * Some accesses of a term that goes on, with their proxies. The caller locks the term, the servers and the nodes. What has
 * ended has no slots any more.
 */
export const removeAccesses = async (
  tx: Db,
  { bus, now }: Switch,
  ids: readonly number[],
  haveSlots = true,
): Promise<void> => {
  if (ids.length === 0) return
  const going = await listWithProxies(tx, ids)
  const slots = haveSlots ? going.filter((access) => access.beside_id === null) : []
  for (const { server_id } of slots) await releaseSlot(tx, server_id)
  await placeAgain(
    tx,
    bus,
    going.map((access) => access.id),
    false,
  )
  await removeBridgesTo(tx, bus, ids, now)
  await eraseAccesses(tx, ids)
}

/** What was switched off where it stands, and its server has nobody else's on it: it comes back there. The caller locks the term. */
export const returnAccesses = async (tx: Db, bus: Bus, termId: number): Promise<void> => {
  const accesses = await listAccessesOf(tx, [termId])
  for (const access of accesses) if (access.beside_id === null) await claimBeyond(tx, access.server_id)
  await resumeAccesses(tx, bus, [termId])
}

/** They go for good; those that are still on are switched off first. */
export const destroyAccesses = async (
  tx: Db,
  at: Switch,
  terms: readonly { readonly id: number; readonly state: 'active' | 'expired' }[],
): Promise<void> => {
  const active = terms.filter((term) => term.state === 'active').map((term) => term.id)
  if (active.length > 0) await switchAccessesOff(tx, at, active)
  await eraseAccessesOf(
    tx,
    terms.map((term) => term.id),
  )
}
