import type { OrderedProduct, ProductClass } from '@sallyport/contract/products'
import { moveOrder, type OrderState } from '@sallyport/domain/lifecycle/order'
import { wholeCurrencies } from '@sallyport/domain/money/money'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { livingUser, refuseDeleted } from '../accounts/users.ts'
import { takeDue } from '../kernel/due-rows.ts'
import { announcing } from '../kernel/outbox.ts'
import type { PaidOrder } from './products.ts'

/** Orders as they are kept; every change of state goes through the transition table. */

export interface NewOrder {
  readonly userId: number
  readonly product: OrderedProduct
  readonly productId: number | null
  readonly state: 'created' | 'paid'
  /** Null when it is paid with a promocode, or given. */
  readonly paymentMethodId: number | null
  readonly promocodeId?: number
  readonly isGift?: boolean
  readonly tariffId: number | null
  readonly days: number
  readonly price: number
  readonly currency: string
  readonly valueRub: number
  /** Every step from list price to charge, so that a price can be explained years later. */
  readonly priceSteps: object
  readonly purchase: object
  readonly itemId: number | null
  readonly isRenewal: boolean
  readonly asKey: boolean
  readonly periodEnd?: number
  readonly expiresAt?: number
  readonly now: number
}

/** How an order `o` was paid, beside the method `m` that it may have; codes and gifts have none. */
export const methodOf = sql<string>`coalesce(m.key, case when o.is_gift then 'gift' else 'promocode' end)`

/** As the API shows it. */
const shownPrice = sql`trim_scale(orders.price::numeric
  / case when orders.currency = any(${wholeCurrencies}::text[]) then 1 else 100 end)`

/** Told of with the statement that makes it so. */
const told = (state: OrderState, now: number) => {
  if (state !== 'paid' && state !== 'refunded') return sql<boolean>`false`
  const data = sql`jsonb_build_object('order_id', orders.id, 'user_id', orders.user_id, 'product', orders.product,
    'product_id', orders.product_id, 'item_id', orders.item_id, 'days', orders.days, 'is_renewal', orders.is_renewal,
    'as_key', orders.as_key, 'is_gift', orders.is_gift, 'price', ${shownPrice}, 'currency', orders.currency, 'value_rub', orders.value_rub,
    'payment_method_id', orders.payment_method_id, 'paid_at', orders.paid_at, 'refunded_at', orders.refunded_at,
    'refunded_to', orders.refunded_to)`
  return announcing({ type: `order.${state}`, subject: sql<string>`'order:' || orders.id`, data, now })
}

/** Throws when the account was deleted meanwhile. */
export const insertOrder = async (tx: Db, order: NewOrder): Promise<number> => {
  const { id } = await tx
    .insertInto('orders')
    .values({
      user_id: livingUser(order.userId),
      product: order.product,
      product_id: order.productId,
      state: order.state,
      payment_method_id: order.paymentMethodId,
      promocode_id: order.promocodeId ?? null,
      is_gift: order.isGift ?? false,
      tariff_id: order.tariffId,
      days: order.days,
      price: order.price,
      currency: order.currency,
      value_rub: order.valueRub,
      price_steps: JSON.stringify(order.priceSteps),
      purchase: JSON.stringify(order.purchase),
      item_id: order.itemId,
      is_renewal: order.isRenewal,
      as_key: order.asKey,
      period_end: order.periodEnd ?? null,
      created_at: order.now,
      expires_at: order.expiresAt ?? null,
      paid_at: order.state === 'paid' ? order.now : null,
    })
    .returning(['id', told(order.state, order.now).as('is_announced')])
    .executeTakeFirstOrThrow()
    .catch(refuseDeleted)
  return id
}

export interface Order extends PaidOrder {
  readonly state: OrderState
  readonly paymentMethodId: number | null
  readonly promocodeId: number | null
  /** Given without payment. */
  readonly isGift: boolean
}

export interface LockedOrder extends Order {
  /** Nothing is given to an account that is gone. */
  readonly isOfDeleted: boolean
}

const lockedColumns = [
  'id',
  'user_id',
  'product',
  'product_id',
  'state',
  'days',
  'purchase',
  'item_id',
  'is_renewal',
  'as_key',
  'price',
  'currency',
  'value_rub',
  'paid_at',
  'payment_method_id',
  'promocode_id',
  'is_gift',
] as const

const orderById = (db: Db, id: number) => db.selectFrom('orders').select(lockedColumns).where('id', '=', id)

type OrderRow = NonNullable<Awaited<ReturnType<ReturnType<typeof orderById>['executeTakeFirst']>>>

const toOrder = (row: OrderRow): Order => ({
  id: row.id,
  userId: row.user_id,
  product: row.product,
  productId: row.product_id,
  state: row.state as OrderState,
  days: row.days,
  purchase: row.purchase,
  itemId: row.item_id,
  isRenewal: row.is_renewal,
  asKey: row.as_key,
  price: row.price,
  currency: row.currency,
  valueRub: row.value_rub,
  paidAt: row.paid_at ?? 0,
  paymentMethodId: row.payment_method_id,
  promocodeId: row.promocode_id,
  isGift: row.is_gift,
})

/** An order as it is now, locked by nobody. */
export const findOrder = async (db: Db, id: number): Promise<Order | undefined> => {
  const row = await orderById(db, id).executeTakeFirst()
  return row && toOrder(row)
}

/**
 * Holds whoever pays for the order, and with them whoever brought them: a payment earns for that one, and several accounts
 * are always locked in one order. Returns whether the one who pays is deleted.
 */
const lockPayer = async (tx: Db, orderId: number): Promise<boolean> => {
  const { rows } = await sql<{ is_payer: boolean; deleted_at: number | null }>`
    select u.id = o.user_id as is_payer, u.deleted_at
    from orders o join users p on p.id = o.user_id join users u on u.id = any(array[p.id, p.referrer_id])
    where o.id = ${orderId}::bigint order by u.id for share of u`.execute(tx)
  return rows.some((row) => row.is_payer && row.deleted_at !== null)
}

/** An order locked until the transaction ends; before it its customer, who is neither deleted nor emptied meanwhile. */
export const lockOrder = async (tx: Db, id: number): Promise<LockedOrder | undefined> => {
  const isOfDeleted = await lockPayer(tx, id)
  const row = await orderById(tx, id).forUpdate().executeTakeFirst()
  return row && { ...toOrder(row), isOfDeleted }
}

interface OrderChange {
  readonly item_id?: number | null
  readonly paid_at?: number
  readonly next_try_at?: number | null
  readonly fulfilled_at?: number
  readonly refunded_at?: number
  readonly refunded_to?: 'balance' | 'source'
}

/** Moves an order that the caller has locked; a move the table does not know is a mistake of ours and throws. */
export const setOrderState = async (
  tx: Db,
  order: { readonly id: number; readonly state: OrderState },
  to: OrderState,
  change: OrderChange = {},
): Promise<void> => {
  await tx
    .updateTable('orders')
    .set({ state: moveOrder(order.state, to), ...change })
    .where('id', '=', order.id)
    .returning(told(to, change.refunded_at ?? change.paid_at ?? 0).as('is_announced'))
    .execute()
}

export const updateOrder = async (tx: Db, id: number, change: OrderChange): Promise<void> => {
  await tx.updateTable('orders').set(change).where('id', '=', id).execute()
}

export const countUnpaid = async (db: Db, userId: number): Promise<number> => {
  const { count } = await db
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('state', '=', 'created')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Nothing more is asked of this customer. */
export const cancelUnpaid = async (tx: Db, userId: number): Promise<void> => {
  await tx
    .updateTable('orders')
    .set({ state: moveOrder('created', 'cancelled') })
    .where('user_id', '=', userId)
    .where('state', '=', 'created')
    .execute()
}

/** Unpaid past their time; a payment that comes later still counts. */
export const expireOrders = async (db: Db, now: number): Promise<void> => {
  await db
    .updateTable('orders')
    .set({ state: moveOrder('created', 'expired') })
    .where('state', '=', 'created')
    .where('expires_at', '<=', now)
    .execute()
}

/** Paid orders whose grant is due, taken for a minute so that other instances leave them alone. */
export const takeOrdersToGrant = async (db: Db, now: number, limit: number): Promise<number[]> => {
  const due = { table: 'orders', column: 'next_try_at', where: sql`state = 'paid'` } as const
  const rows = await takeDue<{ id: number }>(db, { ...due, leaseSeconds: 60, limit, now }, ['id'])
  return rows.map((row) => row.id)
}

/** What was bought or prolonged, whoever paid for it. */
export interface OrderedItem {
  readonly product: ProductClass
  readonly itemId: number
}

const ordersOf = (db: Db, { product, itemId }: OrderedItem) =>
  db.selectFrom('orders').where('product', '=', product).where('item_id', '=', itemId)

/**
 * Two items became one: the orders of the first prolonged the second by what was left of it, and their refunds shorten it.
 * Where both were renewed at the end of the same second, that is kept of one only: an item is renewed once in a period.
 */
export const reassignOrders = async (
  tx: Db,
  {
    product,
    from,
    to,
    now,
  }: { readonly product: string; readonly from: number; readonly to: number; readonly now: number },
): Promise<void> => {
  await sql`
    update orders o set item_id = ${to}, is_renewal = true, merged_at = ${now},
      period_end = case when exists (select from orders t where t.product = o.product and t.item_id = ${to}
        and t.period_end = o.period_end) then null else o.period_end end
    where o.product = ${product} and o.item_id = ${from}`.execute(tx)
}

/** The tariff of the last order that an item was bought or renewed with. */
export const findLastTariff = async (db: Db, item: OrderedItem): Promise<number | undefined> => {
  const order = await ordersOf(db, item)
    .select('tariff_id')
    .where('tariff_id', 'is not', null)
    .where('state', 'in', ['fulfilled', 'refunded'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return order?.tariff_id ?? undefined
}

/** Every order that gave something to an item and was not given back, oldest first. */
export const listOrdersOf = async (db: Db, item: OrderedItem): Promise<number[]> => {
  const rows = await ordersOf(db, item).select('id').where('state', '=', 'fulfilled').orderBy('id').execute()
  return rows.map((row) => row.id)
}

/** What an item's orders gave and still give, without this one. */
export const listGrants = async (tx: Db, item: OrderedItem, exceptOrderId: number) => {
  const rows = await ordersOf(tx, item)
    .select(['fulfilled_at', 'days', 'merged_at'])
    .where('state', '=', 'fulfilled')
    .where('id', '<>', exceptOrderId)
    .orderBy('fulfilled_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ at: row.fulfilled_at as number, days: row.days, mergedAt: row.merged_at }))
}
