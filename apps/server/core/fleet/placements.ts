import { sql } from 'kysely'
import { currentCause } from '../../db/cause.ts'
import type { Db } from '../../db/client.ts'
import type { Bus } from '../kernel/bus.ts'

/** What should be on which node. Every change takes the node's next revision, under the node's row lock. */

/**
 * What agents call an access. They take it as it is; only here it is made and read. How an access was before it moved is placed too, by
 * the number of that copy below zero.
 */
export const itemOf = (accessId: number): string => `a${accessId}`

/** Undefined when it is no name of ours. */
export const accessIdOf = (item: string): number | undefined =>
  /^a-?[1-9]\d{0,14}$/.test(item) ? Number(item.slice(1)) : undefined

export const isCopy = (accessId: number): boolean => accessId < 0

interface Placement {
  readonly nodeId: number
  readonly serverId: number
  readonly accessId: number
  readonly isPresent: boolean
}

/** By which whoever follows a change finds it on the node. */
const causeId = (): string | null => currentCause()?.id ?? null

/** The last of as many as there are changes. */
const nextRevision = async (tx: Db, nodeId: number, changes = 1): Promise<number> => {
  const node = await tx
    .updateTable('nodes')
    .set((eb) => ({ desired_revision: eb('desired_revision', '+', changes), caused_by: causeId() }))
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
      caused_by: causeId(),
    })
    .onConflict((oc) =>
      oc.columns(['node_id', 'access_id']).doUpdateSet((eb) => ({
        server_id: serverId,
        revision,
        is_present: eb.ref('excluded.is_present'),
        caused_by: eb.ref('excluded.caused_by'),
      })),
    )
    .execute()
  await bus.publish(tx, `node:${nodeId}`)
}

/** There may be more of them than a statement has parameters. */
const isOneOf = (accessIds: readonly number[]) => sql<boolean>`access_id = any(${accessIds}::bigint[])`

/** The copies of these accesses that nodes still carry. */
const copiesOf = (db: Db, accessIds: readonly number[]) =>
  db.selectFrom('held_accesses').select('id').where(isOneOf(accessIds)).where('is_live', '=', true)

const markOver = async (tx: Db, copyIds: readonly number[]): Promise<void> => {
  if (copyIds.length === 0) return
  const over = await tx
    .updateTable('held_accesses')
    .set({ is_live: false, xray_config_sealed: null })
    .where('id', 'in', copyIds)
    .returning(['id', 'node_id', 'port'])
    .execute()
  for (const { id, node_id: nodeId, port } of over) {
    if (port === null) continue
    await tx
      .deleteFrom('node_ports')
      .where('node_id', '=', nodeId)
      .where('inbound', '=', copyPort(id))
      .execute()
  }
}

/** Who has the port of a copy. */
export const copyPort = (copyId: number): string => `held-${copyId}`

/** These copies are carried no longer. The caller locks their terms. */
export const endCopies = async (tx: Db, bus: Bus, copyIds: readonly number[]): Promise<void> => {
  const names = copyIds.map((id) => -id)
  await lockNodes(tx, await findNodesOf(tx, names))
  await placeEach(tx, bus, names, false)
  await markOver(tx, copyIds)
}

/** As the accesses have other credentials now, or are somebody else's. The caller locks their terms. */
export const endCopiesOf = async (tx: Db, bus: Bus, accessIds: readonly number[]): Promise<void> => {
  if (accessIds.length === 0) return
  const copies = await copiesOf(tx, accessIds).execute()
  if (copies.length === 0) return
  await endCopies(
    tx,
    bus,
    copies.map(({ id }) => id),
  )
}

/**
 * What is on nodes now of these accesses is told to them again, or taken from them; so are copies of how they were. What was taken away
 * while this waited for a node stays away.
 */
export const placeAgain = async (
  tx: Db,
  bus: Bus,
  accessIds: readonly number[],
  isPresent: boolean,
): Promise<void> => {
  if (accessIds.length === 0) return
  const copies = (await copiesOf(tx, accessIds).execute()).map(({ id }) => id)
  await placeEach(tx, bus, [...accessIds, ...copies.map((id) => -id)], isPresent)
  if (!isPresent) await markOver(tx, copies)
}

const placeEach = async (
  tx: Db,
  bus: Bus,
  accessIds: readonly number[],
  isPresent: boolean,
): Promise<void> => {
  if (accessIds.length === 0) return
  const rows = await tx
    .selectFrom('placements')
    .select(['node_id', 'access_id'])
    .where(isOneOf(accessIds))
    .where('is_present', '=', true)
    .orderBy('node_id')
    .orderBy('access_id')
    .execute()
  for (const [nodeId, ids] of Map.groupBy(rows, (row) => row.node_id)) {
    const last = await nextRevision(tx, nodeId, ids.length)
    await sql`
      update placements p set revision = ${last - ids.length}::bigint + told.at, is_present = ${isPresent}, caused_by = ${causeId()}
      from unnest(${ids.map((row) => row.access_id)}::bigint[]) with ordinality as told (access_id, at)
      where p.node_id = ${nodeId} and p.access_id = told.access_id and p.is_present`.execute(tx)
    await bus.publish(tx, `node:${nodeId}`)
  }
}

/** Holds nodes in one order, for changes that touch several: otherwise two of them could wait for each other. */
export const lockNodes = async (tx: Db, nodeIds: Iterable<number>): Promise<void> => {
  const ids = [...new Set(nodeIds)]
  if (ids.length < 2) return
  await tx.selectFrom('nodes').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
}

/** The nodes that carry any of these accesses, or copies of them. */
export const findNodesOf = async (db: Db, accessIds: readonly number[]): Promise<number[]> => {
  if (accessIds.length === 0) return []
  const { rows } = await sql<{ node_id: number }>`
    select distinct node_id from placements where is_present and access_id = any(array(
      select id from unnest(${accessIds}::bigint[]) id
      union all select -h.id from held_accesses h where h.access_id = any(${accessIds}::bigint[]) and h.is_live))`.execute(
    db,
  )
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
