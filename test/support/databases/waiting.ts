import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../apps/server/db/client.ts'
import { testEngine } from './database.ts'

/** Tests of who waits for whom: one holds rows, and others come to where they have to wait. */

/** Who holds may use the database by the own transaction only, so what others do is begun from outside of it. */
export const outside = AsyncLocalStorage.snapshot()

const lookEveryMs = 10
/** How often in a row all must be seen at rest: what is still on its way to the database cannot be seen there. */
const looks = 5
const patienceMs = 40_000
/** The embedded database has one connection: whoever comes waits for it out of sight. */
const embeddedMs = 300

const othersOf = async (tx: Db): Promise<{ waiting: number; working: number }> => {
  await sql`select pg_stat_clear_snapshot()`.execute(tx)
  const { rows } = await sql<{ waiting: number; working: number }>`
    select count(*) filter (where wait_event_type = 'Lock') as waiting,
      count(*) filter (where state = 'active' and wait_event_type is distinct from 'Lock') as working
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`.execute(
    tx,
  )
  return rows[0] as { waiting: number; working: number }
}

/** Called by whoever holds, in the transaction that does: until so many wait for a lock, or what was begun is over. */
export const untilWaits = async (tx: Db, begun: Promise<unknown>, atLeast = 1): Promise<void> => {
  let isOver = false
  const over = begun.then(
    () => undefined,
    () => undefined,
  )
  void over.then(() => {
    isOver = true
  })
  if (testEngine() === 'embedded') return Promise.race([over, sleep(embeddedMs)])
  const deadline = Date.now() + patienceMs
  let before = 0
  for (let atRest = 0; atRest < looks && !isOver; ) {
    if (Date.now() > deadline) throw new Error('what was begun neither waits for a lock nor ends')
    const { waiting, working } = await othersOf(tx)
    atRest = waiting >= atLeast && waiting === before && working === 0 ? atRest + 1 : 0
    before = waiting
    await Promise.race([over, sleep(lookEveryMs)])
  }
}
