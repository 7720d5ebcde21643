import { money } from '../../lib/format.ts'
import { sayIn } from '../../lib/language.ts'
import type { From, Method, Tariff } from './prices.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface PriceProps {
  readonly tariff: Tariff
  readonly currency: string
}

/** What others pay, crossed out; nothing where it is the same. */
export const Old = ({ tariff: { price, old_price: old }, currency }: PriceProps) =>
  old !== undefined && old > price ? (
    <del class="old">
      <span class="hidden">{say('before')} </span>
      {money(old, currency)}
    </del>
  ) : null

/** The customer's own, and the one before crossed out. */
export const Price = ({ tariff, currency }: PriceProps) => (
  <span class="price">
    <Old tariff={tariff} currency={currency} /> <b>{money(tariff.price, currency)}</b>
  </span>
)

const year = 365
const month = 30

/** As people call it. */
export const lengthOf = (days: number): string => {
  if (days % year === 0) return say('years', { n: days / year })
  return days % month === 0 ? say('months', { n: days / month }) : say('days', { n: days })
}

/** As people call it; the others have names of their own. */
export const methodName = ({ key, display_name }: Method): string =>
  key === 'referral' ? say('earnings') : display_name

export const FromPrice = ({ of }: { readonly of: From | undefined }) =>
  of ? (
    <p>
      {say('from')} <Price tariff={of.tariff} currency={of.currency} />{' '}
      <span class="small">{say('forLength', { length: lengthOf(of.tariff.days) })}</span>
    </p>
  ) : (
    <p class="small">{say('notSold')}</p>
  )
