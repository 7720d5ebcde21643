import type { PricingRuleScope } from '@sallyport/contract/product-types'
import type { ProductClass } from '@sallyport/contract/products'

/** What is being priced: its class, and its own id within the class where it has one. */
export interface Priced {
  readonly product: ProductClass
  /** What a rule may name: the tariff of a configuration, a cloud configuration, a paid option. */
  readonly productId: number
}

export interface Rule extends PricingRuleScope {
  readonly id: number
  readonly productId: number | null
  readonly percent: number
}

export interface PriceSteps {
  readonly list: number
  readonly ruleId: number | null
  readonly percent: number
  readonly charged: number
}

/** 4 names this very product, 3 any single product of the class, 2 the class, 1 everything, 0 something else. */
const specificity = (rule: Rule, priced: Priced): number => {
  if (rule.product === 'all') return 1
  if (rule.product !== priced.product) return 0
  if (rule.productId !== null) return rule.productId === priced.productId ? 4 : 0
  return rule.isOne ? 3 : 2
}

/** The one most specific rule; of equals the newest. */
export const chooseRule = (rules: readonly Rule[], priced: Priced): Rule | undefined => {
  let best: Rule | undefined
  let bestScore = 0
  for (const rule of rules) {
    const score = specificity(rule, priced)
    if (score > bestScore || (score === bestScore && score > 0 && best && rule.id > best.id)) {
      best = rule
      bestScore = score
    }
  }
  return best
}

/** Percent kept in hundredths, so that rounding half up is exact whatever the float says. */
const applyPercent = (list: number, percent: number): number => {
  const hundredths = Math.round(percent * 100)
  return Math.floor((list * (10_000 + hundredths) + 5000) / 10_000)
}

/** List price, then the one rule, never below 1 or the method's minimum. */
export const priceFor = (
  list: number,
  rules: readonly Rule[],
  priced: Priced,
  minAmount: number,
): PriceSteps => {
  const rule = chooseRule(rules, priced)
  if (!rule) return { list, ruleId: null, percent: 0, charged: Math.max(list, minAmount) }
  const charged = Math.max(1, minAmount, applyPercent(list, rule.percent))
  return { list, ruleId: rule.id, percent: rule.percent, charged }
}

/** The higher price to show struck through: the list price under a personal discount, else the tariff's own. */
export const oldPriceFor = (steps: PriceSteps, tariffOldPrice: number | null): number | undefined => {
  if (steps.charged < steps.list) return Math.max(steps.list, tariffOldPrice ?? 0)
  return tariffOldPrice !== null && tariffOldPrice > steps.charged ? tariffOldPrice : undefined
}

/**
 * What so many days are worth by list prices: the price of that length, and of a length that is not sold as much a day as the
 * nearest one that is; of two that are as near, the longer. Nothing where nothing is sold.
 */
export const worthOfDays = (
  sold: readonly { readonly days: number; readonly price: number }[],
  days: number,
): number => {
  const [nearest] = sold.toSorted(
    (one, other) => Math.abs(one.days - days) - Math.abs(other.days - days) || other.days - one.days,
  )
  if (!nearest || nearest.days === 0) return 0
  return Math.max(Math.min(1, nearest.price), Math.round((nearest.price * days) / nearest.days))
}
