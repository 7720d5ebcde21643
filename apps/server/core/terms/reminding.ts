import { type Db, inTransaction } from '../../db/client.ts'
import type { Job } from '../kernel/jobs.ts'
import { holdDueReminders, leaveReminder } from './reminders.ts'

const batchSize = 200

/** Reminds of what ends soon; each batch is one transaction, and rival schedulers skip each other's rows. */
export const leaveReminders = async (db: Db, now: number): Promise<number> => {
  let total = 0
  for (;;) {
    const done = await inTransaction(db, async (tx) => {
      const due = await holdDueReminders(tx, now, batchSize)
      for (const config of due) await leaveReminder(tx, config, now)
      return due.length
    })
    total += done
    if (done < batchSize) return total
  }
}

export const leaveRemindersJob: Job<{ readonly db: Db }> = {
  name: 'leave reminders',
  everySeconds: 60,
  run: ({ db }, now) => leaveReminders(db, now),
}
