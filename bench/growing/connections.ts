import { type Db, inTransaction, openDatabase, prepared } from '../../apps/server/db/client.ts'
import { startPgbouncer } from '../../test/support/databases/pgbouncer.ts'
import { median } from '../report.ts'

/** Work like a purchase's: some reads by key, a row locked and changed, one added. */
const work = prepared<[number], { balance: number }>('select balance from bench_accounts where id = $1')
const lock = prepared<[number], { balance: number }>(
  'select balance from bench_accounts where id = $1 for update',
)
const change = prepared<[number], object>('update bench_accounts set balance = balance + 1 where id = $1')
const add = prepared<[number], object>('insert into bench_entries (account_id) values ($1)')

export interface Way {
  readonly name: string
  readonly pool: number
  readonly readLanes: number
  readonly isPooled?: true
}

const makeTables = async (url: string): Promise<void> => {
  const admin = await openDatabase({ databaseUrl: url, dataDir: '' })
  await admin.engine.exec(`
    create table bench_accounts (id bigint primary key, balance bigint not null);
    insert into bench_accounts select n, 0 from generate_series(1, 100000) n;
    create table bench_entries (id bigint generated always as identity primary key, account_id bigint not null)`)
  await admin.close()
}

const anyAccount = (): number => 1 + Math.floor(Math.random() * 100_000)

const buy = (db: Db): Promise<void> =>
  inTransaction(db, async (tx) => {
    const id = anyAccount()
    await work(tx, id)
    await lock(tx, id)
    await change(tx, id)
    await add(tx, id)
  })

/** How many a second, of 64 at once. */
const paceOf = async (task: () => Promise<unknown>, seconds: number): Promise<number> => {
  let done = 0
  const until = performance.now() + seconds * 1000
  const loop = async () => {
    while (performance.now() < until) {
      await task()
      done++
    }
  }
  await Promise.all(Array.from({ length: 64 }, loop))
  return done / seconds
}

/** How many a second, of transactions and of single reads, by each way in turn; the median of the rounds. */
export const measureConnections = async (
  url: string,
  ways: readonly Way[],
  rounds: number,
  seconds: number,
) => {
  await makeTables(url)
  const pooler = await startPgbouncer(url, 10)
  const opened = await Promise.all(
    ways.map(async (way) => {
      const { pool, readLanes } = way
      const pooled = { directUrl: url, isPrepared: false }
      const database = { pool, readLanes, ...(way.isPooled && pooled) }
      return {
        way,
        db: await openDatabase({ databaseUrl: way.isPooled ? pooler.url : url, dataDir: '', database }),
      }
    }),
  )
  const results = new Map<string, { transactions: number[]; reads: number[] }>()
  for (let round = 0; round < rounds; round++) {
    for (const { way, db } of opened) {
      const seen = results.get(way.name) ?? { transactions: [], reads: [] }
      results.set(way.name, seen)
      seen.transactions.push(await paceOf(() => buy(db.db), seconds))
      seen.reads.push(await paceOf(() => work(db.db, anyAccount()), seconds))
    }
  }
  for (const { db } of opened) await db.close()
  await pooler.stop()
  return [...results].map(([name, { transactions, reads }]) => ({
    name,
    transactions: Math.round(median(transactions)),
    reads: Math.round(median(reads)),
  }))
}
