import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../db/client.ts'
import { resolvedAccesses } from '../custom-subscriptions/resolve-items.ts'
import { endCopies } from '../fleet/placements.ts'
import type { Bus } from '../kernel/bus.ts'
import type { Job, Progress } from '../kernel/jobs.ts'

/** Nodes carry accesses as they were until the customer's app has fetched what is now, or 7 days have passed. */

const pageSize = 500

/**
 * Whether an app got a later revision than the customer's keys had before the move. A custom subscription delivers the access only where one
 * of its items means it.
 */
const isFetched = sql`not h.is_proxy and h.revisions is not null and exists (
  select from subscriptions s join subscription_fetches f on f.subscription_id = s.id
  where s.user_id = t.user_id and f.revision > coalesce((h.revisions ->> s.id::text)::bigint, 0)
    and (s.kind <> 'custom' or h.access_id in (${sql.raw(resolvedAccesses)})))`

interface Due {
  readonly id: number
  readonly term_id: number
}

const findDue = async (db: Db, which: RawBuilder<unknown>, now: number): Promise<Due[]> => {
  const { rows } = await sql<Due>`
    select h.id, h.term_id from held_accesses h join terms t on t.id = h.term_id
    where h.is_live and (h.until <= ${now}::bigint or ${isFetched}) and ${which}
    order by h.term_id, h.id limit ${pageSize}`.execute(db)
  return rows
}

/** Found again under the lock of the term: it may have moved once more. */
const endOf = (db: Db, bus: Bus, termId: number, now: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    await sql`select from terms where id = ${termId}::bigint for update`.execute(tx)
    const due = await findDue(tx, sql`h.term_id = ${termId}::bigint`, now)
    if (due.length > 0) {
      await endCopies(
        tx,
        bus,
        due.map(({ id }) => id),
      )
    }
  })

export const endFetchedCopies = async (
  { db, bus }: { readonly db: Db; readonly bus: Bus },
  now: number,
  progress?: Progress,
): Promise<void> => {
  for (let after = 0; ; ) {
    const due = await findDue(db, sql`h.term_id > ${after}::bigint`, now)
    const terms = new Set(due.map((row) => row.term_id))
    for (const termId of terms) {
      await endOf(db, bus, termId, now)
      progress?.()
    }
    if (due.length < pageSize) return
    after = due.at(-1)?.term_id as number
  }
}

export const endCopiesJob: Job<{ readonly db: Db; readonly bus: Bus }> = {
  name: 'end copies that apps need no longer',
  everySeconds: 15,
  run: endFetchedCopies,
}
