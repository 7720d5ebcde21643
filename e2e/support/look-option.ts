import type { PaidOption } from '@sallyport/contract/customer/paid-options/shapes'
import { expect } from 'vitest'
import { type Deal, daySeconds, limitOf } from './deals.ts'

/** A customer's option against what the customer was told and the nodes have carried. */

/** As the operator sees it. */
export interface Subscription {
  readonly status: string
  readonly used_traffic_bytes: number
  readonly lifetime_used_traffic_bytes: number
  readonly traffic_limit_bytes: number
}

interface Seen {
  readonly options: readonly PaidOption[]
  readonly subscriptions: readonly Subscription[]
}

export const isOptionOrder = (kind: string): boolean => kind === 'option' || kind === 'option renewal'

/** Every purchase gave its days once, and every configuration was added once. */
const verifyContent = (who: string, deals: readonly Deal[], first: PaidOption, found?: PaidOption): void => {
  const bought = deals.filter((deal) => isOptionOrder(deal.kind))
  const more = bought.slice(1).reduce((sum, deal) => sum + deal.days, 0)
  expect(found?.expires_at, `the end of the option of ${who}`).toBe(first.expires_at + more * daySeconds)
  const own = first.configs.map(({ id, connection_url }) => ({ id, connection_url }))
  const shown = found?.configs.map(({ id, connection_url }) => ({ id, connection_url })) ?? []
  expect(shown.slice(0, own.length), `the option of ${who}`).toEqual(own)
  const added = deals.flatMap((deal) => deal.added?.id ?? [])
  expect(
    shown
      .slice(own.length)
      .map((config) => config.id)
      .sort(),
    `what ${who} added`,
  ).toEqual(added.sort())
}

export const verifyOption = (
  who: string,
  deals: readonly Deal[],
  { options, subscriptions }: Seen,
  at: { readonly isAtRest: boolean; readonly carried: { readonly least: number; readonly most: number } },
): void => {
  const first = deals.find((deal) => deal.kind === 'option')?.option
  expect([options.length, subscriptions.length], `the options of ${who}`).toEqual(first ? [1, 1] : [0, 0])
  const [subscription] = subscriptions
  if (!first || !subscription) return
  verifyContent(who, deals, first, options[0])
  const { lifetime_used_traffic_bytes: lifetime, used_traffic_bytes: used, status } = subscription
  const limit = limitOf(deals)
  expect(subscription.traffic_limit_bytes, `the limit of ${who}`).toBe(limit)
  expect(lifetime, `what was acknowledged of ${who}`).toBeGreaterThanOrEqual(at.carried.least)
  expect(lifetime, `what was sent of ${who}`).toBeLessThanOrEqual(at.carried.most)
  expect(used, `one period of ${who}`).toBe(lifetime)
  if (!at.isAtRest) return
  expect(at.carried.least, 'all was acknowledged').toBe(at.carried.most)
  expect(status, `the option of ${who}`).toBe(limit > 0 && used >= limit ? 'limited' : 'active')
}
