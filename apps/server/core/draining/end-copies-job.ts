import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/client.ts'
import { resolvedAccesses } from '../custom-subscriptions/resolve-items.ts'
import { endCopies } from '../fleet/placements.ts'
import type { Bus } from '../kernel/bus.ts'
import type { Job, Progress } from '../kernel/jobs.ts'

/** Nodes carry accesses as they were until the customer's app has fetched what is now, or 7 days have passed. */

const pageSize = 200

/**
 * Whether an app got a later revision than the customer's keys had before the move. A custom subscription delivers the access only where one
 * of its items means it.
 */
const isFetched = sql<boolean>`not h.is_proxy and h.revisions is not null and exists (
  select from subscriptions s join subscription_fetches f on f.subscription_id = s.id
  where s.user_id = t.user_id and f.revision > coalesce((h.revisions ->> s.id::text)::bigint, 0)
    and (s.kind <> 'custom' or h.access_id in (${sql.raw(resolvedAccesses)})))`

interface Copy {
  readonly id: number
  readonly term_id: number
  readonly is_fetched: boolean
}

/** A page of all that are there, by number, whether they are fetched or not: each is asked about once a round. */
export const listCopies = async (db: Db, after: number): Promise<Copy[]> => {
  const { rows } = await sql<Copy>`
    select h.id, h.term_id, ${isFetched} as is_fetched
    from (select * from held_accesses where is_live and id > ${after}::bigint order by id limit ${pageSize}) h
    join terms t on t.id = h.term_id order by h.id`.execute(db)
  return rows
}

/** Those whose 7 days have passed. */
export const listOverdue = async (db: Db, now: number): Promise<{ readonly term_id: number }[]> => {
  const { rows } = await sql<{ term_id: number }>`
    select term_id from held_accesses where is_live and until <= ${now}::bigint
    order by until limit ${pageSize}`.execute(db)
  return rows
}

/** Of one term, of which there are few. */
export const findDue = async (tx: Db, termId: number, now: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select h.id from held_accesses h join terms t on t.id = h.term_id
    where h.is_live and h.term_id = ${termId}::bigint and (h.until <= ${now}::bigint or ${isFetched})
    order by h.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Found again under the lock of the term: it may have moved once more. */
const endOf = (db: Db, bus: Bus, termId: number, now: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    await sql`select from terms where id = ${termId}::bigint for update`.execute(tx)
    const due = await findDue(tx, termId, now)
    if (due.length > 0) await endCopies(tx, bus, due)
  })

export const endFetchedCopies = async (
  { db, bus }: { readonly db: Db; readonly bus: Bus },
  now: number,
  progress?: Progress,
): Promise<void> => {
  const endOfEach = async (copies: readonly { readonly term_id: number }[]): Promise<void> => {
    for (const termId of new Set(copies.map((copy) => copy.term_id))) {
      await endOf(db, bus, termId, now)
      progress?.()
    }
  }
  for (;;) {
    const overdue = await listOverdue(db, now)
    await endOfEach(overdue)
    if (overdue.length < pageSize) break
  }
  for (let after = 0; ; ) {
    const page = await listCopies(db, after)
    const fetched = page.filter((copy) => copy.is_fetched)
    await endOfEach(fetched)
    if (page.length < pageSize) return
    after = page.at(-1)?.id as number
  }
}

export const endCopiesJob: Job<{ readonly db: Db; readonly bus: Bus }> = {
  name: 'end copies that apps need no longer',
  everySeconds: 15,
  run: endFetchedCopies,
}
