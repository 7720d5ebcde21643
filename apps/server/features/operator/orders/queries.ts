import type { OrderedProduct } from '@sallyport/contract/products'
import { sql } from 'kysely'
import { methodOf } from '../../../core/sales/orders.ts'
import type { Db } from '../../../db/client.ts'

/** Orders as the operator sees them: each with its latest payment. */

export interface OrderRow {
  readonly id: number
  readonly user_id: number
  readonly email: string | null
  readonly product: string
  readonly product_id: number | null
  readonly location_id: number | null
  readonly promocode_id: number | null
  readonly item_id: number | null
  readonly state: 'created' | 'paid' | 'fulfilled' | 'cancelled' | 'expired' | 'refunded'
  readonly is_renewal: boolean
  readonly as_key: boolean
  readonly days: number
  readonly is_gift: boolean
  readonly method: string
  readonly provider: string | null
  readonly payment_id: string | null
  readonly provider_payment_id: string | null
  readonly price: number
  readonly currency: string
  readonly value_rub: number | null
  readonly price_steps: Record<string, unknown>
  readonly created_at: number
  readonly paid_at: number | null
  readonly fulfilled_at: number | null
  readonly refunded_at: number | null
  readonly refunded_to: string | null
}

export interface OrderFilter {
  readonly limit: number
  readonly before?: number | undefined
  readonly userId?: number | undefined
  readonly state?: string | undefined
  readonly product?: OrderedProduct | undefined
  readonly provider?: string | undefined
}

const orders = sql`
  select o.id, o.user_id, u.email, o.product, o.product_id, o.location_id, o.promocode_id, o.item_id, o.state, o.is_renewal, o.as_key, o.days,
    o.is_gift, ${methodOf} as method, p.provider, p.public_id as payment_id, p.provider_payment_id,
    o.price, o.currency, o.value_rub, o.price_steps, o.created_at, o.paid_at, o.fulfilled_at, o.refunded_at,
    o.refunded_to
  from orders o
  join users u on u.id = o.user_id
  left join payment_methods m on m.id = o.payment_method_id
  left join lateral (
    select provider, public_id, provider_payment_id from payments
    where order_id = o.id order by id desc limit 1
  ) p on true`

/** Newest first. States are written out: the index of those that are not the usual one is found by them. */
const findOrderIds = async (db: Db, filter: OrderFilter, among?: readonly number[]): Promise<number[]> => {
  const { before, userId, state, product, provider } = filter
  const latest = sql`(select p.provider from payments p where p.order_id = o.id order by p.id desc limit 1)`
  const conditions = [
    among !== undefined && sql`o.id = any(${among}::bigint[])`,
    before !== undefined && sql`o.id < ${before}::bigint`,
    userId !== undefined && sql`o.user_id = ${userId}::bigint`,
    state !== undefined && sql`o.state = ${sql.lit(state)}`,
    product !== undefined && sql`o.product = ${product}`,
    // Said twice: without the second a rare provider would be looked for through every order there is.
    provider !== undefined &&
      sql`${latest} = ${provider} and o.id in (select order_id from payments where provider = ${provider})`,
  ].filter((condition) => condition !== false)
  const where = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
  const { rows } = await sql<{ id: number }>`
    select o.id from orders o where ${where} order by o.id desc limit ${filter.limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Newest first; `among`, when given, are the only ones looked at. The caller sees one moment throughout. */
export const listOrders = async (
  db: Db,
  filter: OrderFilter,
  among?: readonly number[],
): Promise<OrderRow[]> => {
  const ids = await findOrderIds(db, filter, among)
  const { rows } = await sql<OrderRow>`
    ${orders} where o.id = any(${ids}::bigint[]) order by o.id desc`.execute(db)
  return rows
}

/** The service's books have an account for every provider there ever was, also for one not configured now. */
const everyProvider = sql`select distinct provider from ledger_accounts where user_id is null and kind = 'provider'`

/** Orders that carry this number or name, each found by an index. */
export const searchOrders = async (
  db: Db,
  search: string,
  orderId: number | undefined,
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select id from orders where id = ${orderId ?? null}::bigint
    union
    select order_id from payments where public_id = ${search}
    union
    select order_id from payments where provider in (${everyProvider}) and provider_payment_id = ${search}
    union
    select order_id from receipts where provider in (${everyProvider}) and receipt_id = ${search}
    union
    select o.id from users u join orders o on o.user_id = u.id where u.email = ${search.toLowerCase()}`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

export const findOrder = async (db: Db, id: number): Promise<OrderRow | undefined> =>
  (await listOrders(db, { limit: 1 }, [id]))[0]

export const listPayments = (db: Db, orderId: number) =>
  db
    .selectFrom('payments')
    .select(['id', 'public_id as payment_id', 'provider', 'provider_payment_id', 'method_key as method'])
    .select(['amount', 'currency', 'state', 'created_at', 'expires_at'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()

export const listReceipts = (db: Db, orderId: number) =>
  db
    .selectFrom('receipts')
    .select(['id', 'receipt_id', 'payment_id', 'provider', 'amount', 'currency', 'value_rub', 'verdict'])
    .select(['created_at', 'credited_at'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()

export const listEvents = (db: Db, orderId: number) =>
  db
    .selectFrom('payments as p')
    .innerJoin('payment_events as s', 's.payment_id', 'p.id')
    .innerJoin('webhook_inbox as e', 'e.id', 's.event_id')
    .select(['e.id', 'e.provider', 'e.event_id', 'e.received_at', 'e.processed_at', 'e.failure'])
    .select('e.payload_sealed')
    .distinctOn('e.id')
    .where('p.order_id', '=', orderId)
    .orderBy('e.id')
    .execute()

export const listRefunds = (db: Db, orderId: number) =>
  db
    .selectFrom('refunds')
    .select([
      'id',
      'destination',
      'amount',
      'currency',
      'reason',
      'state',
      'failure',
      'created_at',
      'done_at',
    ])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
