import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** Recurring work, declared beside what it does. What is due is found in the tables themselves. */
export interface Job<Parts> {
  readonly name: string
  readonly everySeconds: number
  /** Who works on for long calls `progress` after each piece of it: a job that gets on does not stand still. */
  run(at: Parts, now: number, progress: Progress): Promise<unknown>
}

export type Progress = () => void

/** Runs a job now instead of at its next time. */
export type Kick = (job: Job<never>) => void

/**
 * Until the transaction ends: nobody waits for a job that looks through whole tables. It takes one processor, for customers need
 * the others.
 */
export const allowLongStatements = async (tx: Db): Promise<void> => {
  await sql`
    select set_config('statement_timeout', '60000', true), set_config('max_parallel_workers_per_gather', '0', true)`.execute(
    tx,
  )
}
