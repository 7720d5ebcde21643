import { pricingRules } from '@sallyport/contract/product-types'
import { priceFor, type Rule } from '@sallyport/domain/money/pricing'
import type { Intent, Journal, RuleEntry } from '../journal.ts'
import type { Books, OrderRow } from '../queries.ts'

/** What customers were told against what is there: all of it, once, at the price that was shown. */

const keyOf = (userId: number, at: number): string => `${userId}:${at}`

const kindOf = ({ product, is_renewal, as_key }: OrderRow): Intent['kind'] => {
  if (product === 'balance') return 'top-up'
  if (as_key) return 'key'
  if (product === 'paid_options') return 'option'
  if (product === 'cloud_servers') return is_renewal ? 'machine renewal' : 'machine'
  return is_renewal ? 'renewal' : 'config'
}

export type IntentOf = (order: OrderRow) => Intent | undefined

export const findIntents = ({ intents }: Journal): IntentOf => {
  const known = new Map(intents.map((intent) => [keyOf(intent.userId, intent.at), intent]))
  return (order) =>
    order.period_end === null ? known.get(keyOf(order.user_id, order.created_at)) : undefined
}

const difference = (order: OrderRow, intent: Intent, { promocodes }: Books): string | undefined => {
  if (kindOf(order) !== intent.kind) return `was a ${intent.kind}`
  if (order.product_id !== (intent.optionId ?? null)) return `was of product ${intent.optionId}`
  if (intent.days !== undefined && order.days !== intent.days) return `was for ${intent.days} days`
  const price = intent.quote.get(order.days)
  if (order.price !== price || order.currency !== intent.currency) return `was shown for ${price}`
  if (order.value_rub !== intent.worthOf(price))
    return `was worth ${intent.worthOf(price)}, not ${order.value_rub}`
  if (order.link !== (intent.link ?? null)) return `was to be paid at ${intent.link}`
  if (intent.configId !== undefined && order.item_id !== intent.configId) return `gave ${intent.configId}`
  const keys = promocodes.filter(({ order_id }) => order_id === order.id)
  if (keys.length !== (order.as_key && order.fulfilled_at !== null ? 1 : 0)) return `has ${keys.length} keys`
  if (intent.means === 'link') return order.public_id === null ? 'has no payment' : undefined
  return order.state === 'fulfilled' || order.state === 'refunded' ? undefined : `is only ${order.state}`
}

export const checkIntents = (journal: Journal, books: Books): string[] => {
  const intentOf = findIntents(journal)
  const met = new Set<Intent>()
  const merged = new Set(journal.merges.flatMap(({ orderIds }) => orderIds))
  const problems: string[] = []
  for (const order of books.orders) {
    if (order.period_end !== null || order.is_gift) continue
    const intent = intentOf(order)
    // Two that were renewed at the same second and became one keep that of one renewal only.
    if (!intent && merged.has(order.id)) continue
    if (!intent) problems.push(`order ${order.id} was never asked for`)
    else if (met.has(intent)) problems.push(`order ${order.id} was asked for once and is there twice`)
    else {
      met.add(intent)
      const wrong = difference(order, intent, books)
      if (wrong) problems.push(`order ${order.id} ${wrong}: ${JSON.stringify(order)}`)
    }
  }
  const lost = journal.intents.filter((intent) => !met.has(intent))
  return [...problems, ...lost.map((intent) => `lost: ${JSON.stringify({ ...intent, quote: [] })}`)]
}

const balancePrices = new Map([
  [30, { tariff: 1, list: 200 }],
  [90, { tariff: 2, list: 540 }],
  [180, { tariff: 3, list: 990 }],
  [365, { tariff: 4, list: 1800 }],
])

/** By product and days, from what 30 days of each cost. */
const scaled = (...prices: readonly number[]): readonly ReadonlyMap<number, number>[] =>
  prices.map(
    (price) =>
      new Map([...balancePrices].map(([days, { list }]) => [days, Math.round((list * price) / 200)])),
  )

const pricesOf: Readonly<Record<string, readonly ReadonlyMap<number, number>[]>> = {
  paid_options: scaled(300, 400),
  cloud_servers: scaled(500, 900),
}

/** What a rule can be about, and the price without any. */
const pricedOf = ({ product, product_id, days }: OrderRow) => {
  const list =
    product === 'configs'
      ? balancePrices.get(days)?.list
      : pricesOf[product]?.[(product_id ?? 0) - 1]?.get(days)
  if (list === undefined) return undefined
  return product === 'configs'
    ? ({ list, product: 'configs', productId: balancePrices.get(days)?.tariff ?? 0 } as const)
    : { list, product: product as 'paid_options' | 'cloud_servers', productId: product_id ?? 0 }
}

const inForce = (rule: RuleEntry): Rule => ({ ...rule, ...pricingRules[rule.type] })

/** The customer's price at that moment; a rule that changed in the same second may count or not. */
export const renewalPrices = (journal: Journal, order: OrderRow): number[] => {
  const priced = pricedOf(order)
  if (!priced) return []
  const mine = journal.rules.filter(({ userId }) => userId === order.user_id)
  const at = order.created_at
  const moments = [
    mine.filter(({ since, until }) => since < at && until >= at),
    mine.filter(({ since, until }) => since <= at && until > at),
  ]
  return moments.map((rules) => priceFor(priced.list, rules.map(inForce), priced, 1).charged)
}

/** Whoever paid was told so; what accounts were told goes with them. */
export const checkNotices = (
  { deletions }: Journal,
  { orders, receipts, notifications }: Books,
): string[] => {
  const causes = new Set(notifications.map(({ cause }) => cause))
  const gone = new Set(orders.filter(({ user_id }) => deletions.has(user_id)).map(({ id }) => id))
  const silent = receipts.filter(({ id, order_id, verdict }) => {
    if (gone.has(order_id)) return false
    const cause = `receipt:${id}${verdict === 'suspense' ? ':suspense' : ''}`
    return !causes.has(cause) && !causes.has(`${cause}:credited`)
  })
  return silent.map(({ id }) => `nobody was told of receipt ${id}`)
}

/** Each automatic renewal at its price, once in its period, and told; whoever was not renewed was told too. */
export const checkRenewals = (
  journal: Journal,
  { orders, notifications, configs, options: owned, machines }: Books,
): string[] => {
  const causes = Map.groupBy(notifications, ({ cause }) => cause ?? '')
  const told = (product: string, id: number | null, end: number | null, how: string) =>
    causes.get(`auto-renewal:${product}:${id}:${end}:${how}`)?.length ?? 0
  const renewed = orders.filter(({ period_end }) => period_end !== null)
  const merged = new Set(journal.merges.flatMap(({ orderIds }) => orderIds))
  const problems = renewed.flatMap((order) => {
    const { id, item_id, user_id, product, period_end, price } = order
    // Of what went into another it was told under its old number, and what accounts were told goes with them.
    const isUnknown = merged.has(id) || journal.deletions.has(user_id)
    const count = isUnknown ? 1 : told(product, item_id, period_end, 'done')
    const prices = renewalPrices(journal, order)
    return [
      ...(count === 1 ? [] : [`renewal ${id} was told ${count} times`]),
      ...(prices.includes(price) ? [] : [`renewal ${id} cost ${price}, not ${prices}`]),
    ]
  })
  // Nobody pays for what the operator has switched off, so that it ends without a try.
  const options = owned.filter(({ term_id }) => !journal.disabled.has(term_id))
  const items = [
    ...configs.map((config) => ({ ...config, product: 'configs' })),
    ...options.map((option) => ({ ...option, product: 'paid_options' })),
    ...machines.map((machine) => ({ ...machine, product: 'cloud_servers' })),
  ]
  const ended = items.filter(({ state, auto_renewal }) => state !== 'active' && auto_renewal)
  const untold = ended.filter(({ product, id, expires_at }) => told(product, id, expires_at, 'failed') !== 1)
  return [...problems, ...untold.map(({ product, id }) => `${product} ${id} ended without a try to renew it`)]
}
