import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** Servers that are emptied, as they are kept. What is left is counted when somebody asks. */

export interface Drain {
  readonly server_id: number
  readonly state: 'running' | 'done' | 'stopped'
  /** Empty where any of the location will do. */
  readonly to_server_ids: readonly number[]
  readonly total: number
}

export interface ShownDrain {
  readonly state: 'running' | 'waiting' | 'done' | 'stopped'
  readonly total: number
  readonly moved: number
  readonly left: number
  /** The first of them. */
  readonly failed: { item: number; reason: string }[]
  readonly failed_total: number
}

const columns = ['server_id', 'state', 'to_server_ids', 'total'] as const

export const findDrain = async (db: Db, serverId: number): Promise<Drain | undefined> =>
  db.selectFrom('server_drains').select(columns).where('server_id', '=', serverId).executeTakeFirst()

/** Nobody stops it or finds it done until the transaction ends; others may take steps of it. */
export const joinDrain = async (tx: Db, serverId: number): Promise<Drain | undefined> =>
  tx
    .selectFrom('server_drains')
    .select(columns)
    .where('server_id', '=', serverId)
    .where('state', '=', 'running')
    .forShare()
    .executeTakeFirst()

export const lockDrain = async (tx: Db, serverId: number): Promise<Drain | undefined> =>
  tx
    .selectFrom('server_drains')
    .select(columns)
    .where('server_id', '=', serverId)
    .forUpdate()
    .executeTakeFirst()

export const listRunning = (db: Db): Promise<Drain[]> =>
  db.selectFrom('server_drains').select(columns).where('state', '=', 'running').orderBy('server_id').execute()

/** What stands on a server, proxies beside it not counted; also what has ended and may be renewed. */
export const countOn = async (db: Db, serverId: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from accesses where server_id = ${serverId}::bigint and beside_id is null`.execute(db)
  return rows[0]?.count ?? 0
}

/** Whether its node carries copies for apps that have not fetched yet. */
export const hasCopies = async (db: Db, serverId: number): Promise<boolean> => {
  const row = await db
    .selectFrom('held_accesses')
    .select('id')
    .where('server_id', '=', serverId)
    .where('is_live', '=', true)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const shownFailures = 100

const showFailures = async (db: Db, serverId: number) => {
  const failures = db
    .selectFrom('drain_failures as f')
    .innerJoin('accesses as a', 'a.id', 'f.access_id')
    .where('f.server_id', '=', serverId)
    .where('a.server_id', '=', serverId)
  const failed = await failures
    .select(['f.access_id as item', 'f.reason'])
    .orderBy('f.access_id')
    .limit(shownFailures)
    .execute()
  if (failed.length < shownFailures) return { failed, failed_total: failed.length }
  const all = await failures.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return { failed, failed_total: all.count }
}

/** Options that still name a server. */
export interface Naming {
  readonly count: number
  /** Those that get no other, and have no configuration there that would say so. */
  readonly failed: ShownDrain['failed']
}

export const showDrain = async (
  db: Db,
  drain: Drain,
  options: Naming = { count: 0, failed: [] },
): Promise<ShownDrain> => {
  const { server_id: serverId } = drain
  const present = await countOn(db, serverId)
  const { failed, failed_total: stuck } = await showFailures(db, serverId)
  const total = Math.max(drain.total, present)
  const isWaiting = drain.state === 'running' && present === 0 && options.count === 0
  return {
    state: isWaiting ? 'waiting' : drain.state,
    total,
    moved: total - present,
    left: Math.max(present - stuck, 0),
    failed: [...options.failed, ...failed].slice(0, shownFailures),
    failed_total: options.failed.length + stuck,
  }
}

/** Anew, where it was stopped or done; what is under way goes on, to other servers if these are named. */
export const storeDrain = async (
  tx: Db,
  drain: { readonly serverId: number; readonly toServerIds: readonly number[]; readonly now: number },
): Promise<void> => {
  const { serverId, toServerIds, now } = drain
  await tx.deleteFrom('drain_failures').where('server_id', '=', serverId).execute()
  await sql`
    insert into server_drains as d (server_id, state, to_server_ids, total, started_at)
    select ${serverId}::bigint, 'running', ${[...toServerIds]}::bigint[], count(*), ${now}::bigint
    from accesses where server_id = ${serverId}::bigint and beside_id is null
    on conflict (server_id) do update set state = 'running', ended_at = null,
      to_server_ids = case when d.state = 'running' and cardinality(excluded.to_server_ids) = 0 then d.to_server_ids
        else excluded.to_server_ids end,
      total = case d.state when 'running' then d.total else excluded.total end,
      started_at = case d.state when 'running' then d.started_at else excluded.started_at end`.execute(tx)
  await setServerState(tx, serverId, 'draining')
}

export const setServerState = async (
  tx: Db,
  serverId: number,
  state: 'draining' | 'closed',
): Promise<void> => {
  await tx
    .updateTable('servers')
    .set({ state })
    .where('id', '=', serverId)
    .where('state', 'in', state === 'closed' ? ['draining'] : ['selling', 'closed'])
    .execute()
}

/** The caller locks it. Nothing is sold there until somebody wants it. */
export const endDrain = async (
  tx: Db,
  serverId: number,
  state: 'done' | 'stopped',
  now: number,
): Promise<void> => {
  await tx
    .updateTable('server_drains')
    .set({ state, ended_at: now })
    .where('server_id', '=', serverId)
    .execute()
  await setServerState(tx, serverId, 'closed')
}
