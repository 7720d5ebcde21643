import pg from 'pg'
import { type Connection, DatabaseError, type Engine, type NotifyListener } from './driver.ts'
import { ReadinessConnection } from './readiness-connection.ts'
import { ReadLanes } from './reads/read-lanes.ts'

const int8 = 20
const int8Array: number = 1016
pg.types.setTypeParser(int8, Number)
const textsOf: (text: string) => string[] = pg.types.getTypeParser(int8Array)
pg.types.setTypeParser(int8Array, (text) => textsOf(text).map(Number))

const namesByText = new Map<string, string>()
const maxNames = 1000

/** Statements are prepared once a connection; text built at run time stays unnamed past a bound. */
const nameOf = (sql: string): string | undefined => {
  let name = namesByText.get(sql)
  if (!name && namesByText.size < maxNames) {
    name = `s${namesByText.size}`
    namesByText.set(sql, name)
  }
  return name
}

const queryOf = (sql: string, params: readonly unknown[]): pg.QueryConfig => {
  const name = params.length === 0 ? undefined : nameOf(sql)
  return { text: sql, values: params as unknown[], ...(name && { name }) }
}

const connectionFailure = '08006'
const brokenConnection = /^Connection terminated|is not queryable$|^timeout (expired|exceeded)/

const translate = (error: unknown): never => {
  if (error instanceof pg.DatabaseError) {
    throw new DatabaseError(error.message, error.code, error.constraint, error)
  }
  // pg gives no code to what it says of a connection that broke, or that could not be made in time.
  if (error instanceof Error && brokenConnection.test(error.message)) {
    throw new DatabaseError(error.message, connectionFailure, undefined, error)
  }
  throw error
}

const wrap = (client: pg.PoolClient): Connection => {
  let failed: Error | undefined
  return {
    query: (sql, params) =>
      client.query(queryOf(sql, params)).then(
        (result) => ({ rows: result.rows, affected: result.rowCount ?? 0 }),
        (error: unknown) => {
          if (!(error instanceof pg.DatabaseError)) failed = error as Error
          return translate(error)
        },
      ),
    // A connection that broke is thrown away rather than handed to the next caller.
    release: () => client.release(failed),
  }
}

const signOfLifeMs = 5000

/** Keeps one connection listening; reconnects for as long as the engine is open. */
class ListenConnection {
  readonly #url: string
  #client: pg.Client | undefined
  #closed = false

  constructor(url: string) {
    this.#url = url
  }

  async start(channel: string, listener: NotifyListener): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url, keepAlive: true })
    client.on('error', () => undefined)
    client.on('notification', (message) => listener.onMessage(message.payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
    } catch (error) {
      void client.end().catch(() => undefined)
      throw error
    }
    let isLost = false
    const reconnect = (): void => {
      if (isLost || this.#closed) return
      isLost = true
      listener.onLive(false)
      this.#retryLater(channel, listener)
    }
    client.on('error', reconnect)
    client.on('end', reconnect)
    this.#client = client
    listener.onLive(true)
    this.#watch(client, reconnect)
  }

  /** A connection whose other end vanished says nothing by itself, so it is asked. */
  #watch(client: pg.Client, onSilence: () => void): void {
    const asking = setInterval(() => {
      const silence = setTimeout(() => {
        onSilence()
        client.connection.stream.destroy()
      }, signOfLifeMs)
      client.query('select 1').then(
        () => clearTimeout(silence),
        () => clearTimeout(silence),
      )
    }, signOfLifeMs)
    client.once('end', () => clearInterval(asking))
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#client?.end().catch(() => undefined)
  }

  #retryLater(channel: string, listener: NotifyListener): void {
    setTimeout(() => {
      if (!this.#closed) this.start(channel, listener).catch(() => this.#retryLater(channel, listener))
    }, 500).unref()
  }
}

/** What the address says of these in its query wins; pg reads all of it but for the first. */
const patience = (url: string) => ({
  connectionTimeoutMillis: 1000 * (Number(new URL(url).searchParams.get('connect_timeout')) || 2),
  statement_timeout: 5000,
  lock_timeout: 2000,
})

export const openPostgres = async (url: string): Promise<Engine> => {
  const settings = {
    connectionString: url,
    ...patience(url),
    keepAlive: true,
  }
  const pool = new pg.Pool({ ...settings, max: 10, idleTimeoutMillis: 60_000 })
  // Without a handler a dropped idle connection would end the process; the pool replaces it by itself.
  pool.on('error', () => undefined)
  // Nor may one lost between two statements of a transaction: the pool listens to idle connections only.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const lanes = new ReadLanes(settings, 4)
  const listener = new ListenConnection(url)
  const readiness = new ReadinessConnection(settings)
  const engine: Engine = {
    kind: 'postgres',
    acquire: async () => {
      const askedMs = performance.now()
      const client = await pool.connect().catch(translate)
      engine.onWait((performance.now() - askedMs) / 1000)
      return wrap(client)
    },
    read: async (sql, params) => {
      const query = queryOf(sql, params)
      const result = await (lanes.read(query) ?? pool.query(query)).catch(translate)
      return { rows: result.rows, affected: result.rowCount ?? 0 }
    },
    exec: async (sql) => {
      const client = await pool.connect()
      try {
        await client.query('set statement_timeout = 0; set lock_timeout = 0')
        await client.query(sql).catch(translate)
      } finally {
        client.release(true)
      }
    },
    listen: (channel, to) => listener.start(channel, to),
    check: () => readiness.check(),
    close: async () => {
      await listener.close()
      await readiness.close()
      await lanes.close()
      await pool.end()
    },
    load: () => ({
      size: pool.options.max,
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      reads: lanes.waiting,
      replicas: [],
    }),
    onWait: () => undefined,
  }
  return engine
}
