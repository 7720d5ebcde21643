import { ApiError, badRequest } from '@sallyport/contract/errors'
import { isKnownRule, pricingRules } from '@sallyport/contract/product-types'
import type { ProductClass } from '@sallyport/contract/products'
import { toRoubles } from '@sallyport/domain/money/exchange'
import { type PriceSteps, priceFor, type Rule } from '@sallyport/domain/money/pricing'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { PaymentProvider } from '../../ports/payments.ts'
import type { Sold } from './products.ts'

export const findPricingRules = async (db: Db, userId: number): Promise<Rule[]> => {
  const rows = await db
    .selectFrom('pricing_rules')
    .select(['id', 'type', 'product_id', 'percent'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  // One for what another release sells is left to that release.
  return rows.filter(isKnownRule).map((row) => {
    const { product, isOne } = pricingRules[row.type]
    return { id: row.id, product, isOne, productId: row.product_id, percent: row.percent }
  })
}

/** Who asks for prices, when, and who could take the money. */
export interface Buyer {
  readonly userId: number
  readonly now: number
  readonly providers: ReadonlyMap<string, PaymentProvider>
}

/** Paid inside the service, without a provider. */
export type InnerMethod = 'balance' | 'referral'

export const isInner = (methodKey: string): methodKey is InnerMethod =>
  methodKey === 'balance' || methodKey === 'referral'

export interface UsableMethod {
  readonly method_id: number
  readonly method_key: string
  readonly provider: string | null
  readonly name_ru: string
  readonly name_en: string
  readonly currency: string
  readonly min_amount: number
  /** Millionths of a rouble for one unit of the currency. */
  readonly micro_rub: number
}

export interface ListedPrice extends UsableMethod {
  readonly product: ProductClass
  readonly product_id: number | null
  readonly tariff_id: number
  readonly days: number
  readonly price: number
  readonly old_price: number | null
}

/**
 * Methods that can be paid with now: switched on, with a configured provider and a fresh rate. Referral earnings are
 * offered to those who have some.
 */
const usable = (buyer: Buyer) => sql`
  m.is_active
  and (m.key = 'balance' or m.provider = any(${[...buyer.providers.keys()]})
    or (m.key = 'referral' and exists (select from ledger_accounts a
      where a.user_id = ${buyer.userId} and a.kind = 'referral' and a.balance > 0)))
  and (m.currency = 'RUB' or r.valid_until is null and r.micro_rub is not null or r.valid_until > ${buyer.now})`

const methodColumns = sql`
  m.id as method_id, m.key as method_key, m.provider, m.name_ru, m.name_en, m.currency, m.min_amount,
  coalesce(r.micro_rub, 1000000) as micro_rub`

export const listMethods = async (db: Db, buyer: Buyer): Promise<UsableMethod[]> => {
  const { rows } = await sql<UsableMethod>`
    select ${methodColumns} from payment_methods m left join rates r on r.currency = m.currency
    where ${usable(buyer)} order by m.id`.execute(db)
  return rows
}

/** What was bought or renewed before, or is being bought by an order that is there already. */
interface Bought {
  readonly itemId?: number | null
  readonly orderId?: number
}

/** A length that is no longer sold stays for what was bought with it. */
const isFor = (product: ProductClass, { itemId, orderId }: Bought) => {
  if (orderId !== undefined) {
    return sql`(t.is_sold or t.id = (select o.tariff_id from orders o where o.id = ${orderId}::bigint))`
  }
  if (itemId === undefined || itemId === null) return sql`t.is_sold`
  return sql`(t.is_sold or exists (select from orders o where o.product = ${product} and o.item_id = ${itemId}::bigint
    and o.tariff_id = t.id and o.state in ('fulfilled', 'refunded')))`
}

/** Every price of a product, or of all of its class, that this customer could pay now, ordered by method and length. */
export const listPrices = async (
  db: Db,
  buyer: Buyer,
  sold: (Sold | Pick<Sold, 'product'>) & Bought,
): Promise<ListedPrice[]> => {
  const isSold =
    'productId' in sold ? sql`t.product_id is not distinct from ${sold.productId}::bigint` : sql`true`
  const { rows } = await sql<ListedPrice>`
    select ${methodColumns}, t.product, t.product_id, t.id as tariff_id, t.days, p.price, p.old_price
    from tariff_prices p
    join tariffs t on t.id = p.tariff_id and t.product = ${sold.product} and ${isSold} and ${isFor(sold.product, sold)}
    join payment_methods m on m.id = p.payment_method_id
    left join rates r on r.currency = m.currency
    where ${usable(buyer)} order by m.id, t.days`.execute(db)
  return rows
}

/** Which product of its class a tariff is for; undefined of one that is not known or not of the class. */
export const findTariffProduct = async (
  db: Db,
  product: ProductClass,
  tariffId: number,
): Promise<number | undefined> => {
  const row = await db
    .selectFrom('tariffs')
    .select('product_id')
    .where('id', '=', tariffId)
    .where('product', '=', product)
    .executeTakeFirst()
  return row?.product_id ?? undefined
}

/** The key of a method, on sale or not; promocode for what was paid with one. A gift was not paid at all. */
export const findMethodKey = async (db: Db, id: number | null): Promise<string> => {
  if (id === null) return 'promocode'
  const row = await db
    .selectFrom('payment_methods')
    .select('key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.key
}

/** Lengths that can be bought from the balance, shortest first. */
export const listTariffDays = async (db: Db, sold: Sold & Bought): Promise<number[]> => {
  const rows = await db
    .selectFrom('tariffs as t')
    .innerJoin('tariff_prices as p', 'p.tariff_id', 't.id')
    .innerJoin('payment_methods as m', 'm.id', 'p.payment_method_id')
    .select('t.days')
    .distinct()
    .where('t.product', '=', sold.product)
    .where('t.product_id', 'is not distinct from', sold.productId)
    .where(sql<boolean>`${isFor(sold.product, sold)}`)
    .where('m.key', '=', 'balance')
    .orderBy('t.days')
    .execute()
  return rows.map((row) => row.days)
}

/** A rule for one product names it by its id; a class with a single product has its tariffs to be named. */
export const priceOf = (listed: ListedPrice, rules: readonly Rule[]): PriceSteps => {
  const priced = { product: listed.product, productId: listed.product_id ?? listed.tariff_id }
  return priceFor(listed.price, rules, priced, listed.min_amount)
}

export interface Quote {
  readonly method: UsableMethod
  readonly tariffId: number
  readonly days: number
  readonly price: PriceSteps
  readonly valueRub: number
}

const quoted = (listed: ListedPrice, rules: readonly Rule[]): Quote => {
  const price = priceOf(listed, rules)
  const valueRub = toRoubles(price.charged, listed.currency, listed.micro_rub)
  return { method: listed, tariffId: listed.tariff_id, days: listed.days, price, valueRub }
}

/** The price that will be charged, from the same list and rules that were shown. */
export const quote = async (
  tx: Db,
  buyer: Buyer,
  sold: Sold & Bought,
  wanted: { readonly paymentMethodId: number; readonly tariffId: number },
): Promise<Quote> => {
  const [prices, rules] = [await listPrices(tx, buyer, sold), await findPricingRules(tx, buyer.userId)]
  const ofMethod = prices.filter((price) => price.method_id === wanted.paymentMethodId)
  if (ofMethod.length === 0) throw new ApiError('PAYMENT_METHOD_UNAVAILABLE')
  const listed = ofMethod.find((price) => price.tariff_id === wanted.tariffId)
  if (!listed)
    throw badRequest('tariff_id', 'is not a tariff of this payment method; see the list of tariffs')
  return quoted(listed, rules)
}

/** What renewing for so many days costs from the balance today; undefined when no tariff has that length. */
export const quoteFromBalance = async (
  tx: Db,
  buyer: Buyer,
  sold: Sold & Bought,
  days: number,
): Promise<Quote | undefined> => {
  const prices = await listPrices(tx, buyer, sold)
  const listed = prices.find((price) => price.method_key === 'balance' && price.days === days)
  return listed && quoted(listed, await findPricingRules(tx, buyer.userId))
}
