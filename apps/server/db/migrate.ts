import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, sql as query } from 'kysely'
import type { Database, Db } from './client.ts'
import { DatabaseError, type RunStatement } from './driver.ts'

export const usualFolder = new URL('./migrations/', import.meta.url)

/** Instances that start together migrate one after another, under this advisory lock. */
export const lockNumber = 5_417_209_331
/** Not the same: whoever waits for that one holds a snapshot, for which an index that is being built would wait in turn. */
const indexLockNumber = lockNumber + 1

/**
 * Whoever needs a table queues behind a migration that waits for it, so a migration waits shortly and often. Less than
 * the two seconds for which a request waits for a lock, more than the one after which PostgreSQL looks for deadlocks.
 */
const lockTimeoutMs = 1500
const pauseSeconds = 1
/** Some two minutes. */
const patientTries = 48
/** Lock not available, deadlock detected, serialization failure. */
const passing = new Set(['55P03', '40P01', '40001'])

/** The first line of a migration whose statements run by themselves, so that tables can be written to meanwhile. */
const concurrentMark = /^-- concurrently\b/

interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

const readMigrations = (folder: URL): Migration[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(name, folder), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })

/** A transaction that was open long enough to have been in the way. */
export interface OldTransaction {
  readonly pid: number
  readonly state: string
  readonly openSeconds: number
  readonly tables: readonly string[]
}

export interface MigrationWait {
  readonly migration: string
  readonly tries: number
  readonly problem: string
  readonly oldTransactions: readonly OldTransaction[]
}

export interface MigrateOptions {
  /** Where the migrations are. */
  readonly folder?: URL
  readonly maxTries?: number
  readonly onWait?: (wait: MigrationWait) => void
}

const oldTransactions = async (db: Db): Promise<OldTransaction[]> => {
  const { rows } = await query<OldTransaction>`
    select a.pid, coalesce(a.state, 'unknown') as state,
      extract(epoch from clock_timestamp() - a.xact_start)::int as "openSeconds",
      array_agg(distinct c.relname::text) as tables
    from pg_stat_activity a
    join pg_locks l on l.pid = a.pid and l.locktype = 'relation' and l.granted
    join pg_class c on c.oid = l.relation and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    where a.datname = current_database() and a.xact_start < clock_timestamp() - interval '1 second'
    group by a.pid, a.state, a.xact_start order by a.xact_start limit 5`.execute(db)
  return rows
}

const appliedChecksums = async ({ db, engine }: Database): Promise<Map<string, string>> => {
  await engine.exec(`
    begin;
    select pg_advisory_xact_lock(${lockNumber});
    create table if not exists migrations (name text primary key, checksum text not null);
    commit;`)
  const { rows } = await db.executeQuery<{ name: string; checksum: string }>(
    CompiledQuery.raw('select name, checksum from migrations'),
  )
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

/** The pause is under the advisory lock: several instances that take turns leave the tables alone for as long as one. */
const scriptOf = ({ name, sql, checksum }: Migration, isRepeated: boolean): string => `
  begin;
  select pg_advisory_xact_lock(${lockNumber});
  ${isRepeated ? `select pg_sleep(${pauseSeconds});` : ''}
  set local lock_timeout = ${lockTimeoutMs};
  do $guard$ begin
    if not exists (select from migrations where name = '${name}') then
      execute $migration$${sql}$migration$;
      insert into migrations (name, checksum) values ('${name}', '${checksum}');
    end if;
  end $guard$;
  commit;`

const recordOf = ({ name, checksum }: Migration): string =>
  `insert into migrations (name, checksum) values ('${name}', '${checksum}') on conflict do nothing`

/** In the order of the file. None holds a semicolon of its own: they make indexes, and nothing else. */
const statementsOf = ({ name, sql }: Migration): IndexStatement[] => {
  const text = sql.replaceAll(/--.*$/gm, '')
  const statements = text.split(';').map((one) => one.trim().replaceAll(/\s+/g, ' '))
  return statements.filter(Boolean).map((statement) => {
    const index = indexShape.exec(statement)?.[1]
    if (!index)
      throw new Error(
        `Migration ${name} may only say "create [unique] index concurrently if not exists name on …"; other changes belong in a file of their own.`,
      )
    return { index, statement }
  })
}

interface IndexStatement {
  readonly index: string
  readonly statement: string
}

const indexShape = /^create (?:unique )?index concurrently if not exists (\w+) on /i

const hasRun = async ({ db }: Database, { name }: Migration): Promise<boolean> => {
  const { rows } = await query`select from migrations where name = ${name}`.execute(db)
  return rows.length > 0
}

/** One that was left half-built is in the way of its name and of no use to anybody. */
const isInvalid = async ({ db }: Database, index: string): Promise<boolean> => {
  const { rows } = await query`
    select from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relname = ${index} and c.relnamespace = current_schema()::regnamespace and not i.indisvalid`.execute(
    db,
  )
  return rows.length > 0
}

/**
 * Outside of a transaction, each statement by itself, under the lock of the session: whoever comes second waits, and finds it done.
 * Interrupted wherever it may be, it goes on at the next start.
 */
const applyConcurrently = async (database: Database, migration: Migration): Promise<void> => {
  const statements = statementsOf(migration)
  await database.engine.withSession(async (run) => {
    await takeSessionLock(run)
    if (await hasRun(database, migration)) return
    for (const { index, statement } of statements) {
      if (await isInvalid(database, index)) await run(`drop index concurrently if exists ${index}`)
      await run(database.engine.kind === 'embedded' ? statement.replace(/ concurrently /i, ' ') : statement)
    }
    await run(recordOf(migration))
  })
}

/** By asking again and again: waiting within a statement would hold a snapshot as well. */
const takeSessionLock = async (run: RunStatement): Promise<void> => {
  for (;;) {
    const [row] = await run(`select pg_try_advisory_lock(${indexLockNumber}) as taken`)
    if ((row as { taken: boolean }).taken) return
    await sleep(200)
  }
}

const apply = async ({ db, engine }: Database, migration: Migration, options: MigrateOptions) => {
  const { maxTries = patientTries, onWait } = options
  for (let tries = 1; ; tries++) {
    try {
      return await engine.exec(scriptOf(migration, tries > 1))
    } catch (error) {
      if (!(error instanceof DatabaseError && passing.has(error.code ?? ''))) throw error
      const { name } = migration
      if (tries >= maxTries)
        throw new Error(
          `Migration ${name} could not lock its tables in ${tries} tries; end what holds them, and start again.`,
          { cause: error },
        )
      onWait?.({ migration: name, tries, problem: error.message, oldTransactions: await oldTransactions(db) })
    }
  }
}

export interface MigrationState {
  /** Of this release, and not in the database. */
  readonly pending: readonly string[]
  /** In the database, and not of this release. */
  readonly unknown: readonly string[]
  readonly changed: readonly string[]
}

/** How the database stands to this release; nothing is applied. */
export const compareMigrations = async (db: Db, folder = usualFolder): Promise<MigrationState> => {
  const found = await query<{ is_there: boolean }>`
    select to_regclass('migrations') is not null as is_there`.execute(db)
  const { rows } = found.rows[0]?.is_there
    ? await query<{
        name: string
        checksum: string
      }>`select name, checksum from migrations order by name`.execute(db)
    : { rows: [] }
  const ours = new Map(readMigrations(folder).map(({ name, checksum }) => [name, checksum]))
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  return {
    pending: [...ours.keys()].filter((name) => !applied.has(name)),
    unknown: [...applied.keys()].filter((name) => !ours.has(name)),
    changed: [...ours].flatMap(([name, checksum]) =>
      applied.has(name) && applied.get(name) !== checksum ? [name] : [],
    ),
  }
}

/** What was there before the first release has nothing that could be carried over. */
const refuseForeign = (applied: ReadonlyMap<string, string>, first: Migration | undefined): void => {
  if (applied.size === 0 || !first || applied.has(first.name)) return
  throw new Error(
    'This database was made by a version from before the first release and cannot be used; start with an empty database or another DATA_DIR.',
  )
}

/** Applies what is missing, each file in one transaction with its record or, marked so, statement by statement; returns the names applied. */
export const migrate = async (database: Database, options: MigrateOptions = {}): Promise<string[]> => {
  const applied = await appliedChecksums(database)
  const migrations = readMigrations(options.folder ?? usualFolder)
  refuseForeign(applied, migrations[0])
  const names: string[] = []
  for (const migration of migrations) {
    const { name, checksum } = migration
    const known = applied.get(name)
    if (known === checksum) continue
    if (known) throw new Error(`Migration ${name} was changed after it was applied; add a new one instead.`)
    if (concurrentMark.test(migration.sql)) await applyConcurrently(database, migration)
    else await apply(database, migration, options)
    names.push(name)
  }
  return names
}

/** What was applied and is not known here: the database was used by a newer release, or by none of ours. */
export const unknownMigrations = async (
  { db }: Pick<Database, 'db'>,
  folder = usualFolder,
): Promise<string[]> => {
  const known = new Map(readMigrations(folder).map(({ name, checksum }) => [name, checksum]))
  const { rows } = await db.executeQuery<{ name: string; checksum: string }>(
    CompiledQuery.raw('select name, checksum from migrations order by name'),
  )
  return rows.filter(({ name, checksum }) => known.get(name) !== checksum).map(({ name }) => name)
}
