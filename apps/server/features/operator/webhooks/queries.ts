import type { EventType } from '@sallyport/contract/operator/webhooks/webhooks'
import { sql } from 'kysely'
import { allowLongStatements } from '../../../core/kernel/jobs.ts'
import { triedForSeconds } from '../../../core/webhooks/delivery-job.ts'
import { beginAnew } from '../../../core/webhooks/lines.ts'
import type { SignedEvent } from '../../../core/webhooks/signature.ts'
import type { Db } from '../../../db/client.ts'
import type { WebhookOutcome } from '../../../ports/webhooks.ts'

const columns = ['id', 'url', 'events', 'is_active', 'failing_since', 'version', 'created_at'] as const

export interface WebhookRow {
  readonly id: number
  readonly url: string
  readonly events: EventType[]
  readonly is_active: boolean
  readonly failing_since: number | null
  readonly version: number
  readonly created_at: number
}

export const listWebhooks = async (db: Db): Promise<WebhookRow[]> =>
  (await db.selectFrom('webhooks').select(columns).orderBy('id').execute()) as WebhookRow[]

/** Where to, and with which secret. */
export const findEndpoint = (db: Db, id: number) =>
  db.selectFrom('webhooks').select(['url', 'secret_sealed']).where('id', '=', id).executeTakeFirst()

export const lockWebhook = async (tx: Db, id: number): Promise<WebhookRow | undefined> =>
  (await tx.selectFrom('webhooks').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()) as
    | WebhookRow
    | undefined

/** Whoever makes one waits for whoever is making another; what is announced does not wait. */
export const countWebhooks = async (tx: Db): Promise<number> => {
  await sql`lock table webhooks in share row exclusive mode`.execute(tx)
  const { count } = await tx
    .selectFrom('webhooks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export interface Endpoint {
  readonly url: string
  readonly events: EventType[]
  readonly is_active: boolean
}

export const insertWebhook = async (
  tx: Db,
  endpoint: Endpoint & { readonly secret_sealed: Uint8Array; readonly created_at: number },
): Promise<WebhookRow> =>
  (await tx
    .insertInto('webhooks')
    .values(endpoint)
    .returning(columns)
    .executeTakeFirstOrThrow()) as WebhookRow

/** What waited while it was off for longer than anything is tried is not sent any more. That may be very much. */
const dropOld = async (tx: Db, id: number, now: number): Promise<void> => {
  await allowLongStatements(tx)
  await tx
    .updateTable('webhook_deliveries')
    .set({ next_try_at: null, last_error: 'the endpoint was switched off for too long' })
    .where('webhook_id', '=', id)
    .where('next_try_at', 'is not', null)
    .where('created_at', '<=', now - triedForSeconds)
    .execute()
}

/** The caller locks it. */
export const updateWebhook = async (
  tx: Db,
  before: WebhookRow,
  change: Partial<Endpoint>,
  now: number,
): Promise<WebhookRow> => {
  const isElsewhere = change.url !== undefined && change.url !== before.url
  const isBack = change.is_active === true && !before.is_active
  if (isBack) await dropOld(tx, before.id, now)
  if (isElsewhere || isBack) await beginAnew(tx, before.id, now)
  const after = await tx
    .updateTable('webhooks')
    .set({ url: before.url, events: before.events, is_active: before.is_active, ...change })
    .where('id', '=', before.id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return after as WebhookRow
}

/** What waits for it is never sent, and tidied away. */
export const deleteWebhook = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute()
}

/** A try that was asked for: it is listed with the others. */
export const noteTest = async (
  tx: Db,
  webhookId: number,
  event: SignedEvent,
  outcome: WebhookOutcome,
): Promise<void> => {
  const { id, type, subject, createdAt } = event
  const { status, error } = outcome
  await sql`
    with event as (
      insert into outbox (event_id, type, subject, data, created_at)
      values (${id}, ${type}, ${subject}, ${JSON.stringify(event.data)}::jsonb, ${createdAt}::bigint) returning id)
    insert into webhook_deliveries
      (webhook_id, outbox_id, subject, attempts, delivered_at, last_try_at, last_status, last_error, created_at)
    select ${webhookId}::bigint, event.id, ${subject}, 1, ${error === null ? createdAt : null}::bigint, ${createdAt}::bigint,
      ${status}::integer, ${error}::text, ${createdAt}::bigint
    from event`.execute(tx)
}

export interface DeliveryRow {
  readonly id: number
  readonly event_id: string
  readonly type: string
  readonly subject: string
  readonly state: 'waiting' | 'delivered' | 'failed'
  readonly attempts: number
  readonly last_status: number | null
  readonly last_error: string | null
  readonly next_try_at: number | null
  readonly delivered_at: number | null
  readonly created_at: number
}

export const listDeliveries = async (
  db: Db,
  webhookId: number,
  page: { readonly limit: number; readonly before: number | undefined },
): Promise<DeliveryRow[]> => {
  const { rows } = await sql<DeliveryRow>`
    select d.id, o.event_id, o.type, o.subject, case when d.delivered_at is not null then 'delivered'
        when d.next_try_at is null then 'failed' else 'waiting' end as state,
      d.attempts, d.last_status, d.last_error, d.next_try_at, d.delivered_at, d.created_at
    from webhook_deliveries d join outbox o on o.id = d.outbox_id
    where d.webhook_id = ${webhookId}::bigint ${page.before === undefined ? sql`` : sql`and d.id < ${page.before}::bigint`}
    order by d.id desc limit ${page.limit}`.execute(db)
  return rows
}
