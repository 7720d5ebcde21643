import type { UserView } from '@sallyport/contract/operator/people/views'
import { secondsInDay } from '@sallyport/domain/time/period'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** Which customers `u` are in a view. What has not ended is live, also while it is switched off. */

const endingDays = 3
const payingDays = 30

const payingSince = (now: number): number => now - payingDays * secondsInDay

/** Whether there is such a row; `rows` selects true. */
export type Has = (rows: RawBuilder<unknown>) => RawBuilder<boolean>

/** What ends without auto-renewal until then is ending. */
export const endingUntil = (now: number): number => now + endingDays * secondsInDay

/** For a few customers: each is asked about alone, and no table is read as a whole. */
export const oneByOne: Has = (rows) => sql<boolean>`coalesce((${rows} limit 1), false)`

/** For all of them at once. */
export const together: Has = (rows) => sql<boolean>`exists (${rows})`

const live = (now: number) => sql`
  select true from terms t where t.user_id = u.id and t.state = 'active' and t.expires_at > ${now}::bigint`

const ever = sql`select true from terms t where t.user_id = u.id`

const device = sql`
  select true from subscriptions s join devices d on d.subscription_id = s.id where s.user_id = u.id`

const fetch = sql`
  select true from subscriptions s join subscription_fetches f on f.subscription_id = s.id where s.user_id = u.id`

const traffic = sql`
  select true from terms t join meters m on m.term_id = t.id where t.user_id = u.id and (m.up > 0 or m.down > 0)`

const outsideMoney = (since: number) => sql`
  select true from orders o join receipts r on r.order_id = o.id
  where o.user_id = u.id and r.created_at > ${since}::bigint and r.verdict <> 'suspense'`

/** All of them, by the index of what was received lately. What is credited later than it came is there by the later time. */
const whoPaid = (since: number) => sql`
  select o.user_id from receipts r join orders o on o.id = r.order_id
  where coalesce(r.credited_at, r.created_at) > ${since}::bigint and r.created_at > ${since}::bigint
    and r.verdict <> 'suspense'`

/** Those who paid from outside lately, each as often as they did; no more than so many. */
export const listPaid = async (db: Db, now: number, limit: number): Promise<number[]> => {
  const { rows } = await sql<{ user_id: number }>`${whoPaid(payingSince(now))} limit ${limit}`.execute(db)
  return rows.map((row) => row.user_id)
}

type Rule = (has: Has, now: number) => RawBuilder<unknown>

const rules: Readonly<Record<UserView, Rule>> = {
  active: (has, now) => has(live(now)),
  ending: (has, now) =>
    has(sql`${live(now)} and not t.auto_renewal and t.expires_at <= ${endingUntil(now)}::bigint`),
  ended: (has, now) => sql`${has(ever)} and not ${has(live(now))}`,
  never_connected: (has, now) =>
    sql`${has(live(now))} and not ${has(device)} and not ${has(fetch)} and not ${has(traffic)}`,
  blocked: () => sql`u.is_blocked`,
  paying: (has, now) => {
    const since = payingSince(now)
    return has === together ? sql`u.id in (${whoPaid(since)})` : has(outsideMoney(since))
  },
}

/** Whoever is gone is in none. */
export const isInView = (view: UserView, has: Has, now: number): RawBuilder<unknown> =>
  sql`u.deleted_at is null and ${rules[view](has, now)}`
