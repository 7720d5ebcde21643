import { secondsInDay } from '@sallyport/domain/time/period'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/client.ts'
import type { Job } from '../kernel/jobs.ts'
import { forgetReminders } from '../terms/reminders.ts'
import type { TermName } from '../terms/term-product.ts'
import { type Term, updateAndTell } from '../terms/terms.ts'
import { graceDays, nameOf, tellDestroyed, tellLastDay, tellOff } from './machine-notices.ts'
import { changeMachine, type Machine } from './machines.ts'

/** Machines by their terms: what they are called, and what is said at their ends. */

const listOf = async (db: Db, termIds: readonly number[]): Promise<ReadonlyMap<number, Machine>> => {
  const rows = await db.selectFrom('machines').selectAll().where('term_id', 'in', termIds).execute()
  return new Map(rows.map((row) => [row.term_id, row]))
}

export const namesOf = async (
  db: Db,
  terms: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, TermName>> => {
  const machines = await listOf(
    db,
    terms.map((term) => term.id),
  )
  return new Map(
    [...machines].map(([id, machine]) => {
      const name = nameOf(machine)
      return [id, { short: name, long: name }]
    }),
  )
}

const idsOf = (terms: readonly Term[]): number[] => terms.map((term) => term.id)

/**
 * Of machines that were lost and are being looked for, the time that was left goes on from now: it is not the customer's fault
 * that they are away. Returns the others, which end.
 */
export const keepSearched = async (tx: Db, terms: readonly Term[], now: number): Promise<Term[]> => {
  const machines = await listOf(tx, idsOf(terms))
  const ending: Term[] = []
  for (const term of terms) {
    const machine = machines.get(term.id)
    const isSearched = machine && machine.status !== 'active' && machine.activated_at !== null
    const left = isSearched ? term.expires_at - machine.search_began_at : 0
    if (!machine || left <= 0) {
      ending.push(term)
      continue
    }
    // Its end was told of already.
    await updateAndTell(tx, term.id, { state: 'active', expires_at: now + left }, 'term.started', now)
    await forgetReminders(tx, term)
    await changeMachine(tx, machine, { search_began_at: now })
  }
  return ending
}

export const tellOffOf = async (tx: Db, terms: readonly Term[], now: number): Promise<void> => {
  const machines = await listOf(tx, idsOf(terms))
  for (const { id, expires_at } of terms) {
    const machine = machines.get(id)
    // One that never came is paid back instead.
    if (machine && machine.activated_at !== null) await tellOff(tx, machine, expires_at, now)
  }
}

/** Only of those that lapsed: who deletes an account, or gets the money back, knows. */
export const tellDestroyedOf = async (tx: Db, terms: readonly Term[], now: number): Promise<void> => {
  const machines = await listOf(tx, idsOf(terms))
  for (const { id, state, expires_at } of terms) {
    const machine = machines.get(id)
    const hasLapsed = state === 'expired' && expires_at + graceDays * secondsInDay <= now
    if (machine?.activated_at && hasLapsed) await tellDestroyed(tx, machine, now)
  }
}

/** A day before the end of everything. */
export const warnOfDestruction = (db: Db, now: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    const [from, until] = [now - graceDays * secondsInDay, now - (graceDays - 1) * secondsInDay]
    const { rows } = await sql<Machine & { readonly ended_at: number }>`
      select m.*, t.expires_at as ended_at from terms t join machines m on m.term_id = t.id
      where t.state = 'expired' and t.product = 'cloud_servers' and m.activated_at is not null
        and t.expires_at > ${from} and t.expires_at <= ${until}`.execute(tx)
    for (const machine of rows) await tellLastDay(tx, machine, machine.ended_at, now)
  })

export const warnOfDestructionJob: Job<{ readonly db: Db }> = {
  name: 'warn of destruction',
  everySeconds: 600,
  run: ({ db }, now) => warnOfDestruction(db, now),
}
