import { type Db, inTransaction } from '../../db/client.ts'
import { forbidWrites } from './read-only-queries.ts'

/** In a transaction that the database itself keeps from writing, and that nobody has to wait for long. */
export const readOnly = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  inTransaction(db, async (tx) => {
    await forbidWrites(tx)
    return work(tx)
  })
