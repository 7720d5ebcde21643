import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { Bus } from '../kernel/bus.ts'

/** What should be on which node. Every change takes the node's next revision, under the node's row lock. */

export const itemOfConfig = (configId: number): string => `c${configId}`
/** The proxy of a configuration is an item of its own, so that changing one leaves the other alone. */
export const itemOfProxy = (configId: number): string => `s${configId}`

interface Placement {
  readonly nodeId: number
  readonly serverId: number
  readonly configId: number
  /** The configuration itself unless said otherwise. */
  readonly item?: string
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

/** Commits with the purchase or change it belongs to; the waiting agent is woken when that commits. */
export const place = async (tx: Db, bus: Bus, placement: Placement): Promise<void> => {
  const { nodeId, serverId, configId, isPresent, item = itemOfConfig(configId) } = placement
  const revision = await nextRevision(tx, nodeId)
  await tx
    .insertInto('placements')
    .values({
      node_id: nodeId,
      item,
      config_id: configId,
      server_id: serverId,
      revision,
      is_present: isPresent,
    })
    .onConflict((oc) =>
      oc.columns(['node_id', 'item']).doUpdateSet({ server_id: serverId, revision, is_present: isPresent }),
    )
    .execute()
  await bus.publish(tx, `node:${nodeId}`)
}

/**
 * Everything of a configuration that is on nodes now is told to them again, or taken from them. What was taken away
 * while this waited for a node stays away.
 */
export const placeAgain = async (tx: Db, bus: Bus, configId: number, isPresent: boolean): Promise<void> => {
  const rows = await tx
    .selectFrom('placements')
    .select(['node_id', 'item'])
    .where('config_id', '=', configId)
    .where('is_present', '=', true)
    .orderBy('node_id')
    .execute()
  for (const { node_id: nodeId, item } of rows) {
    const revision = await nextRevision(tx, nodeId)
    await tx
      .updateTable('placements')
      .set({ revision, is_present: isPresent })
      .where('node_id', '=', nodeId)
      .where('item', '=', item)
      .where('is_present', '=', true)
      .execute()
    await bus.publish(tx, `node:${nodeId}`)
  }
}

/** Holds nodes in one order, for changes that touch several: otherwise two of them could wait for each other. */
export const holdNodes = async (tx: Db, nodeIds: Iterable<number>): Promise<void> => {
  const ids = [...new Set(nodeIds)]
  if (ids.length < 2) return
  await tx.selectFrom('nodes').select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
}

/** The nodes that carry anything of these configurations. */
export const findNodesOf = async (db: Db, configIds: readonly number[]): Promise<number[]> => {
  if (configIds.length === 0) return []
  const rows = await db
    .selectFrom('placements')
    .select('node_id')
    .distinct()
    .where('config_id', 'in', configIds)
    .where('is_present', '=', true)
    .execute()
  return rows.map((row) => row.node_id)
}

/** A change of the node's inbounds: the same revision line, no access of its own. */
export const touchNode = async (tx: Db, bus: Bus, nodeId: number): Promise<void> => {
  await nextRevision(tx, nodeId)
  await bus.publish(tx, `node:${nodeId}`)
}

/** The fingerprint agents compute as stateHash: every (item, revision) that should be on the node. */
export const desiredHash = async (db: Db, nodeId: number): Promise<string> => {
  const { rows } = await sql<{ hash: string }>`
    select lpad(to_hex(coalesce(bit_xor(('x' || substr(md5(item || ':' || revision), 1, 16))::bit(64)::bigint), 0)), 16, '0') as hash
    from placements p join configs c on c.id = p.config_id
    where p.node_id = ${nodeId} and p.is_present and c.state <> 'deleted'`.execute(db)
  return (rows[0] as { hash: string }).hash
}
