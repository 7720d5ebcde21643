import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** What waits for each endpoint: of every subject one at a time, the oldest first. */

/** Longer than one try takes: until then nobody else tries. */
const leaseSeconds = 60

/** Due deliveries, as `d`, that nobody stands before in the line of their subject. */
const isDueHead = (now: number) => sql`d.next_try_at <= ${now}::bigint
  and not exists (select from webhook_deliveries b where b.webhook_id = d.webhook_id
    and b.subject = d.subject and b.next_try_at is not null and b.id < d.id)`

/** Endpoints for which something is due, but those named. */
export const findDueWebhooks = async (db: Db, now: number, except: readonly number[]): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select w.id from webhooks w cross join lateral (
      select from webhook_deliveries d where d.webhook_id = w.id and ${isDueHead(now)}
      order by d.next_try_at limit 1) due
    where w.is_active and w.id <> all(${except}::bigint[])
    order by w.id`.execute(db)
  return rows.map((row) => row.id)
}

export interface DueDelivery {
  readonly id: number
  readonly webhook_id: number
  readonly attempts: number
  readonly event_id: string
  readonly type: string
  readonly subject: string
  readonly data: unknown
  readonly created_at: number
  readonly url: string
  readonly secret_sealed: Uint8Array
}

/**
 * Takes the heads of lines, for as long as the lease: who dies meanwhile leaves them to others. Whoever is behind one that
 * is not over waits, whichever instance has that one.
 */
export const takeHeads = async (
  db: Db,
  webhookId: number,
  limit: number,
  now: number,
): Promise<DueDelivery[]> => {
  const { rows } = await sql<DueDelivery>`
    with taken as (
      update webhook_deliveries set next_try_at = ${now + leaseSeconds}::bigint, attempts = attempts + 1,
        last_try_at = ${now}::bigint
      where id in (
        select d.id from webhook_deliveries d
        where d.webhook_id = ${webhookId}::bigint and ${isDueHead(now)}
        order by d.next_try_at, d.id limit ${limit} for update skip locked)
      returning id, webhook_id, outbox_id, attempts)
    select t.id, t.webhook_id, t.attempts, o.event_id, o.type, o.subject, o.data, o.created_at, w.url, w.secret_sealed
    from taken t join outbox o on o.id = t.outbox_id join webhooks w on w.id = t.webhook_id and w.is_active
    order by t.id`.execute(db)
  return rows
}

type Tried = Pick<DueDelivery, 'id' | 'attempts' | 'webhook_id'>

interface Outcome {
  readonly delivered_at?: number
  readonly next_try_at: number | null
  readonly last_status: number | null
  readonly last_error: string | null
}

/** Unless somebody else has taken it since. */
export const noteOutcome = async (db: Db, tried: Tried, outcome: Outcome): Promise<void> => {
  await db
    .updateTable('webhook_deliveries')
    .set(outcome)
    .where('id', '=', tried.id)
    .where('attempts', '=', tried.attempts)
    .where('next_try_at', 'is not', null)
    .execute()
}

/** It was broken off by ourselves, and counts for nothing. */
export const putBack = async (db: Db, tried: Tried, now: number): Promise<void> => {
  await db
    .updateTable('webhook_deliveries')
    .set({ next_try_at: now, attempts: tried.attempts - 1 })
    .where('id', '=', tried.id)
    .where('attempts', '=', tried.attempts)
    .where('next_try_at', 'is not', null)
    .execute()
}

/** So many failures in a row are the endpoint's own, and not one event's that it does not like. */
const outageFailures = 3
/** So many are woken by one statement. */
const wokenAtOnce = 1000

/**
 * What waits is sent at once when an endpoint is back, or elsewhere: the next some of it. True when more may be left. One that is
 * being tried has another's lease.
 */
const wakeSome = async (db: Db, webhookId: number, now: number): Promise<boolean> => {
  const { rows } = await sql`
    update webhook_deliveries set next_try_at = ${now}::bigint where id in (
      select d.id from webhook_deliveries d
      where d.webhook_id = ${webhookId}::bigint and d.next_try_at > ${now}::bigint and d.last_error is not null
        and d.next_try_at <> d.last_try_at + ${leaseSeconds}::bigint
      order by d.next_try_at limit ${wokenAtOnce} for update skip locked)
    returning id`.execute(db)
  return rows.length === wokenAtOnce
}

/** The caller locks it. What is left after the first some is woken as they arrive. */
export const beginAnew = async (tx: Db, webhookId: number, now: number): Promise<void> => {
  const failures = (await wakeSome(tx, webhookId, now)) ? outageFailures : 0
  await tx
    .updateTable('webhooks')
    .set({ failures, failing_since: null, gave_up_at: null })
    .where('id', '=', webhookId)
    .execute()
}

/** The outage is over when all that waited is woken: until then each success wakes some more. */
export const noteSuccess = async (db: Db, webhookId: number, now: number): Promise<void> => {
  const row = await db
    .selectFrom('webhooks')
    .select('failures')
    .where('id', '=', webhookId)
    .where('failures', '>', 0)
    .executeTakeFirst()
  if (!row) return
  const isMore = row.failures >= outageFailures && (await wakeSome(db, webhookId, now))
  await db
    .updateTable('webhooks')
    .set({ failing_since: null, ...(!isMore && { failures: 0 }) })
    .where('id', '=', webhookId)
    .execute()
}

export const noteFailure = async (db: Db, webhookId: number, isOver: boolean, now: number): Promise<void> => {
  await sql`
    update webhooks set failures = least(failures + 1, 1000000), failing_since = coalesce(failing_since, ${now}::bigint),
      gave_up_at = ${isOver ? sql`${now}::bigint` : sql`gave_up_at`}
    where id = ${webhookId}::bigint`.execute(db)
}

const keptSeconds = 30 * 86_400

/** What was told long ago, and what was meant for endpoints that are gone. */
export const forgetEvents = async (tx: Db, now: number): Promise<void> => {
  await tx
    .deleteFrom('outbox')
    .where('created_at', '<=', now - keptSeconds)
    .execute()
  // From one endpoint to the next by the index: there are few of them, and many deliveries.
  const { rows: gone } = await sql<{ id: number }>`
    with recursive told (id) as (
      select min(webhook_id) from webhook_deliveries
      union all
      select (select min(d.webhook_id) from webhook_deliveries d where d.webhook_id > told.id)
      from told where told.id is not null)
    select id from told where id is not null and not exists (select from webhooks w where w.id = told.id)`.execute(
    tx,
  )
  for (const { id } of gone) await tx.deleteFrom('webhook_deliveries').where('webhook_id', '=', id).execute()
}
