import { type Db, inSnapshot } from '../../db/client.ts'
import { allowLongStatements, type Job } from '../kernel/jobs.ts'
import { checkBooks } from '../ledger/check-books.ts'

const everySeconds = 3600

/** Whichever instance comes first has it for the hour. */
const claim = async (db: Db, now: number): Promise<boolean> => {
  const claimed = await db
    .updateTable('figures_state')
    .set({ ledger_checked_at: now })
    .where((eb) =>
      eb.or([eb('ledger_checked_at', 'is', null), eb('ledger_checked_at', '<=', now - everySeconds)]),
    )
    .returning('is_only')
    .executeTakeFirst()
  return claimed !== undefined
}

/** It reads everything there is, so once an hour has to do. One that fails leaves what was found before, and is made the next hour. */
export const checkLedger = async (db: Db, now: number): Promise<void> => {
  if (!(await claim(db, now))) return
  const { imbalance } = await inSnapshot(db, async (tx) => {
    await allowLongStatements(tx)
    return checkBooks(tx)
  })
  await db.updateTable('figures_state').set({ ledger_imbalance: imbalance }).execute()
}

export const checkLedgerJob: Job<{ readonly db: Db }> = {
  name: 'check the ledger',
  everySeconds: 600,
  run: ({ db }, now) => checkLedger(db, now),
}
