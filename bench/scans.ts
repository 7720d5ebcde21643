import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Db, inTransaction, openDatabase } from '../apps/server/db/client.ts'

/**
 * Runs real work over large tables and watches PostgreSQL's own counters of what is read: from end to end, or by an index
 * and yet most of it.
 */

const largeFrom = 10_000
const muchOfIt = 0.25

/** What it rightly reads most of, beside much of another table that it was asked for, is named with it. */
export type Work = readonly [name: string, run: (tx: Db) => Promise<unknown>, rightly?: readonly string[]]

interface Reads {
  readonly rows: number
  readonly scans: number
  readonly fetched: number
}

const readsOf = async (client: pg.Client): Promise<Map<string, Reads>> => {
  const { rows } = await client.query(
    `select relname, n_live_tup, seq_scan, coalesce(idx_tup_fetch, 0) as idx_tup_fetch
     from pg_stat_user_tables where n_live_tup >= $1`,
    [largeFrom],
  )
  return new Map(
    rows.map((row) => [
      row.relname as string,
      { rows: Number(row.n_live_tup), scans: Number(row.seq_scan), fetched: Number(row.idx_tup_fetch) },
    ]),
  )
}

const isMuch = (before: Reads | undefined, after: Reads): boolean =>
  after.scans > (before?.scans ?? 0) || after.fetched - (before?.fetched ?? 0) > after.rows * muchOfIt

/** PostgreSQL's counters lag by up to a second. */
const settled = async (client: pg.Client) => {
  await sleep(1200)
  await client.query('select pg_stat_clear_snapshot()')
  return readsOf(client)
}

const undo = new Error('undone on purpose')

const timed = async (db: Db, run: Work[1]): Promise<number> => {
  let tookMs = 0
  await inTransaction(db, async (tx) => {
    const startedMs = performance.now()
    await run(tx)
    tookMs = performance.now() - startedMs
    throw undo
  }).catch((error: unknown) => {
    if (error !== undo) throw error
  })
  return tookMs
}

/** What each of them reads most of, in words. */
export const checkScans = async (databaseUrl: string, works: readonly Work[]): Promise<string[]> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '.' })
  const problems: string[] = []
  let before = await settled(client)
  for (const [name, run, rightly = []] of works) {
    const tookMs = await timed(db, run).catch((error: unknown) => {
      problems.push(`${name} fails: ${error instanceof Error ? error.message : error}`)
      return Number.NaN
    })
    const after = await settled(client)
    const read = [...after].filter(([table, reads]) => isMuch(before.get(table), reads))
    const tables = read.map(([table]) => table).filter((table) => !rightly.includes(table))
    const warning = tables.length > 0 ? `, READS MOST OF ${tables.join(', ')}` : ''
    console.log(`${name}: ${tookMs.toFixed(1)} ms${warning}`)
    for (const table of tables) problems.push(`${name} reads most of ${table}`)
    before = after
  }
  await close()
  await client.end()
  return problems
}
