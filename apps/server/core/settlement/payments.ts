import { shown } from '@sallyport/domain/money/money'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { takeDue } from '../kernel/due-rows.ts'
import { announcing } from '../kernel/outbox.ts'

/** Payments at providers, as they are kept here. */

/** By then whatever was paid with a link is in the provider's books. */
export const lookAfterEndSeconds = 60

const columns = [
  'id',
  'public_id',
  'order_id',
  'provider',
  'provider_payment_id',
  'method_key',
  'amount',
  'currency',
  'state',
  'link',
  'created_at',
  'expires_at',
  'checks',
] as const

export const findPayment = (db: Db, id: number) =>
  db.selectFrom('payments').select(columns).where('id', '=', id).executeTakeFirst()

export type PaymentRow = NonNullable<Awaited<ReturnType<typeof findPayment>>>

/** By our own id, or else by the provider's. */
export const findPaymentBy = (
  db: Db,
  provider: string,
  ids: { readonly paymentId: string | null; readonly providerPaymentId: string | null },
): Promise<PaymentRow | undefined> => {
  const payments = db.selectFrom('payments').select(columns).where('provider', '=', provider)
  return ids.paymentId === null
    ? payments.where('provider_payment_id', '=', ids.providerPaymentId ?? '').executeTakeFirst()
    : payments.where('public_id', '=', ids.paymentId).executeTakeFirst()
}

export interface PaymentChange {
  readonly provider_payment_id?: string | null
  readonly state?: PaymentRow['state']
  readonly link?: string
  readonly leased_until?: number | null
  readonly checks?: number
  readonly asked_at?: number
  readonly next_check_at?: number | null
}

export const updatePayment = async (tx: Db, id: number, change: PaymentChange): Promise<void> => {
  await tx.updateTable('payments').set(change).where('id', '=', id).execute()
}

/** Nothing will come of it, whoever says so and however often. The caller locks its order. */
export const cancelPayment = async (
  tx: Db,
  payment: Pick<PaymentRow, 'id' | 'amount' | 'currency'>,
  why: 'canceled' | 'refused',
  now: number,
): Promise<void> => {
  const told = announcing({
    type: 'payment.failed',
    subject: sql<string>`'order:' || payments.order_id`,
    data: sql`jsonb_build_object('payment_id', payments.public_id, 'order_id', payments.order_id,
      'user_id', (select o.user_id from orders o where o.id = payments.order_id), 'provider', payments.provider,
      'method', payments.method_key, 'amount', ${shown(payment.amount, payment.currency)}::numeric,
      'currency', payments.currency, 'reason', ${why}::text)`,
    now,
  })
  await tx
    .updateTable('payments')
    .set({ state: 'canceled', leased_until: null, next_check_at: null })
    .where('id', '=', payment.id)
    .where('state', 'in', ['creating', 'pending'])
    .returning(told.as('is_announced'))
    .execute()
}

/** A payment that was made and told of before its link was kept stays made. */
export const storeLink = async (
  db: Db,
  id: number,
  made: { readonly link: string; readonly providerPaymentId: string | null; readonly nextCheckAt: number },
): Promise<void> => {
  await db
    .updateTable('payments')
    .set((eb) => ({
      link: made.link,
      provider_payment_id: made.providerPaymentId,
      leased_until: null,
      state: sql<PaymentRow['state']>`case state when 'creating' then 'pending' else state end`,
      next_check_at: eb.fn.coalesce('next_check_at', eb.val(made.nextCheckAt)),
    }))
    .where('id', '=', id)
    .execute()
}

/** Whoever gets the payment may ask the provider for its link; the others wait for theirs. */
export const leaseCreation = (
  db: Db,
  id: number,
  at: { readonly now: number; readonly until: number },
): Promise<PaymentRow | undefined> =>
  db
    .updateTable('payments')
    .set({ leased_until: at.until })
    .where('id', '=', id)
    .where('state', '=', 'creating')
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', at.now)]))
    .returning(columns)
    .executeTakeFirst()

/** Unless somebody else has it by now. */
export const giveCreationBack = async (db: Db, id: number, until: number): Promise<void> => {
  await db
    .updateTable('payments')
    .set({ leased_until: null })
    .where('id', '=', id)
    .where('state', '=', 'creating')
    .where('leased_until', '=', until)
    .execute()
}

/** Longer than a round of either kind takes, with providers that hang. */
const lookLeaseSeconds = 300

/** Nobody asks its provider about it at the moment. */
const isFree = (now: number) => sql<boolean>`(leased_until is null or leased_until <= ${now})`

/** Payments that are due to be looked at, taken for a while so that other instances leave them alone. */
export const takePaymentsToCheck = (db: Db, now: number, limit: number): Promise<PaymentRow[]> =>
  takeDue(
    db,
    {
      table: 'payments',
      column: 'next_check_at',
      where: isFree(now),
      notes: sql`leased_until = ${now + lookLeaseSeconds}`,
      leaseSeconds: lookLeaseSeconds,
      limit,
      now,
    },
    columns,
  )

/** From one look to the next while somebody waits, the first after the payment was made. */
const shortestWaitSeconds = 10
const longestWaitSeconds = 60

/**
 * Notes that somebody waits for what was paid of an order, unless its provider is being asked or was asked a moment ago, or
 * it is being settled: who looks waits for nobody. Answers with the providers to ask.
 */
export const markAwaited = async (db: Db, orderId: number, now: number): Promise<string[]> => {
  const marked = await db
    .updateTable('payments')
    .set({ is_awaited: true, asked_at: now, asks: sql<number>`asks + 1` })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('payments')
        .select('id')
        .where('order_id', '=', orderId)
        .where('state', '=', 'pending')
        .where('is_awaited', '=', false)
        .where(isFree(now))
        .where(
          sql<boolean>`greatest(created_at, asked_at)
            + least(${longestWaitSeconds}::int, ${shortestWaitSeconds}::int << least(asks, 8)) <= ${now}`,
        )
        .forUpdate()
        .skipLocked(),
    )
    .returning('provider')
    .execute()
  return [...new Set(marked.map(({ provider }) => provider))]
}

/** Those that somebody waits for, taken as the others are. */
export const takeAwaited = async (
  db: Db,
  provider: string,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<PaymentRow[]> =>
  db
    .updateTable('payments')
    .set({ is_awaited: false, leased_until: now + lookLeaseSeconds })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('payments')
        .select('id')
        .where('provider', '=', provider)
        .where('is_awaited', '=', true)
        .where(isFree(now))
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(columns)
    .execute()
