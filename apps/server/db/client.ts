import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { currentCause, type OpenSpan } from './cause.ts'
import { nameOfInstance } from './connections/capacity.ts'
import type { PostgresOptions } from './connections/options.ts'
import { ReplicaLag } from './connections/replica-lag.ts'
import { type Connection, DatabaseError, type Engine } from './driver.ts'
import { type FolderHold, openEmbedded } from './embedded.ts'
import { openPostgres } from './postgres.ts'
import type { Tables } from './types.ts'

/** Pool or transaction: every query function takes one first. */
export type Db = Kysely<Tables>

export interface Database {
  readonly db: Db
  readonly engine: Engine
  /** For what may be some seconds old: a standby's handle, as long as one answers and keeps up. */
  readonly olderDb: () => Db
  /** How old; undefined without a standby, infinite while it does not answer. */
  readonly replicaLagSeconds: () => number | undefined
  close(): Promise<void>
}

interface Begun {
  readonly engine: Engine
  /** What is done once it is committed. */
  readonly after: (() => void)[]
}

/** Set while a transaction runs, to catch use of the outer handle, which would wait for itself for ever. */
const insideTransaction = new AsyncLocalStorage<Begun>()

/** Once the transaction that runs here is committed, and never when it is not; at once where none runs. */
export const afterCommit = (work: () => void): void => {
  const begun = insideTransaction.getStore()
  if (begun) begun.after.push(work)
  else work()
}

const refuseInsideTransaction = (engine: Engine): void => {
  if (insideTransaction.getStore()?.engine === engine)
    throw new Error('The database handle was used inside a transaction: pass the transaction instead.')
}

class EngineConnection implements DatabaseConnection {
  readonly connection: Connection
  hasFailed = false
  /** Of the transaction, where it is traced. */
  span: OpenSpan | undefined

  constructor(connection: Connection) {
    this.connection = connection
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const span = (this.span ?? currentCause()?.span)?.begin('db query', { 'db.query.text': query.sql })
    try {
      const result = await this.connection.query(query.sql, query.parameters)
      span?.end()
      return { rows: result.rows as R[], numAffectedRows: BigInt(result.affected) }
    } catch (error) {
      this.hasFailed = true
      span?.end(error)
      throw error
    }
  }

  // biome-ignore lint/correctness/useYield: Kysely asks for a generator; nothing here streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming queries are not used; read in pages instead.')
  }
}

/** What a trace calls it. */
class RolledBack extends Error {
  override readonly name = 'RolledBack'
}

class EngineDriver implements Driver {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<EngineConnection> {
    refuseInsideTransaction(this.#engine)
    return new EngineConnection(await this.#engine.acquire())
  }

  async beginTransaction(
    connection: EngineConnection,
    { isolationLevel }: TransactionSettings,
  ): Promise<void> {
    const isolation = isolationLevel ? ` isolation level ${isolationLevel}` : ''
    const cause = currentCause()
    connection.span = cause?.span?.begin('db transaction')
    await connection.executeQuery(CompiledQuery.raw(`begin${isolation}${this.#naming(cause?.id)}`))
  }

  /** In the same message, so that it costs no way to the database. Whoever looks there sees whose transaction it is. */
  #naming(causeId: string | undefined): string {
    const isSeen = causeId !== undefined && this.#engine.kind === 'postgres'
    return isSeen ? `; set local application_name = '${nameOfInstance} ${causeId}'` : ''
  }

  async commitTransaction(connection: EngineConnection): Promise<void> {
    // PostgreSQL answers COMMIT of a failed transaction with a silent rollback: never report that as done.
    if (connection.hasFailed) throw new Error('A statement of this transaction failed and was swallowed.')
    await connection.executeQuery(CompiledQuery.raw('commit'))
    connection.span?.end()
  }

  async rollbackTransaction(connection: EngineConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
    connection.span?.end(new RolledBack())
  }

  async releaseConnection(connection: EngineConnection): Promise<void> {
    connection.connection.release()
  }

  /** Kysely destroys only drivers it has used, so the engine is closed by whoever opened it. */
  async destroy(): Promise<void> {}
}

const engines = new WeakMap<Db, Engine>()

const connect = (engine: Engine): Database => {
  const db: Db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new EngineDriver(engine),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  engines.set(db, engine)
  return {
    db,
    engine,
    olderDb: () => db,
    replicaLagSeconds: () => undefined,
    close: () => db.destroy().then(() => engine.close()),
  }
}

export interface DatabaseOptions extends PostgresOptions {
  readonly replicaUrl: string | undefined
  /** How far behind a standby may be for it to be asked. */
  readonly replicaLagSeconds: number
}

/** Operators ask it, not customers. */
const replicaPool = { pool: 4, readLanes: 1 }
const usualLagSeconds = 5

const withReplica = async (
  primary: Database,
  url: string,
  options: Partial<DatabaseOptions>,
): Promise<Database> => {
  const { replicaLagSeconds = usualLagSeconds, isPrepared = true } = options
  const replica = connect(await openPostgres(url, { ...replicaPool, isPrepared, mayBeStandby: true }))
  const lag = new ReplicaLag(primary.engine, replica.engine)
  await lag.look()
  return {
    ...primary,
    olderDb: () => (lag.seconds() <= replicaLagSeconds ? replica.db : primary.db),
    replicaLagSeconds: () => lag.seconds(),
    close: async () => {
      lag.close()
      await replica.close()
      await primary.close()
    },
  }
}

const openServer = async (url: string, options: Partial<DatabaseOptions> = {}): Promise<Database> => {
  const primary = connect(await openPostgres(url, options))
  return options.replicaUrl ? withReplica(primary, options.replicaUrl, options) : primary
}

/** PostgreSQL when an address is given, otherwise the embedded database in the folder. */
export const openDatabase = async (at: {
  readonly databaseUrl?: string | undefined
  readonly database?: Partial<DatabaseOptions>
  readonly dataDir: string
  /** When the caller holds the folder already. */
  readonly hold?: FolderHold | undefined
}): Promise<Database> =>
  at.databaseUrl ? openServer(at.databaseUrl, at.database) : connect(await openEmbedded(at.dataDir, at.hold))

const serializationFailure = '40001'
const retryable = new Set([serializationFailure, '40P01'])

/** Thrown in a transaction that has to wait for what it must not wait for with what it holds. */
export const beginAgain = (why: string): DatabaseError =>
  new DatabaseError(why, serializationFailure, undefined, undefined)

const maxAttempts = 7
/** Those who were in each other's way would meet again if they came back at once. */
const apartMs = 40

type Isolation = 'read committed' | 'repeatable read'

const runTransaction = async <T>(db: Db, isolation: Isolation, work: (tx: Db) => Promise<T>): Promise<T> => {
  const engine = engines.get(db)
  if (!engine) throw new Error('A transaction starts from the handle that openDatabase gave')
  const begin = db.transaction().setIsolationLevel(isolation)
  for (let attempt = 1; ; attempt++) {
    const begun: Begun = { engine, after: [] }
    try {
      const result = await begin.execute((tx) => insideTransaction.run(begun, () => work(tx)))
      for (const next of begun.after) next()
      return result
    } catch (error) {
      const canRetry = error instanceof DatabaseError && retryable.has(error.code ?? '')
      if (!canRetry || attempt === maxAttempts) throw error
      await sleep(Math.random() * apartMs * attempt)
    }
  }
}

/** Runs `work` in one transaction, or in the caller's when there is one. */
export const inTransaction = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : runTransaction(db, 'read committed', work)

/** Several reads that all see the same moment. */
export const inSnapshot = <T>(db: Db, read: (tx: Db) => Promise<T>): Promise<T> =>
  runTransaction(db, 'repeatable read', read)

export interface Prepared<Params extends readonly unknown[], Row> {
  (db: Db, ...params: Params): Promise<Row[]>
  readonly sql: string
}

/**
 * A hot read, or what waits for no lock and no disk either: its text is fixed once, and outside a transaction it goes to the
 * engine without detours, beside others on one connection.
 */
export const prepared = <Params extends readonly unknown[], Row>(sql: string): Prepared<Params, Row> => {
  const run = async (db: Db, ...params: Params): Promise<Row[]> => {
    const engine = engines.get(db)
    if (!engine) return (await db.executeQuery<Row>(CompiledQuery.raw(sql, [...params]))).rows
    refuseInsideTransaction(engine)
    const span = currentCause()?.span?.begin('db read', { 'db.query.text': sql })
    if (!span) return (await engine.read(sql, params)).rows as Row[]
    const { rows } = await engine.read(sql, params).finally(() => span.end())
    return rows as Row[]
  }
  return Object.assign(run, { sql })
}
