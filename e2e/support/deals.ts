import type { PaidOption } from '@sallyport/contract/customer/paid-options/shapes'
import type { UserConfig } from '@sallyport/contract/customer/shapes'

/** What customers and the operator ask for where money is concerned, chosen at random from what is possible. */

export const daySeconds = 86_400
export const tariff = { id: 1, days: 30, priceRub: 200 } as const
export const giftDays = 45
export const optionPriceRub = 300

const balanceMethod = 1
/** The methods of the sandbox, in four currencies. */
const linkMethods = [2, 3, 4, 5, 6]
const place = { location_id: 1, protocol: 'vless' }
const card = '4111111111111111'
const phone = { bank_id: '100000000111', phone_number: '+79001234567' }

export type Kind =
  | 'purchase'
  | 'purchase by link'
  | 'purchase by promocode'
  | 'key'
  | 'key by link'
  | 'renewal'
  | 'renewal by link'
  | 'renewal by promocode'
  | 'top-up by link'
  | 'option'
  | 'option renewal'
  | 'option configuration'
  | 'option limit'
  | 'withdrawal'
  | 'approval'
  | 'rejection'
  | 'refund'

/** An order as the operator sees it. */
export interface OrderView {
  readonly id: number
  readonly product: string
  readonly item_id: number | null
  readonly state: 'created' | 'paid' | 'fulfilled' | 'cancelled' | 'expired' | 'refunded'
  readonly is_renewal: boolean
  readonly as_key: boolean
  readonly method: string
  readonly payment_id: string | null
  readonly value_rub: number
  readonly created_at: number
  readonly fulfilled_at: number | null
  readonly refunded_to: 'balance' | 'source' | null
}

/** One thing asked for, and all that became of it. */
export interface Deal {
  readonly kind: Kind
  /** POST where nothing is said; another has no answer that is kept. */
  readonly method?: 'PATCH'
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly isOperators: boolean
  /** Of a renewal, and of a purchase once it is known. */
  configId?: number
  /** Of a key that was bought, or of a promocode that was used. */
  code?: string
  days: number
  amountRub: number
  /** The withdrawal that is decided, or the order that is refunded. */
  readonly about?: Deal

  readonly key: string
  attempts: number
  /** Unix seconds. */
  sentAt: number
  wasReplayed: boolean
  answer?: unknown
  /** The configuration, as it was answered or first seen. */
  config?: UserConfig
  /** The option, as it was answered. */
  option?: PaidOption
  /** A configuration that was added to the option. */
  added?: { readonly id: number; readonly server_id: number }
  withdrawalId?: number
  /** In the address of the page where it is paid. */
  paymentId?: string
  /** The customer goes away from the page without paying. */
  isLeft: boolean
  payAttempts: number
  isPaid: boolean
  order?: OrderView
  decided?: 'paid' | 'rejected'
  refundedTo?: 'balance' | 'source'
}

export type Ask = Pick<Deal, 'kind' | 'path'> &
  Partial<Pick<Deal, 'method' | 'body' | 'about' | 'configId' | 'code' | 'days' | 'amountRub'>>

/** What a choice depends on. */
export interface Situation {
  readonly deals: readonly Deal[]
  readonly random: () => number
  /** Codes that the operator gave this customer. */
  readonly gifts: readonly string[]
  readonly option: { readonly id: number; readonly tariffId: number }
}

const oneOf = <T>(random: () => number, items: readonly T[]): T | undefined =>
  items[Math.floor(random() * items.length)]

const renewable = ({ deals }: Situation): number[] =>
  deals
    .filter((deal) => deal.kind.startsWith('purchase') && deal.refundedTo === undefined)
    .flatMap((deal) => deal.configId ?? [])

const isUsed = (deals: readonly Deal[], code: string | undefined): boolean =>
  deals.some((deal) => deal.kind.endsWith('by promocode') && deal.code === code)

const unusedKey = ({ deals, random, gifts }: Situation) => {
  const bought = deals.filter((deal) => deal.kind.startsWith('key') && deal.refundedTo === undefined)
  const own = oneOf(
    random,
    bought.filter((deal) => deal.code !== undefined && !isUsed(deals, deal.code)),
  )
  if (own?.code !== undefined) return { code: own.code, days: own.days }
  const code = gifts.find((gift) => !isUsed(deals, gift))
  return code === undefined ? undefined : { code, days: giftDays }
}

const byTariff = (method: number) => ({ payment_method_id: method, tariff_id: tariff.id })
const linkMethod = ({ random }: Situation): number => oneOf(random, linkMethods) as number

const buy = (kind: Kind, body: Ask['body'], more: Partial<Ask> = {}): Ask => ({
  kind,
  path: '/v1/configs',
  body,
  ...more,
})

const renew = (at: Situation, kind: Kind, body: Ask['body'], more: Partial<Ask> = {}): Ask | undefined => {
  const configId = oneOf(at.random, renewable(at))
  return configId === undefined
    ? undefined
    : { kind, path: `/v1/configs/renewal/${configId}`, body, configId, ...more }
}

const withdraw = ({ deals, random }: Situation): Ask => {
  // Each has an amount of its own, by which it is known in the list.
  const amountRub = 1000 + deals.length
  const isCard = random() < 0.5
  return {
    kind: 'withdrawal',
    path: `/v1/profile/referral/withdraw/${isCard ? 'card' : 'sbp'}`,
    body: { amount: amountRub, ...(isCard ? { card_number: card } : phone) },
    amountRub,
  }
}

const decide = ({ deals, random }: Situation): Ask | undefined => {
  const about = oneOf(
    random,
    deals.filter((deal) => deal.kind === 'withdrawal' && deal.decided === undefined),
  )
  if (!about) return undefined
  const path = `/operator/v1/withdrawals/${about.withdrawalId}`
  return random() < 0.5
    ? { kind: 'approval', path: `${path}/approve`, about }
    : { kind: 'rejection', path: `${path}/reject`, body: { reason: 'crash test' }, about }
}

const isRefundable = (deals: readonly Deal[], deal: Deal): boolean => {
  if (deal.order?.state !== 'fulfilled' || deal.refundedTo !== undefined) return false
  if (deal.kind === 'key') return !isUsed(deals, deal.code)
  if (deal.kind === 'top-up by link' || deal.kind === 'renewal' || deal.kind === 'renewal by link')
    return true
  const isPurchase = deal.kind === 'purchase' || deal.kind === 'purchase by link'
  return isPurchase && !deals.some((other) => other !== deal && other.configId === deal.configId)
}

const refund = ({ deals, random }: Situation): Ask | undefined => {
  const about = oneOf(
    random,
    deals.filter((deal) => isRefundable(deals, deal)),
  )
  if (!about) return undefined
  const isSource = about.kind === 'top-up by link' || (about.kind.endsWith('by link') && random() < 0.5)
  const body = { to: isSource ? 'source' : 'balance', reason: 'crash test' }
  return { kind: 'refund', path: `/operator/v1/payments/${about.order?.id}/refund`, body, about }
}

const buyOption = ({ deals, option }: Situation): Ask => ({
  kind: deals.some((deal) => deal.kind === 'option') ? 'option renewal' : 'option',
  path: '/v1/paid-options',
  body: { paid_option_id: option.id, payment_method_id: balanceMethod, tariff_id: option.tariffId },
  amountRub: optionPriceRub,
})

/** So little is used up by the first bytes; so much never. */
const tinyLimit = 1
const plentyLimit = 1_000_000_000_000

/** What was set last; an option of this test begins without a limit. */
export const limitOf = (deals: readonly Deal[]): number =>
  Number(deals.findLast((deal) => deal.kind === 'option limit')?.body?.traffic_limit ?? 0)

const changeLimit = ({ deals, option, random }: Situation): Ask | undefined => {
  if (!deals.some((deal) => deal.kind === 'option')) return undefined
  const limit = random() < 0.3 ? tinyLimit : plentyLimit + deals.length
  const path = `/v1/paid-options/${option.id}/limits`
  return { kind: 'option limit', method: 'PATCH', path, body: { traffic_limit: limit } }
}

const mostAdded = 20

/** Nothing is added to what is off because its traffic is used up. */
const addConfig = ({ deals, option }: Situation): Ask | undefined => {
  const added = deals.filter((deal) => deal.kind === 'option configuration').length
  const isPossible = deals.some((deal) => deal.kind === 'option') && added < mostAdded
  if (!isPossible || limitOf(deals) === tinyLimit) return undefined
  const path = `/v1/paid-options/${option.id}/configs`
  return { kind: 'option configuration', path, body: { protocol: 'vless' } }
}

type Wish = readonly [weight: number, ask: (at: Situation) => Ask | undefined]

const wishes: readonly Wish[] = [
  [4, () => buy('purchase', { ...place, ...byTariff(balanceMethod) })],
  [4, (at) => buy('purchase by link', { ...place, ...byTariff(linkMethod(at)) })],
  [1, () => buy('key', { as_key: true, ...byTariff(balanceMethod) })],
  [1, (at) => buy('key by link', { as_key: true, ...byTariff(linkMethod(at)) })],
  [
    2,
    (at) => {
      const used = unusedKey(at)
      return used && buy('purchase by promocode', { ...place, promocode: used.code }, used)
    },
  ],
  [3, (at) => renew(at, 'renewal', byTariff(balanceMethod))],
  [3, (at) => renew(at, 'renewal by link', byTariff(linkMethod(at)))],
  [
    1,
    (at) => {
      const used = unusedKey(at)
      return used && renew(at, 'renewal by promocode', { promocode: used.code }, used)
    },
  ],
  [
    3,
    (at) => {
      const amountRub = 100 + Math.floor(at.random() * 900)
      const body = { amount: amountRub, payment_method_id: linkMethod(at) }
      return { kind: 'top-up by link', path: '/v1/profile/balance/topup', body, amountRub }
    },
  ],
  [5, buyOption],
  [4, addConfig],
  [3, changeLimit],
  [3, withdraw],
  [3, decide],
  [2, refund],
]

/** Operations have limits of their own, whatever the ids in the path; the operator has none. */
export const bucketOf = (path: string): string | undefined =>
  path.startsWith('/v1/') ? path.replace(/\d+$/, '') : undefined

const oneByWeight = (random: () => number, from: readonly Wish[]): Wish =>
  oneOf(
    random,
    from.flatMap((wish) => Array<Wish>(wish[0]).fill(wish)),
  ) as Wish

/** Something new to ask for, with none of the paths whose limit is used up. */
export const choose = (at: Situation, usedBuckets: ReadonlySet<string>): Ask | undefined => {
  let left = wishes
  while (left.length > 0) {
    const chosen = oneByWeight(at.random, left)
    const ask = chosen[1](at)
    if (ask && !usedBuckets.has(bucketOf(ask.path) ?? '')) return ask
    left = left.filter((wish) => wish !== chosen)
  }
  return undefined
}
