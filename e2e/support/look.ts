import type { PaidOption } from '@sallyport/contract/customer/paid-options/shapes'
import type { UserConfig } from '@sallyport/contract/customer/shapes'
import { expect } from 'vitest'
import { demand } from './call.ts'
import type { Customer } from './customer.ts'
import { type Deal, daySeconds, type OrderView } from './deals.ts'
import { isOptionOrder, type Subscription, verifyOption } from './look-option.ts'

/** Compares what the service shows of an account with what its owner remembers. */

interface Key {
  readonly id: number
  readonly code: string
  readonly activation_days: number
  readonly is_active: boolean
}

interface Look {
  readonly orders: readonly OrderView[]
  readonly balance: number
  readonly referralBalance: number
  readonly configs: readonly UserConfig[]
  readonly keys: readonly Key[]
  readonly options: readonly PaidOption[]
  readonly subscriptions: readonly Subscription[]
  readonly withdrawals: readonly { amount: number; status: string }[]
}

export const isOrder = ({ kind }: Deal): boolean =>
  isOptionOrder(kind) ||
  kind.startsWith('purchase') ||
  kind.startsWith('key') ||
  kind.startsWith('renewal') ||
  kind.startsWith('top-up')

/** Everything at one moment: what is granted meanwhile shows as an order that has changed. */
const lookAt = async (url: string, { identity }: Customer): Promise<Look> => {
  const { id, apiKey: token, operatorToken } = identity
  const own = (path: string) => demand(url, 'GET', `/v1${path}`, { token })
  const readOrders = (): Promise<OrderView[]> =>
    demand(url, 'GET', `/operator/v1/payments?limit=500&user_id=${id}`, { token: operatorToken })
  for (let attempt = 0; ; attempt++) {
    const before = await readOrders()
    const [profile, configs, keys, referral, options, subscriptions] = await Promise.all([
      own('/profile'),
      own('/configs'),
      own('/profile/promocodes?limit=100'),
      own('/profile/referral?limit=100'),
      own('/paid-options'),
      demand(url, 'GET', `/operator/v1/users/${id}/paid-options`, { token: operatorToken }),
    ])
    const orders = await readOrders()
    if (JSON.stringify(before) === JSON.stringify(orders)) {
      const withdrawals = referral.filter((record: { method?: string }) => record.method !== undefined)
      const { balance, referral_balance: referralBalance } = profile
      const rest = { configs, keys, withdrawals, options, subscriptions }
      return { orders: orders.toReversed(), balance, referralBalance, ...rest }
    }
    expect(attempt, 'an account stands still for a moment').toBeLessThan(10)
  }
}

const methodOf = ({ kind }: Deal): string =>
  kind.endsWith('by promocode') ? 'promocode' : kind.endsWith('by link') ? 'link' : 'balance'

/** What identifies the order of a deal as far as the customer knows it. */
const signatureOf = (deal: Deal): string =>
  isOptionOrder(deal.kind)
    ? deal.kind
    : [
        methodOf(deal),
        deal.kind.startsWith('renewal'),
        deal.kind.startsWith('key'),
        deal.paymentId ?? deal.configId ?? '',
      ].join(' ')

const signatureOfOrder = (order: OrderView): string => {
  if (order.product === 'paid_options') return order.is_renewal ? 'option renewal' : 'option'
  const isInner = order.method === 'balance' || order.method === 'promocode'
  return [
    isInner ? order.method : 'link',
    order.is_renewal,
    order.as_key,
    order.payment_id ?? order.item_id ?? '',
  ].join(' ')
}

/** Every order belongs to one deal and every deal has one order: nothing is lost, nothing happened twice. */
const matchOrders = (who: string, deals: readonly Deal[], orders: readonly OrderView[]): void => {
  expect(orders.map(signatureOfOrder).sort(), `the orders of ${who}`).toEqual(deals.map(signatureOf).sort())
  const waiting = Map.groupBy(orders, signatureOfOrder)
  for (const deal of deals) {
    const order = waiting.get(signatureOf(deal))?.shift() as OrderView
    deal.order = order
    if (deal.kind === 'purchase by link' && order.item_id !== null) deal.configId = order.item_id
  }
}

const statesOf = (deal: Deal, isAtRest: boolean): readonly OrderView['state'][] => {
  if (deal.refundedTo !== undefined) {
    return deal.refundedTo === 'balance' || isAtRest ? ['refunded'] : ['fulfilled', 'refunded']
  }
  if (deal.paymentId === undefined) return ['fulfilled']
  if (deal.payAttempts === 0) return ['created']
  return isAtRest ? ['fulfilled'] : ['created', 'paid', 'fulfilled']
}

const isFulfilled = (deal: Deal): boolean => deal.order?.state === 'fulfilled'

const balanceChange = (deal: Deal): number => {
  if (deal.kind === 'top-up by link')
    return isFulfilled(deal) && deal.refundedTo === undefined ? deal.amountRub : 0
  if (methodOf(deal) === 'balance') return isFulfilled(deal) ? -deal.amountRub : 0
  return deal.order?.refunded_to === 'balance' ? deal.order.value_rub : 0
}

const verifyMoney = (who: string, { identity, deals }: Customer, seen: Look): void => {
  const change = deals.filter(isOrder).reduce((sum, deal) => sum + balanceChange(deal), 0)
  expect(seen.balance, `the balance of ${who}`).toBe(identity.openingRub + change)
  const withdrawn = deals.filter((deal) => deal.kind === 'withdrawal')
  const expected = withdrawn.map(({ amountRub, decided }) => ({
    amount: amountRub,
    status: decided ?? 'pending',
  }))
  const found = seen.withdrawals.map(({ amount, status }) => ({ amount, status }))
  const byAmount = (a: { amount: number }, b: { amount: number }) => a.amount - b.amount
  expect(found.sort(byAmount), `the withdrawals of ${who}`).toEqual(expected.sort(byAmount))
  const gone = withdrawn.filter((deal) => deal.decided !== 'rejected')
  const goneRub = gone.reduce((sum, deal) => sum + deal.amountRub, 0)
  expect(seen.referralBalance, `the earnings of ${who}`).toBe(identity.openingReferralRub - goneRub)
}

/** A configuration bought by link is first seen here; from then on it is remembered like an answer. */
const expectedConfig = (deal: Deal, deals: readonly Deal[], found: UserConfig): UserConfig => {
  if (!deal.config) {
    expect(found.expires_at).toBeGreaterThanOrEqual(deal.order?.fulfilled_at as number)
    deal.config = { ...found, expires_at: (deal.order?.fulfilled_at as number) + deal.days * daySeconds }
  }
  const renewals = deals.filter(
    (other) => other.kind.startsWith('renewal') && other.configId === deal.configId && isFulfilled(other),
  )
  const days = renewals.reduce((sum, renewal) => sum + renewal.days, 0)
  return { ...deal.config, expires_at: deal.config.expires_at + days * daySeconds }
}

const verifyConfigs = (who: string, { deals }: Customer, seen: Look, nowSeconds: number): void => {
  const bought = deals.filter((deal) => deal.kind.startsWith('purchase') && deal.configId !== undefined)
  const byId = new Map(seen.configs.map((config) => [config.id, config]))
  expect([...byId.keys()].sort(), `the configurations of ${who}`).toEqual(
    bought.map((deal) => deal.configId).sort(),
  )
  for (const deal of bought) {
    const found = byId.get(deal.configId as number) as UserConfig
    if (isFulfilled(deal)) expect(found, `what ${who} was told`).toEqual(expectedConfig(deal, deals, found))
    else expect(found.expires_at, 'what was refunded has ended').toBeLessThanOrEqual(nowSeconds)
  }
}

const verifyKeys = (who: string, { deals }: Customer, seen: Look): void => {
  const granted = deals.filter((deal) => deal.kind.startsWith('key') && (deal.code || isFulfilled(deal)))
  const known = new Set(granted.map((deal) => deal.code))
  const fresh = seen.keys.filter((key) => !known.has(key.code)).toSorted((a, b) => a.id - b.id)
  for (const deal of granted) if (!deal.code && fresh[0]) deal.code = (fresh.shift() as Key).code
  const used = new Set(deals.filter((deal) => deal.kind.endsWith('by promocode')).map((deal) => deal.code))
  const expected = granted.map((deal) => ({
    code: deal.code,
    activation_days: deal.days,
    is_active: !used.has(deal.code) && isFulfilled(deal),
  }))
  const found = seen.keys.map(({ code, activation_days, is_active }) => ({
    code,
    activation_days,
    is_active,
  }))
  const byCode = (a: { code?: string | undefined }, b: { code?: string | undefined }) =>
    String(a.code) < String(b.code) ? -1 : 1
  expect(found.sort(byCode), `the keys of ${who}`).toEqual(expected.sort(byCode))
}

export interface Circumstances {
  readonly isAtRest: boolean
  readonly nowSeconds: () => number
  /** Bytes that the nodes told of the customer's option: acknowledged, and sent. */
  readonly carried: { readonly least: number; readonly most: number }
}

/** The customer has nothing open. At rest also what was paid by link has been granted. */
export const verifyCustomer = async (
  url: string,
  customer: Customer,
  { isAtRest, nowSeconds, carried }: Circumstances,
): Promise<void> => {
  const who = `customer ${customer.identity.id}`
  const seen = await lookAt(url, customer)
  const ordered = customer.deals.filter(isOrder)
  matchOrders(who, ordered, seen.orders)
  for (const deal of ordered) {
    expect(statesOf(deal, isAtRest), `${deal.kind} ${deal.order?.id} of ${who}`).toContain(deal.order?.state)
  }
  verifyMoney(who, customer, seen)
  verifyConfigs(who, customer, seen, nowSeconds())
  verifyKeys(who, customer, seen)
  verifyOption(who, customer.deals, seen, { isAtRest, carried })
}
