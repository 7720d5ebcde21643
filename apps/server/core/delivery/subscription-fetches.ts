import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { Job } from '../kernel/jobs.ts'

/** When apps fetched last, and what came of it. Noted in memory and written together, so that a fetch costs no write. */

export interface SubscriptionFetch {
  readonly subscriptionId: number
  readonly at: number
  /** As it names itself. */
  readonly app: string
  /** Served, not modified, or why it was refused. */
  readonly outcome: string
  /** Of the answer, where the app has got all of it. */
  readonly revision: number | null
}

const later = (one: SubscriptionFetch, other: SubscriptionFetch): SubscriptionFetch => {
  const last = other.at >= one.at ? other : one
  const revisions = [one.revision, other.revision].filter((revision) => revision !== null)
  return { ...last, revision: revisions.length > 0 ? Math.max(...revisions) : null }
}

export class SubscriptionFetches {
  #noted = new Map<number, SubscriptionFetch>()

  readonly note = (fetch: SubscriptionFetch): void => {
    const before = this.#noted.get(fetch.subscriptionId)
    this.#noted.set(fetch.subscriptionId, before ? later(before, fetch) : fetch)
  }

  take(): SubscriptionFetch[] {
    const taken = [...this.#noted.values()]
    this.#noted = new Map()
    return taken
  }
}

/** Keys that are gone meanwhile are left out. By number, so that instances wait for each other in one order. */
const store = async (db: Db, fetches: readonly SubscriptionFetch[]): Promise<void> => {
  const column = <K extends keyof SubscriptionFetch>(name: K) => fetches.map((fetch) => fetch[name])
  await sql`
    insert into subscription_fetches as f (subscription_id, at, app, outcome, revision)
    select g.id, g.at, g.app, g.outcome, g.revision
    from unnest(${column('subscriptionId')}::bigint[], ${column('at')}::bigint[], ${column('app')}::text[],
      ${column('outcome')}::text[], ${column('revision')}::bigint[]) as g (id, at, app, outcome, revision)
    join subscriptions s on s.id = g.id order by g.id
    on conflict (subscription_id) do update set at = greatest(f.at, excluded.at),
      app = case when excluded.at >= f.at then excluded.app else f.app end,
      outcome = case when excluded.at >= f.at then excluded.outcome else f.outcome end,
      revision = greatest(f.revision, excluded.revision)`.execute(db)
}

const writtenAtOnce = 5000

/** What could not be written is written with the next. */
export const noteFetches = async (db: Db, fetches: SubscriptionFetches): Promise<void> => {
  const taken = fetches.take()
  for (let from = 0; from < taken.length; from += writtenAtOnce) {
    try {
      await store(db, taken.slice(from, from + writtenAtOnce))
    } catch (error) {
      for (const fetch of taken.slice(from)) fetches.note(fetch)
      throw error
    }
  }
}

export const noteFetchesJob: Job<{ readonly db: Db; readonly fetches: SubscriptionFetches }> = {
  name: 'note fetches',
  everySeconds: 60,
  run: ({ db, fetches }) => noteFetches(db, fetches),
}
