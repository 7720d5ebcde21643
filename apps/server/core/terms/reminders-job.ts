import { type Db, inTransaction } from '../../db/client.ts'
import type { Job } from '../kernel/jobs.ts'
import type { Products } from '../sales/products.ts'
import { type DueReminder, leaveReminder, lockDueReminders } from './reminders.ts'
import { namesOfTerms, termProductOf } from './term-product.ts'

const batchSize = 200

const remind = async (
  tx: Db,
  products: Products,
  due: readonly DueReminder[],
  now: number,
): Promise<void> => {
  for (const [name, terms] of Map.groupBy(due, (term) => term.product)) {
    const product = termProductOf(products, name)
    const names = await product.namesOf(tx, terms)
    const nameless = { short: product.words.subject, long: product.words.subject }
    for (const term of terms) await leaveReminder(tx, product, term, names.get(term.id) ?? nameless, now)
  }
}

/** Reminds of what ends soon; each batch is one transaction, and rival schedulers skip each other's rows. */
export const leaveReminders = async (
  { db, products }: { readonly db: Db; readonly products: Products },
  now: number,
): Promise<number> => {
  let total = 0
  for (;;) {
    const done = await inTransaction(db, async (tx) => {
      const due = await lockDueReminders(tx, namesOfTerms(products), now, batchSize)
      await remind(tx, products, due, now)
      return due.length
    })
    total += done
    if (done < batchSize) return total
  }
}

export const leaveRemindersJob: Job<{ readonly db: Db; readonly products: Products }> = {
  name: 'leave reminders',
  everySeconds: 60,
  run: leaveReminders,
}
