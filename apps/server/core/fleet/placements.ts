import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { Bus } from '../kernel/bus.ts'

/** What should be on which node. Every change takes the node's next revision, under the node's row lock. */

/** What agents call an access. They take it as it is; only here it is made and read. */
export const itemOf = (accessId: number): string => `a${accessId}`

/** Undefined when it is no name of ours. */
export const accessIdOf = (item: string): number | undefined =>
  /^a[1-9]\d{0,14}$/.test(item) ? Number(item.slice(1)) : undefined

interface Placement {
  readonly nodeId: number
  readonly serverId: number
  readonly accessId: number
  readonly isPresent: boolean
}

const nextRevision = async (tx: Db, nodeId: number): Promise<number> => {
  const node = await tx
    .updateTable('nodes')
    .set((eb) => ({ desired_revision: eb('desired_revision', '+', 1) }))
    .where('id', '=', nodeId)
    .returning('desired_revision')
    .executeTakeFirstOrThrow()
  return node.desired_revision
}

/** Nothing of a closed account is on any node. Whoever closes it locks its terms, as whoever places has locked this one's. */
const isOpen = (accessId: number) => sql<boolean>`not exists (
  select from accesses a join terms t on t.id = a.term_id join users u on u.id = t.user_id
  where a.id = ${accessId}::bigint and u.is_blocked)`

/**
 * The one door by which anything comes to a node. Commits with the purchase or change it belongs to; the waiting agent is woken when
 * that commits.
 */
export const place = async (tx: Db, bus: Bus, placement: Placement): Promise<void> => {
  const { nodeId, serverId, accessId, isPresent } = placement
  const revision = await nextRevision(tx, nodeId)
  await tx
    .insertInto('placements')
    .values({
      node_id: nodeId,
      access_id: accessId,
      server_id: serverId,
      revision,
      is_present: isPresent ? isOpen(accessId) : false,
    })
    .onConflict((oc) =>
      oc.columns(['node_id', 'access_id']).doUpdateSet((eb) => ({
        server_id: serverId,
        revision,
        is_present: eb.ref('excluded.is_present'),
      })),
    )
    .execute()
  await bus.publish(tx, `node:${nodeId}`)
}

/**
 * What is on nodes now of these accesses is told to them again, or taken from them. What was taken away while this waited
 * for a node stays away.
 */
export const placeAgain = async (
  tx: Db,
  bus: Bus,
  accessIds: readonly number[],
  isPresent: boolean,
): Promise<void> => {
  if (accessIds.length === 0) return
  const rows = await tx
    .selectFrom('placements')
    .select(['node_id', 'access_id'])
    .where('access_id', 'in', accessIds)
    .where('is_present', '=', true)
    .orderBy('node_id')
    .orderBy('access_id')
    .execute()
  for (const { node_id: nodeId, access_id: accessId } of rows) {
    const revision = await nextRevision(tx, nodeId)
    await tx
      .updateTable('placements')
      .set({ revision, is_present: isPresent })
      .where('node_id', '=', nodeId)
      .where('access_id', '=', accessId)
      .where('is_present', '=', true)
      .execute()
    await bus.publish(tx, `node:${nodeId}`)
  }
}

/** Holds nodes in one order, for changes that touch several: otherwise two of them could wait for each other. */
export const lockNodes = async (tx: Db, nodeIds: Iterable<number>): Promise<void> => {
  const ids = [...new Set(nodeIds)]
  if (ids.length < 2) return
  await tx.selectFrom('nodes').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
}

/** The nodes that carry any of these accesses. */
export const findNodesOf = async (db: Db, accessIds: readonly number[]): Promise<number[]> => {
  if (accessIds.length === 0) return []
  const rows = await db
    .selectFrom('placements')
    .select('node_id')
    .distinct()
    .where('access_id', 'in', accessIds)
    .where('is_present', '=', true)
    .execute()
  return rows.map((row) => row.node_id)
}

/** A change of the node's inbounds: the same revision line, no access of its own. */
export const touchNode = async (tx: Db, bus: Bus, nodeId: number): Promise<void> => {
  await nextRevision(tx, nodeId)
  await bus.publish(tx, `node:${nodeId}`)
}

/** The fingerprint agents compute as stateHash: every (item, revision) that should be on the node. The tables keep it. */
export const desiredHash = async (db: Db, nodeId: number): Promise<string> => {
  const { rows } = await sql<{ hash: string }>`
    select lpad(to_hex(desired_hash), 16, '0') as hash from nodes where id = ${nodeId}`.execute(db)
  return (rows[0] as { hash: string }).hash
}
