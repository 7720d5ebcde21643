import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** What a database tells of itself. */

const one = async <Row>(query: { execute(db: Db): Promise<{ rows: Row[] }> }, tx: Db): Promise<Row> => {
  const { rows } = await query.execute(tx)
  return rows[0] as Row
}

/** Unix milliseconds. */
export const readDatabaseClock = async (tx: Db): Promise<number> =>
  (await one(sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`, tx)).ms

/** Undefined where the role may not know. */
export const readDataDirectory = async (tx: Db): Promise<string | undefined> => {
  const query = sql<{ folder: string | null }>`
    select case when pg_has_role(current_user, 'pg_read_all_settings', 'usage')
      then current_setting('data_directory') end as folder`
  return (await one(query, tx)).folder ?? undefined
}

export const readVersion = (tx: Db) =>
  one(
    sql<{ number: number; name: string; isReplica: boolean; user: string; mayCreate: boolean }>`
      select current_setting('server_version_num')::int as number, current_setting('server_version') as name,
        pg_is_in_recovery() as "isReplica", current_user::text as "user",
        coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate"`,
    tx,
  )

export interface DatabaseSettings {
  readonly fsync: string
  readonly synchronous_commit: string
  readonly full_page_writes: string
  readonly autovacuum: string
  readonly isUtf8: boolean
}

export const readSettings = (tx: Db): Promise<DatabaseSettings> =>
  one(
    sql<DatabaseSettings>`
      select current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
        current_setting('full_page_writes') as full_page_writes, current_setting('autovacuum') as autovacuum,
        current_setting('server_encoding') = 'UTF8' as "isUtf8"`,
    tx,
  )

export interface Connections {
  readonly max: number
  readonly used: number
  /** Of the role that the service has. */
  readonly ours: number
  readonly instances: number
}

const instances = sql`(select count(distinct instance) from job_runs where noted_at > extract(epoch from clock_timestamp()) - 150)::int`

export const readConnections = (tx: Db): Promise<Connections> =>
  one(
    sql<Connections>`
      select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max,
        (select coalesce(sum(numbackends), 0) from pg_stat_database)::int as used,
        (select count(*) from pg_stat_activity where usename = current_user)::int as ours,
        ${instances} as instances`,
    tx,
  )

export const countInstances = async (tx: Db): Promise<number> =>
  (await one(sql<{ count: number }>`select ${instances} as count`, tx)).count

export interface LongTransaction {
  readonly pid: number
  readonly state: string
  readonly seconds: number
  readonly program: string
}

export const listLongTransactions = async (tx: Db, seconds: number): Promise<LongTransaction[]> => {
  const { rows } = await sql<LongTransaction>`
    select pid, coalesce(state, 'unknown') as state, coalesce(application_name, '') as program,
      extract(epoch from clock_timestamp() - xact_start)::int as seconds
    from pg_stat_activity
    where xact_start < clock_timestamp() - make_interval(secs => ${seconds}) and pid <> pg_backend_pid()
      and coalesce(backend_type, 'client backend') = 'client backend'
    union all
    select 0, 'prepared and not ended', gid, extract(epoch from clock_timestamp() - prepared)::int
    from pg_prepared_xacts where prepared < clock_timestamp() - make_interval(secs => ${seconds})
    order by 4 desc limit 20`.execute(tx)
  return rows
}

export interface Upkeep {
  /** Of the oldest of all databases, in transactions. */
  readonly age: number
  readonly invalidIndexes: readonly string[]
  readonly unvacuumedTables: readonly string[]
}

export const readUpkeep = (tx: Db): Promise<Upkeep> =>
  one(
    sql<Upkeep>`
      select (select greatest(max(age(datfrozenxid)), max(mxid_age(datminmxid))) from pg_database)::bigint as age,
        array(select i.indexrelid::regclass::text from pg_index i
          where not i.indisvalid and not exists (
            select from pg_stat_progress_create_index p where p.index_relid = i.indexrelid)) as "invalidIndexes",
        array(select c.oid::regclass::text from pg_class c
          where c.relkind in ('r', 'm') and 'autovacuum_enabled=false' = any (c.reloptions)) as "unvacuumedTables"`,
    tx,
  )

export interface Replica {
  readonly name: string
  readonly state: string | null
  readonly isSynchronous: boolean
  readonly lagSeconds: number | null
  readonly lagBytes: number | null
}

export interface Slot {
  readonly name: string
  readonly isActive: boolean
  readonly status: string | null
  readonly heldBytes: number
}

export interface Replication {
  /** Names that commits wait for. */
  readonly awaited: string
  readonly replicas: readonly Replica[]
  readonly slots: readonly Slot[]
}

export const readReplication = async (tx: Db): Promise<Replication> => {
  const { awaited } = await one(
    sql<{ awaited: string }>`select current_setting('synchronous_standby_names') as awaited`,
    tx,
  )
  const replicas = await sql<Replica>`
    select coalesce(application_name, 'unknown') as name, state, coalesce(sync_state in ('sync', 'quorum'), false) as "isSynchronous",
      extract(epoch from replay_lag)::float8 as "lagSeconds",
      pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 as "lagBytes"
    from pg_stat_replication where coalesce(state, '') <> 'backup' order by 1`.execute(tx)
  const slots = await sql<Slot>`
    select slot_name::text as name, active as "isActive", wal_status as status,
      coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::float8 as "heldBytes"
    from pg_replication_slots where not temporary order by 1`.execute(tx)
  return { awaited, replicas: replicas.rows, slots: slots.rows }
}

export interface Archiver {
  readonly isOn: boolean
  /** Seconds since the last success and the last failure; null where there was none. */
  readonly archivedAgo: number | null
  readonly failedAgo: number | null
  readonly failures: number
}

export const readArchiver = (tx: Db): Promise<Archiver> =>
  one(
    sql<Archiver>`
      select current_setting('archive_mode') <> 'off' as "isOn", failed_count::int as failures,
        extract(epoch from clock_timestamp() - last_archived_time)::float8 as "archivedAgo",
        extract(epoch from clock_timestamp() - last_failed_time)::float8 as "failedAgo"
      from pg_stat_archiver`,
    tx,
  )
