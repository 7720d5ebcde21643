import type { Db } from '../../../db/client.ts'
import { personalPorts, releasePort, takePort, takeTunnelHost } from '../../fleet/node-ports.ts'
import { findNodesOf, lockNodes, place } from '../../fleet/placements.ts'
import { type ClaimedServer, swapSlot } from '../../fleet/servers.ts'
import type { Term } from '../../terms/terms.ts'
import { findAccessRows, findProxyBeside } from '../access/access-row-reads.ts'
import { lockEntriesTo, refreshBridgesTo } from '../access/bridges.ts'
import { movedEdit } from '../access/instances.ts'
import { type LockedAccess, readAccess } from '../access/locked-access.ts'
import { updateAccess } from '../access/rows.ts'
import { type Mover, moveAccess } from '../operations/move-access.ts'
import { leaveProxyBehind } from '../operations/proxy.ts'
import { giveUp, leaveBehind, listGivenUp, listSiblingServers, type Uncarried } from './failed-accesses.ts'

/** Where something that its server does not carry can go. */

/** More servers than these are not tried in some hours: then it is not the servers. */
const mostTries = 3

/** One of the location that has not failed it, with what its proxy needs where there is one such. */
const claimOther = async (tx: Db, access: LockedAccess, now: number): Promise<ClaimedServer | undefined> => {
  const givenUp = await listGivenUp(tx, access.id, now)
  if (givenUp.length >= mostTries) return undefined
  const siblings = await listSiblingServers(tx, access.term.id, access.id)
  const { location_id: locationId, protocol, server_id: from } = access
  const choice = { locationId, protocol, isNew: false, now, except: [from, ...givenUp, ...siblings] }
  const proxy = await findProxyBeside(tx, access.id)
  if (!proxy) return swapSlot(tx, from, choice)
  const engine = proxy.protocol === 'mtproto' ? 'mtg' : 'xray'
  return (await swapSlot(tx, from, { ...choice, engine })) ?? swapSlot(tx, from, choice)
}

export interface Moved {
  /** The new place has no engine for it. */
  readonly hasLostProxy: boolean
}

/** To another server of its location, under the same subscription link. Undefined where there is none. */
export const moveElsewhere = async (
  tx: Db,
  at: Mover,
  term: Term,
  row: Uncarried,
): Promise<Moved | undefined> => {
  if (row.owner_term_id !== null || row.beside_id !== null) return undefined
  const access = await readAccess(tx, term, row.access_id)
  if (!access) return undefined
  await lockEntriesTo(tx, [access.id])
  const hadProxy = (await findProxyBeside(tx, access.id)) !== undefined
  const server = await claimOther(tx, access, at.now)
  if (!server) return undefined
  const { protocol, options, location_id: locationId } = access
  const to = { nodeId: server.node_id, serverId: server.id, locationId, protocol, options }
  await leaveProxyBehind(tx, at, access, to)
  await moveAccess(tx, at, access, to)
  await giveUp(tx, access.id, access.server_id, at.now)
  await leaveBehind(tx, access.id, at.now)
  return { hasLostProxy: hadProxy && !(await findProxyBeside(tx, access.id)) }
}

/** What has a port or an address of its own gets others where it stands: those it had may be somebody else's there. */
export const standAnew = async (tx: Db, at: Mover, row: Uncarried): Promise<void> => {
  const { access_id: accessId, present_node_id: nodeId } = row
  const access = await tx
    .selectFrom('accesses')
    .select(['port', 'tunnel_host', 'server_id'])
    .where('id', '=', accessId)
    .executeTakeFirst()
  if (!access || (access.port ?? access.tunnel_host) === null) return
  const entries = await lockEntriesTo(tx, [accessId])
  await lockNodes(tx, [nodeId, ...(await findNodesOf(tx, entries))])
  const carried = async () => (await findAccessRows(tx, [accessId])).get(accessId)
  const before = await carried()
  if (access.port !== null) {
    await releasePort(tx, nodeId, accessId)
    await updateAccess(tx, accessId, { port: await takePort(tx, nodeId, { accessId }, personalPorts) })
  }
  if (access.tunnel_host !== null) {
    await updateAccess(tx, accessId, { tunnel_host: await takeTunnelHost(tx, nodeId) })
  }
  const after = await carried()
  if (before?.extra?.xray_config && after) {
    await updateAccess(tx, accessId, { xray_config_sealed: movedEdit(at.vault, before, after) })
  }
  await place(tx, at.bus, { nodeId, serverId: access.server_id, accessId, isPresent: true })
  await refreshBridgesTo(tx, at.bus, accessId)
}
