import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** Recurring work, declared beside what it does. What is due is found in the tables themselves. */
export interface Job<Parts> {
  readonly name: string
  readonly everySeconds: number
  run(at: Parts, now: number): Promise<unknown>
}

/** Runs a job now instead of at its next time. */
export type Kick = (job: Job<never>) => void

/** Until the transaction ends: nobody waits for a job that looks through whole tables. */
export const allowLongStatements = async (tx: Db): Promise<void> => {
  await sql`set local statement_timeout = 60000`.execute(tx)
}
