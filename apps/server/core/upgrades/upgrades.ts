import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isUniqueViolation } from '../../db/driver.ts'
import { onlineWithinSeconds } from '../fleet/servers.ts'
import type { Finding } from '../kernel/alerts.ts'
import type { NodeState } from './judge.ts'

/** Agents that are brought to another release, as they are kept. */

export interface Upgrade {
  readonly id: number
  readonly release: string | null
  readonly back_of: number | null
  readonly state: 'running' | 'waiting' | 'stopped' | 'done'
  readonly stop_reason: string | null
  readonly waves: number
  readonly wave: number
  readonly wave_over_at: number | null
  readonly accepted_ill: number
  readonly pause_seconds: number
  readonly most_ill: number
  readonly is_automatic: boolean
  readonly created_at: number
  readonly ended_at: number | null
}

export const isUnderWay = ({ state }: Upgrade): boolean => state === 'running' || state === 'waiting'

const columns = [
  'id',
  'release',
  'back_of',
  'state',
  'stop_reason',
  'waves',
  'wave',
  'wave_over_at',
  'accepted_ill',
  'pause_seconds',
  'most_ill',
  'is_automatic',
  'created_at',
  'ended_at',
] as const

export const findUpgrade = (db: Db, id: number): Promise<Upgrade | undefined> =>
  db.selectFrom('agent_upgrades').select(columns).where('id', '=', id).executeTakeFirst()

export const lockUpgrade = (tx: Db, id: number): Promise<Upgrade | undefined> =>
  tx.selectFrom('agent_upgrades').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()

export const listUpgrades = (
  db: Db,
  { limit, before }: { readonly limit: number; readonly before: number | undefined },
): Promise<Upgrade[]> =>
  db
    .selectFrom('agent_upgrades')
    .select(columns)
    .$if(before !== undefined, (query) => query.where('id', '<', before as number))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Those that go on, and those with nodes that are still on their way. */
export const listMoving = async (db: Db): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select id from agent_upgrades where state in ('running', 'waiting')
    union select upgrade_id from agent_upgrade_nodes where state in ('told', 'upgrading')
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

export interface NewUpgrade {
  readonly release: string | null
  readonly backOf?: number
  readonly waves: number
  readonly pauseSeconds: number
  readonly mostIll: number
  readonly isAutomatic: boolean
  readonly operatorId: number
  readonly now: number
}

/** Undefined when another is under way; the transaction is of no use then. */
export const insertUpgrade = async (tx: Db, made: NewUpgrade): Promise<Upgrade | undefined> => {
  try {
    return await tx
      .insertInto('agent_upgrades')
      .values({
        release: made.release,
        back_of: made.backOf ?? null,
        state: 'running',
        waves: made.waves,
        pause_seconds: made.pauseSeconds,
        most_ill: made.mostIll,
        is_automatic: made.isAutomatic,
        operator_id: made.operatorId,
        created_at: made.now,
      })
      .returning(columns)
      .executeTakeFirstOrThrow()
  } catch (error) {
    if (isUniqueViolation(error)) return undefined
    throw error
  }
}

/** Nodes with the number of the wave of each. */
export const insertNodes = async (
  tx: Db,
  { id, release }: Upgrade,
  waves: ReadonlyMap<number, number>,
): Promise<void> => {
  await sql`
    insert into agent_upgrade_nodes (upgrade_id, node_id, wave, release)
    select ${id}::bigint, node_id, wave, ${release}::text
    from unnest(${[...waves.keys()]}::bigint[], ${[...waves.values()]}::integer[]) as w (node_id, wave)`.execute(
    tx,
  )
}

/** Whoever was told goes back to what it had; who never came further finds that it runs it already. How many that are. */
export const insertNodesBack = async (tx: Db, { id }: Upgrade, of: number): Promise<number> => {
  const { rows } = await sql<{ node_id: number }>`
    insert into agent_upgrade_nodes (upgrade_id, node_id, wave, release)
    select ${id}::bigint, node_id, 1, release_before from agent_upgrade_nodes
    where upgrade_id = ${of}::bigint and told_at is not null and release_before is not null
    returning node_id`.execute(tx)
  return rows.length
}

/** Machines whose agent has enrolled: first those that can be told, of these the ones with the fewest customers. */
export const listEnrolled = async (tx: Db, release: string, now: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select n.id from nodes n join node_status st on st.node_id = n.id where n.public_key is not null
    order by (st.can_upgrade and st.last_seen_at >= ${now - onlineWithinSeconds}::bigint
        and st.agent_release is distinct from ${release}) is true desc,
      (select coalesce(sum(s.used_slots), 0) from servers s where s.node_id = n.id), n.id`.execute(tx)
  return rows.map(({ id }) => id)
}

export const updateUpgrade = async (
  tx: Db,
  id: number,
  fields: Partial<Omit<Upgrade, 'id' | 'release' | 'back_of' | 'created_at'>>,
): Promise<Upgrade> =>
  tx
    .updateTable('agent_upgrades')
    .set(fields)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()

export interface WaveCounts {
  readonly wave: number
  readonly state: NodeState
  readonly count: number
}

export const countNodes = async (db: Db, ids: readonly number[]) => {
  const { rows } = await sql<WaveCounts & { upgrade_id: number }>`
    select upgrade_id, wave, state, count(*)::integer as count from agent_upgrade_nodes
    where upgrade_id = any(${[...ids]}::bigint[]) group by upgrade_id, wave, state`.execute(db)
  return rows
}

export const listNodesOf = (db: Db, id: number) =>
  db
    .selectFrom('agent_upgrade_nodes as w')
    .innerJoin('nodes as n', 'n.id', 'w.node_id')
    .select(['w.node_id', 'n.name', 'w.wave', 'w.state', 'w.reason', 'w.release', 'w.release_before'])
    .select(['w.told_at', 'w.ended_at'])
    .where('w.upgrade_id', '=', id)
    .orderBy('w.wave')
    .orderBy('w.node_id')
    .execute()

/** The newest of them, where it stopped by itself and nobody has gone on or begun another. */
export const findStopped = async (tx: Db): Promise<Finding[]> => {
  const [newest] = await listUpgrades(tx, { limit: 1, before: undefined })
  if (newest?.state !== 'stopped' || newest.stop_reason === null) return []
  const ill = (await listNodesOf(tx, newest.id)).filter(({ state }) => state === 'ill').slice(0, 20)
  const nodes = ill.map(({ node_id, name, reason }) => ({ node_id, name, reason }))
  const details = { upgrade_id: newest.id, wave: newest.wave, reason: newest.stop_reason, nodes }
  return [{ subject: `agent-upgrade:${newest.id}`, details, since: newest.ended_at ?? newest.created_at }]
}
