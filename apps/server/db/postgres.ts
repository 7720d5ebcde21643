import pg from 'pg'
import { type Connection, DatabaseError, type Engine, type NotifyListener } from './driver.ts'

const int8 = 20
pg.types.setTypeParser(int8, Number)

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

const translate = (error: unknown): never => {
  if (error instanceof pg.DatabaseError) {
    throw new DatabaseError(error.message, error.code, error.constraint, error)
  }
  throw error
}

const wrap = (client: pg.PoolClient): Connection => {
  let failed: Error | undefined
  return {
    query: (sql, params) => {
      const name = params.length === 0 ? undefined : nameOf(sql)
      const query = { text: sql, values: params as unknown[], ...(name && { name }) }
      return client.query(query).then(
        (result) => ({ rows: result.rows, affected: result.rowCount ?? 0 }),
        (error: unknown) => {
          if (!(error instanceof pg.DatabaseError)) failed = error as Error
          return translate(error)
        },
      )
    },
    // A connection that broke is thrown away rather than handed to the next caller.
    release: () => client.release(failed),
  }
}

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
    let isLost = false
    const reconnect = () => {
      if (isLost || this.#closed) return
      isLost = true
      listener.onLive(false)
      this.#retryLater(channel, listener)
    }
    client.on('error', reconnect)
    client.on('end', reconnect)
    client.on('notification', (message) => listener.onMessage(message.payload ?? ''))
    await client.connect()
    await client.query(`listen ${client.escapeIdentifier(channel)}`)
    this.#client = client
    listener.onLive(true)
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

export const openPostgres = async (url: string): Promise<Engine> => {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 2000,
    idleTimeoutMillis: 60_000,
    statement_timeout: 5000,
    lock_timeout: 2000,
    keepAlive: true,
  })
  // Without a handler a dropped idle connection would end the process; the pool replaces it by itself.
  pool.on('error', () => undefined)
  const listener = new ListenConnection(url)
  return {
    kind: 'postgres',
    acquire: async () => wrap(await pool.connect()),
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
    close: async () => {
      await listener.close()
      await pool.end()
    },
  }
}
