import pg from 'pg'
import { nameOfInstance, readCapacity } from './connections/capacity.ts'
import { ConnectionWaits } from './connections/connection-waits.ts'
import { isUseless, translate } from './connections/failures.ts'
import { ListenConnection } from './connections/listen-connection.ts'
import { type PostgresOptions, usualOptions } from './connections/options.ts'
import { connectToPrimary, PrimaryClient, refuseStandby } from './connections/primary-client.ts'
import { ReadinessConnection } from './connections/readiness-connection.ts'
import { AskedClients, SilenceWatch } from './connections/silence-watch.ts'
import { preparedQuery, type QueryOf, unnamedQuery } from './connections/statements.ts'
import type { Connection, Engine, EngineLoad, QueryRows, RunStatement } from './driver.ts'
import { ReadLanes } from './reads/read-lanes.ts'

const int8 = 20
const int8Array: number = 1016
pg.types.setTypeParser(int8, Number)
const textsOf: (text: string) => string[] = pg.types.getTypeParser(int8Array)
pg.types.setTypeParser(int8Array, (text) => textsOf(text).map(Number))

const bytea: number = 17
const hexPrefix = '\\x'
const escapedBytesOf: (text: string) => Buffer = pg.types.getTypeParser(bytea)
/** Of its own size: what is cut from a larger block, as the usual one gives it, keeps all of the block while it is kept. */
pg.types.setTypeParser(bytea, (text) => {
  if (!text.startsWith(hexPrefix)) return escapedBytesOf(text)
  const bytes = Buffer.allocUnsafeSlow((text.length - hexPrefix.length) / 2)
  bytes.write(text.slice(hexPrefix.length), 'hex')
  return bytes
})

const wrap = (client: pg.PoolClient, queryOf: QueryOf, asked: AskedClients): Connection => {
  let failed: Error | undefined
  return {
    query: (sql, params) => {
      asked.asks(client)
      return client.query(queryOf(sql, params)).then(
        (result) => {
          asked.hears(client)
          return { rows: result.rows, affected: result.rowCount ?? 0 }
        },
        (error: unknown) => {
          asked.hears(client)
          if (isUseless(error)) failed = error as Error
          return translate(error)
        },
      )
    },
    // A connection that broke is thrown away rather than handed to the next caller.
    release: () => client.release(failed),
  }
}

const readOn = async (
  connection: Connection,
  sql: string,
  params: readonly unknown[],
): Promise<QueryRows> => {
  try {
    return await connection.query(sql, params)
  } finally {
    connection.release()
  }
}

/** What the address says of these in its query wins; pg reads all of it but for the first. */
const connectTimeout = (url: string) => ({
  connectionTimeoutMillis: 1000 * (Number(new URL(url).searchParams.get('connect_timeout')) || 2),
})
/** A pooler knows no such settings of a connection, and gives its own. */
const statementTimeouts = { statement_timeout: 5000, lock_timeout: 2000 }

/** As long as it takes, on a connection that nobody else uses. */
const withSession = async (
  config: pg.ClientConfig,
  work: (run: RunStatement) => Promise<void>,
): Promise<void> => {
  const client = new PrimaryClient(config)
  client.on('error', () => undefined)
  try {
    await connectToPrimary(client)
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    await work((sql) => client.query(sql).then(({ rows }) => rows))
  } catch (error) {
    translate(error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

const openPool = (settings: pg.PoolConfig, asked: AskedClients, mayBeStandby: boolean): pg.Pool => {
  const onConnect = async (client: pg.ClientBase) => {
    if (!mayBeStandby) refuseStandby(client as pg.Client)
  }
  const pool = new pg.Pool({ ...settings, Client: PrimaryClient, onConnect, idleTimeoutMillis: 60_000 })
  // Without a handler a dropped idle connection would end the process; the pool replaces it by itself.
  pool.on('error', () => undefined)
  // Nor may one lost between two statements of a transaction: the pool listens to idle connections only.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    asked.opens(client)
  })
  return pool
}

/** By the pooler where there is one, and directly. */
const settingsOf = (url: string, directUrl: string | undefined) => {
  const patience = { ...connectTimeout(url), keepAlive: true, application_name: nameOfInstance }
  const hasSession = directUrl === undefined
  return {
    hasSession,
    settings: { ...patience, connectionString: url, ...(hasSession && statementTimeouts) },
    direct: { ...patience, connectionString: directUrl ?? url, ...statementTimeouts },
  }
}

const loadOf = (pool: pg.Pool, lanes: ReadLanes): EngineLoad => ({
  size: pool.options.max,
  busy: pool.totalCount - pool.idleCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
  reads: lanes.waiting,
})

export const openPostgres = async (url: string, given: Partial<PostgresOptions> = {}): Promise<Engine> => {
  const options = { ...usualOptions, ...given }
  const { mayBeStandby } = options
  const { hasSession, settings, direct } = settingsOf(url, options.directUrl)
  const queryOf = options.isPrepared ? preparedQuery : unnamedQuery
  const listener = new ListenConnection(direct)
  const readiness = new ReadinessConnection(settings, mayBeStandby)
  const turns = { now: 1, missedAt: 0 }
  const asked = new AskedClients(turns)
  const pool = openPool({ ...settings, max: options.pool }, asked, mayBeStandby)
  const lanes = new ReadLanes({ ...settings, hasSession, mayBeStandby }, options.readLanes, turns)
  const watch = new SilenceWatch({
    check: () => readiness.check(),
    turns,
    awaiting: [asked, lanes],
  })
  const waits = new ConnectionWaits()
  const acquire = async (): Promise<Connection> => {
    const client = await waits.during(() => pool.connect()).catch(translate)
    if (!asked.isStale(client)) return wrap(client, queryOf, asked)
    client.release(true)
    return acquire()
  }
  const engine: Engine = {
    kind: 'postgres',
    acquire,
    read: async (sql, params) => {
      const reading = lanes.read(queryOf(sql, params))
      if (!reading) return readOn(await acquire(), sql, params)
      const result = await reading.catch(translate)
      return { rows: result.rows, affected: result.rowCount ?? 0 }
    },
    exec: (sql) => withSession(direct, async (run) => void (await run(sql))),
    withSession: (work) => withSession(direct, work),
    listen: (channel, to) => listener.start(channel, to),
    check: async () => void (await watch.check()),
    capacity: () => readCapacity(direct, options),
    close: async () => {
      watch.close()
      for (const part of [listener, readiness, lanes]) await part.close()
      await pool.end()
    },
    load: () => loadOf(pool, lanes),
    onWait: (listener) => waits.on(listener),
  }
  return engine
}
