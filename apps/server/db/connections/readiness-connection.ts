import type pg from 'pg'
import { nameOfInstance } from './capacity.ts'
import { connectToPrimary, PrimaryClient } from './primary-client.ts'

const patienceMs = 2000

export const processOf = (client: pg.ClientBase): number =>
  (client as unknown as { readonly processID: number }).processID

const workingProcesses = `
  select pid from pg_stat_activity
  where application_name like $1 || '%' and datname = current_database() and state <> 'idle'`

/** None where nobody can tell: a pooler stands between, or the address gives connections a name that is not ours. */
export type Working = ReadonlySet<number> | null

/** A connection of its own, on which nothing else is ever asked than whether the database answers. */
export class ReadinessConnection {
  readonly #config: pg.ClientConfig
  readonly #mayBeStandby: boolean
  #client: PrimaryClient | undefined
  #asking: Promise<Working> | undefined

  constructor(config: pg.ClientConfig, mayBeStandby: boolean) {
    this.#config = config
    this.#mayBeStandby = mayBeStandby
  }

  /** The processes of PostgreSQL that work for this instance. However many ask at once, the database is asked once. */
  check(): Promise<Working> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async close(): Promise<void> {
    await this.#asking?.catch(() => undefined)
    await this.#client?.end().catch(() => undefined)
  }

  async #ask(): Promise<Working> {
    const client = this.#client ?? new PrimaryClient(this.#config)
    const silence = setTimeout(() => client.connection.stream.destroy(), patienceMs)
    try {
      if (!this.#client) await this.#connect(client)
      const { rows } = await client.query<{ pid: number }>(workingProcesses, [nameOfInstance])
      const working = new Set(rows.map(({ pid }) => pid))
      // It works itself just now: where it does not find itself, it would not find others.
      return working.has(processOf(client)) ? working : null
    } catch (error) {
      this.#client = undefined
      client.connection.stream.destroy()
      throw error
    } finally {
      clearTimeout(silence)
    }
  }

  async #connect(client: PrimaryClient): Promise<void> {
    const forget = (): void => {
      if (this.#client === client) this.#client = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    if (this.#mayBeStandby) await client.connect()
    else await connectToPrimary(client)
    this.#client = client
  }
}
