import type { Client } from '@sallyport/contract/client/core'
import { decimalsOf, isKnownCurrency } from '@sallyport/domain/money/money'
import { secondsInDay } from '@sallyport/domain/time/period'

/** What follows from prices, whatever is bought. */

export type Method = Awaited<ReturnType<Client['listConfigTariffs']>>[number]
export type Tariff = Method['tariffs'][number]

const month = 30

const rounded = (amount: number, currency: string): number => {
  const whole = 10 ** (isKnownCurrency(currency) ? decimalsOf(currency) : 2)
  return Math.round(amount * whole) / whole
}

/** For 30 days, to compare lengths by. */
export const perMonth = ({ price, days }: Tariff, currency: string): number =>
  rounded((price / days) * month, currency)

/** The length whose day is the cheapest, where lengths differ in that. */
export const bestDays = (tariffs: readonly Tariff[]): number | undefined => {
  const byDay = tariffs.toSorted((a, b) => a.price / a.days - b.price / b.days)
  const [best, next] = byDay
  return best && next && best.price / best.days < next.price / next.days ? best.days : undefined
}

export interface From {
  readonly tariff: Tariff
  readonly currency: string
}

/** The least one can pay, in roubles where they are taken. */
export const cheapest = (methods: readonly Method[]): From | undefined => {
  const roubles = methods.filter(({ currency }) => currency === 'RUB')
  const [method] = roubles.length > 0 ? roubles : methods
  if (!method) return undefined
  const same = methods.filter(({ currency }) => currency === method.currency)
  const [tariff] = same.flatMap(({ tariffs }) => tariffs).toSorted((a, b) => a.price - b.price)
  return tariff && { tariff, currency: method.currency }
}

/** What one has inside the service, by the key of the method that spends it. */
export type Purse = Readonly<Record<string, number | undefined>>

/** How much is wanting; 0 of what is paid elsewhere, and while it is not known. */
export const missing = (method: Method, price: number, purse: Purse): number =>
  Math.max(0, price - (purse[method.key] ?? price))

/**
 * In the order they are shown: a purse that cannot pay even for the least comes last, so that it does not hide what can. `first`
 * is the key of what suits the place best.
 */
export const offered = (methods: readonly Method[], purse: Purse, first?: string): readonly Method[] => {
  const isEmpty = ({ key, tariffs }: Method): boolean =>
    tariffs.every(({ price }) => (purse[key] ?? price) < price)
  const rank = (method: Method): number => (method.key === first ? -1 : Number(isEmpty(method)))
  return methods.toSorted((a, b) => rank(a) - rank(b))
}

export interface Picked {
  readonly method: Method
  readonly tariff: Tariff
}

interface Wished {
  readonly days?: number | undefined
  readonly pay?: string | undefined
}

/** What was chosen as far as it is on sale, and otherwise what costs the least trouble: money that is there, or the first way to pay. */
export const picked = (
  methods: readonly Method[],
  { days, pay }: Wished,
  purse: Purse,
): Picked | undefined => {
  const sold = methods.filter(({ tariffs }) => tariffs.length > 0)
  const tariffOf = ({ tariffs }: Method) => tariffs.find((one) => one.days === days) ?? (tariffs[0] as Tariff)
  const suits = (method: Method) =>
    purse[method.key] === undefined
      ? method.key !== 'referral'
      : missing(method, tariffOf(method).price, purse) === 0
  const method = sold.find(({ key }) => key === pay) ?? sold.find(suits) ?? sold[0]
  return method && { method, tariff: tariffOf(method) }
}

/** Days are added to what is left, or to now. */
export const endAfter = (now: number, end: number | undefined, days: number): number =>
  Math.max(now, end ?? 0) + days * secondsInDay
