import { type Db, prepared } from '../../db/client.ts'

export interface OrderRow {
  readonly id: number
  readonly product: string
  readonly state: string
  readonly price: number
  readonly currency: string
  readonly days: number
  readonly is_renewal: boolean
  readonly as_key: boolean
  /** Of an automatic renewal. */
  readonly period_end: number | null
  readonly is_gift: boolean
  /** Null when it was paid with a promocode, or given. */
  readonly method: string | null
  readonly created_at: number
}

/** Of an order `o` and the method `m` that it may have. */
export const orderColumns = `o.id, o.product, o.state, o.price, o.currency, o.days, o.is_renewal, o.as_key, o.period_end,
  o.created_at, o.is_gift, case when o.promocode_id is null then lower(m.key) end as method`

/** Newest first, in one round trip. */
const ordersOf = prepared<[userId: number, limit: number, offset: number], OrderRow>(
  `select ${orderColumns}
   from orders o left join payment_methods m on m.id = o.payment_method_id
   where o.user_id = $1 order by o.id desc limit $2 offset $3`,
)

export const listOrders = (
  db: Db,
  userId: number,
  page: { readonly limit: number; readonly offset: number },
): Promise<OrderRow[]> => ordersOf(db, userId, page.limit, page.offset)
