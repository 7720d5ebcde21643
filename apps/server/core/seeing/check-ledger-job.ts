import { sql } from 'kysely'
import { type Db, inSnapshot } from '../../db/client.ts'
import { allowLongStatements, type Job } from '../kernel/jobs.ts'
import { checkBooks } from '../ledger/check-books.ts'

const everySeconds = 3600

const isDue = async (db: Db, now: number): Promise<boolean> => {
  const state = await db.selectFrom('figures_state').select('ledger_checked_at').executeTakeFirst()
  return state !== undefined && (state.ledger_checked_at ?? 0) <= now - everySeconds
}

/** Of whoever checks, for as long as it does. */
const lockNumber = 5_417_209_333

const takesTurn = async (tx: Db): Promise<boolean> => {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(lockNumber)}) as taken`.execute(tx)
  return rows[0]?.taken === true
}

/**
 * It reads everything there is, so once an hour and by one instance has to do. The time is that of the last one that came to its
 * end: one that fails leaves what was found before, which grows old.
 */
export const checkLedger = async (db: Db, now: number): Promise<void> => {
  if (!(await isDue(db, now))) return
  const found = await inSnapshot(db, async (tx) => {
    await allowLongStatements(tx)
    return (await takesTurn(tx)) ? checkBooks(tx) : undefined
  })
  if (!found) return
  await db
    .updateTable('figures_state')
    .set({ ledger_imbalance: found.imbalance, ledger_checked_at: now })
    .execute()
}

export const checkLedgerJob: Job<{ readonly db: Db }> = {
  name: 'check the ledger',
  everySeconds: 600,
  run: ({ db }, now) => checkLedger(db, now),
}
