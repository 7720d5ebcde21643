import { isIP } from 'node:net'
import type { Db } from '../../db/client.ts'
import { createServer } from '../fleet/new-servers.ts'
import { createNode, setEnrolmentToken } from '../fleet/nodes.ts'
import { findNodesOf, lockNodes, touchNode } from '../fleet/placements.ts'
import { closeServer, removeNode, removeServer } from '../fleet/removal.ts'
import { isHeard } from '../fleet/servers.ts'
import type { Bus } from '../kernel/bus.ts'
import type { Vault } from '../kernel/vault.ts'
import { lockEntriesTo, refreshBridgesTo } from '../vpn/access/bridges.ts'
import { listAccessesOf } from '../vpn/access/rows.ts'
import { tokenOf } from './machine-boot.ts'
import type { Machine } from './machines.ts'

/** What a machine is in the fleet: a node with one server, which only its customer uses. */

/** The whole machine is the customer's: no number is reason to say no before its ports are used up. */
const capacity = 1000
/** Where others have theirs too, what one customer puts there must leave them room. */
const sharedCapacity = 100

/** Until its address is known; nobody is shown it. */
const nowhere = 'machine.invalid'

interface Maker {
  readonly vault: Vault
  readonly bus: Bus
  readonly now: number
}

/** A node of the operator's, which takes machines among others. */
const isSharedNode = async (tx: Db, nodeId: number): Promise<boolean> =>
  (await tx.selectFrom('clouds').select('id').where('node_id', '=', nodeId).executeTakeFirst()) !== undefined

/** Its node, made before the machine so that the machine can be told how to become it. */
export const ensureNode = async (tx: Db, machine: Machine, name: string, now: number): Promise<number> => {
  if (machine.node_id !== null && !(await isSharedNode(tx, machine.node_id))) return machine.node_id
  const node = await createNode(tx, { name, address: nowhere, listenAddress: '0.0.0.0' }, now)
  return node.id
}

/** The machine of this attempt may become the node; what an earlier one was told is worth nothing. */
export const admitAttempt = (
  tx: Db,
  vault: Vault,
  machine: Pick<Machine, 'id' | 'attempt'> & { readonly node_id: number },
  expiresAt: number,
): Promise<void> =>
  setEnrolmentToken(tx, machine.node_id, tokenOf(vault, machine.id, machine.attempt), expiresAt)

const findServer = (tx: Db, termId: number) =>
  tx.selectFrom('servers').select(['id', 'node_id']).where('owner_term_id', '=', termId).executeTakeFirst()

const listAccessIds = async (tx: Db, termId: number): Promise<number[]> =>
  (await listAccessesOf(tx, [termId])).map((access) => access.id)

/** Once the address is known: the node has it, and a server with fresh keys unless it was there before. */
export const settle = async (
  tx: Db,
  at: Maker,
  machine: Machine & { readonly node_id: number },
  place: { readonly address: string; readonly isShared: boolean; readonly realityServerName: string },
): Promise<void> => {
  const { node_id: nodeId, term_id: termId, location_id: locationId } = machine
  const { address, realityServerName } = place
  const exitIds = await listAccessIds(tx, termId)
  await lockNodes(tx, [nodeId, ...(await findNodesOf(tx, await lockEntriesTo(tx, exitIds)))])
  if (!place.isShared) await tx.updateTable('nodes').set({ address }).where('id', '=', nodeId).execute()
  if (await findServer(tx, termId)) {
    // Bridges lead here from elsewhere, and have to learn the new address.
    for (const id of exitIds) await refreshBridgesTo(tx, at.bus, id)
    return
  }
  await createServer(
    { ...at, db: tx },
    {
      nodeId,
      locationId,
      ownerTermId: termId,
      capacity: place.isShared ? sharedCapacity : capacity,
      ...(place.isShared && { domain: `m${machine.id}.${isIP(address) ? 'sallyport.example' : address}` }),
      realityTarget: `${realityServerName}:443`,
      realityServerName,
    },
  )
}

export interface Signs {
  /** Of the machine of the present attempt, not of one before. */
  readonly is_enrolled: boolean
  readonly last_seen_at: number | null
  readonly uptime_seconds: number
}

export const readSigns = (db: Db, nodeId: number): Promise<Signs | undefined> =>
  db
    .selectFrom('nodes as n')
    .innerJoin('node_status as st', 'st.node_id', 'n.id')
    .select((eb) => [
      eb('n.enrolment_spent_by', 'is not', null).as('is_enrolled'),
      'st.last_seen_at',
      'st.uptime_seconds',
    ])
    .where('n.id', '=', nodeId)
    .executeTakeFirst() as Promise<Signs | undefined>

/** Whether its agent was heard of lately; of a node that it shares with others that is enough. */
export const isHome = (signs: Signs | undefined, isShared: boolean, now: number): boolean =>
  signs !== undefined && (isShared || signs.is_enrolled) && isHeard(signs.last_seen_at, now)

/** Clocks of machines differ a little. */
const slackSeconds = 5

/** Heard of again, and up for less long than since then. */
export const hasRestarted = ({ last_seen_at: seenAt, uptime_seconds: up }: Signs, since: number): boolean =>
  seenAt !== null && seenAt > since && seenAt - up >= since - slackSeconds

/** A person's machine has nobody to restart it but its own agent. */
export const askReboot = async (tx: Db, bus: Bus, nodeId: number, now: number): Promise<void> => {
  await tx.updateTable('nodes').set({ reboot_asked_at: now }).where('id', '=', nodeId).execute()
  await touchNode(tx, bus, nodeId)
}

/**
 * Its server, and the node where that was its own. The caller locks the term, which has no accesses any more. False while the
 * node that it shares with others still has to hear of what left.
 */
export const removeMachineNode = async (
  tx: Db,
  bus: Bus,
  machine: Machine,
  isShared: boolean,
): Promise<boolean> => {
  if (!isShared) {
    if (machine.node_id !== null) await removeNode(tx, bus, machine.node_id)
    return true
  }
  const server = await findServer(tx, machine.term_id)
  if (!server) return true
  await closeServer(tx, bus, server)
  return removeServer(tx, server.id)
}

/** The same whatever its node is: nobody has anything on it yet. */
export const leaveMachineNode = async (tx: Db, bus: Bus, machine: Machine): Promise<void> => {
  if (machine.node_id === null) return
  await removeMachineNode(tx, bus, machine, await isSharedNode(tx, machine.node_id))
}

/** Whether somebody has become the node with its present token. */
export const isEnrolled = async (tx: Db, nodeId: number): Promise<boolean> => {
  const node = await tx
    .selectFrom('nodes')
    .select('enrolment_spent_by')
    .where('id', '=', nodeId)
    .executeTakeFirst()
  return node !== undefined && node.enrolment_spent_by !== null
}
