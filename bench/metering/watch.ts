import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'

/** What the run costs: processors and disk. */

const clockTicksPerSecond = 100

/** The fields of /proc/<pid>/stat behind the name: parent at 1, own time at 11 and 12, that of ended children at 13 and 14. */
const statOf = (pid: number): number[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ').map(Number) ?? []
  } catch {
    return []
  }
}

const sum = (fields: readonly number[], from: number, to: number): number =>
  fields.slice(from, to).reduce((total, value) => total + value, 0) / clockTicksPerSecond

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => statOf(other)[1] === pid)

/** A process and what it has started itself. */
export const familyOf = (pid: number): number[] => [pid, ...childrenOf(pid)]

/** Processor time so far in seconds of a process with everything it has started. */
export const cpuSecondsOfFamily = (pid: number): number =>
  childrenOf(pid).reduce((total, child) => total + sum(statOf(child), 11, 13), sum(statOf(pid), 11, 15))

/** Processor time so far in seconds that this machine wanted and its host gave to others. */
export const stolenCpuSeconds = (): number => {
  const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  return Number(total.split(/\s+/)[8] ?? 0) / clockTicksPerSecond
}

export interface TableSize {
  readonly rows: number
  readonly bytes: number
  readonly dead: number
  readonly updates: number
  readonly hotUpdates: number
}

const tables = ['traffic_counters', 'meters', 'moved_terms', 'placements', 'option_terms']

export const sizesOf = async (client: pg.Client): Promise<Map<string, TableSize>> => {
  await client.query('select pg_stat_clear_snapshot()')
  const { rows } = await client.query(
    `select relname, pg_total_relation_size(relid) as bytes, n_dead_tup, n_tup_upd, n_tup_hot_upd
     from pg_stat_user_tables where relname = any($1)`,
    [tables],
  )
  const sizes = new Map<string, TableSize>()
  for (const row of rows) {
    const counted = await client.query(`select count(*) as rows from ${row.relname}`)
    sizes.set(row.relname, {
      rows: Number(counted.rows[0].rows),
      bytes: Number(row.bytes),
      dead: Number(row.n_dead_tup),
      updates: Number(row.n_tup_upd),
      hotUpdates: Number(row.n_tup_hot_upd),
    })
  }
  return sizes
}

/** What PostgreSQL has written to its log so far. */
export const walBytes = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query(`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`)
  return Number(rows[0].bytes)
}

const lookEveryMs = 200

/** Says when each of these terms is switched off, by the clock of this process. */
export class QuotaWatch {
  readonly #client: pg.Client
  readonly #left: Set<number>
  readonly offAtMs = new Map<number, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(client: pg.Client, termIds: readonly number[]) {
    this.#client = client
    this.#left = new Set(termIds)
  }

  start(): void {
    let isBusy = false
    this.#timer = setInterval(async () => {
      if (isBusy || this.#left.size === 0) return
      isBusy = true
      const { rows } = await this.#client.query(
        `select id from terms where id = any($1::bigint[]) and paused = 'quota'`,
        [[...this.#left]],
      )
      for (const row of rows) {
        this.offAtMs.set(Number(row.id), performance.now())
        this.#left.delete(Number(row.id))
      }
      isBusy = false
    }, lookEveryMs)
  }

  get isDone(): boolean {
    return this.#left.size === 0
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
