import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Db, inTransaction, openDatabase } from '../apps/server/db/client.ts'

/** Runs real work over large tables and watches PostgreSQL's own counters of reads from end to end. */

const largeFrom = 10_000

export type Work = readonly [name: string, run: (tx: Db) => Promise<unknown>]

const scansOf = async (client: pg.Client): Promise<Map<string, number>> => {
  const { rows } = await client.query(
    `select relname, seq_scan from pg_stat_user_tables where n_live_tup >= $1`,
    [largeFrom],
  )
  return new Map(rows.map((row) => [row.relname as string, Number(row.seq_scan)]))
}

/** PostgreSQL's counters of whole-table reads lag by up to a second. */
const settled = async (client: pg.Client) => {
  await sleep(1200)
  await client.query('select pg_stat_clear_snapshot()')
  return scansOf(client)
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

/** What each of them reads from end to end, in words. */
export const checkScans = async (databaseUrl: string, works: readonly Work[]): Promise<string[]> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '.' })
  const problems: string[] = []
  let before = await settled(client)
  for (const [name, run] of works) {
    const tookMs = await timed(db, run)
    const after = await settled(client)
    const scanned = [...after].filter(([table, scans]) => scans > (before.get(table) ?? 0))
    const tables = scanned.map(([table]) => table)
    const warning = tables.length > 0 ? `, READS ALL OF ${tables.join(', ')}` : ''
    console.log(`${name}: ${tookMs.toFixed(1)} ms${warning}`)
    for (const table of tables) problems.push(`${name} reads the whole of ${table}`)
    before = after
  }
  await close()
  await client.end()
  return problems
}
