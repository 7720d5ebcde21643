import { type RawBuilder, sql } from 'kysely'
import { methodOf } from '../../../core/sales/orders.ts'
import type { Db } from '../../../db/client.ts'

/** Orders as the operator sees them: each with its latest payment. */

export interface OrderRow {
  readonly id: number
  readonly user_id: number
  readonly email: string | null
  readonly product: string
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
  readonly provider?: string | undefined
}

const orders = sql`
  select o.id, o.user_id, u.email, o.product, o.item_id, o.state, o.is_renewal, o.as_key, o.days,
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

const all = (conditions: readonly RawBuilder<unknown>[]) =>
  conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)

/** Newest first; `ids`, when given, are the only ones looked at. */
export const listOrders = async (
  db: Db,
  filter: OrderFilter,
  ids?: readonly number[],
): Promise<OrderRow[]> => {
  const { before, userId, state, provider } = filter
  const conditions = [
    ids !== undefined && sql`o.id = any(${ids}::bigint[])`,
    before !== undefined && sql`o.id < ${before}::bigint`,
    userId !== undefined && sql`o.user_id = ${userId}::bigint`,
    state !== undefined && sql`o.state = ${state}`,
    // Said twice: without the second a rare provider would be looked for through every order there is.
    provider !== undefined &&
      sql`p.provider = ${provider} and o.id in (select order_id from payments where provider = ${provider})`,
  ].filter((condition) => condition !== false)
  const { rows } = await sql<OrderRow>`
    ${orders} where ${all(conditions)} order by o.id desc limit ${filter.limit}`.execute(db)
  return rows
}

/** The service's books have an account for every provider there ever was, also for one not configured now. */
const everyProvider = sql`select distinct provider from ledger_accounts where user_id is null and kind = 'provider'`

/** Orders that carry this number or name, each found by an index. */
export const findOrderIds = async (
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

export const listReceipts = (db: Db, orderId: number) =>
  db
    .selectFrom('receipts')
    .select(['id', 'receipt_id', 'amount', 'currency', 'value_rub', 'verdict', 'created_at'])
    .where('order_id', '=', orderId)
    .orderBy('id')
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

export interface TransferAccount {
  readonly kind: string
  readonly user_id: number | null
  readonly provider: string | null
  readonly currency: string
}

export interface TransferRow {
  readonly id: number
  readonly kind: string
  readonly amount: number
  readonly created_at: number
  readonly from: TransferAccount
  readonly to: TransferAccount
}

export const listTransfers = async (db: Db, orderId: number): Promise<TransferRow[]> => {
  const { rows } = await sql<TransferRow>`
    select t.id, t.kind, t.amount, t.created_at,
      json_build_object('kind', f.kind, 'user_id', f.user_id, 'provider', f.provider, 'currency', f.currency) as "from",
      json_build_object('kind', g.kind, 'user_id', g.user_id, 'provider', g.provider, 'currency', g.currency) as "to"
    from ledger_transfers t
    join ledger_accounts f on f.id = t.from_account_id
    join ledger_accounts g on g.id = t.to_account_id
    where t.order_id = ${orderId}::bigint order by t.id`.execute(db)
  return rows
}
