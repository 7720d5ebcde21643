import { type PricingRuleType, pricingRules } from '@sallyport/contract/product-types'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseRule, oldPriceFor, priceFor, type Rule, worthOfDays } from './pricing.ts'

const rule = (id: number, type: PricingRuleType, percent: number, productId: number | null = null): Rule => {
  const { product, isOne } = pricingRules[type]
  return { id, product, isOne, productId, percent }
}
const tariffOne = { product: 'configs', productId: 1 } as const

describe('the one most specific rule', () => {
  const all = rule(1, 'all', 1)
  const ofClass = rule(2, 'configs', 2)
  const anySingle = rule(3, 'config', 3)
  const named = rule(4, 'config', 4, 1)
  test.each([
    ['nothing', [], undefined],
    ['everything', [all], all],
    ['the class before everything', [all, ofClass], ofClass],
    ['a single product before the class', [anySingle, ofClass, all], anySingle],
    ['the named product before all', [all, ofClass, anySingle, named], named],
    ['not another product', [rule(5, 'config', 5, 2)], undefined],
    ['not another class', [rule(6, 'cloud_servers', 6), rule(7, 'paid_option', 7)], undefined],
    ['the newest of equals', [rule(8, 'all', 8), rule(9, 'all', 9)], rule(9, 'all', 9)],
  ])('%s', (_what, rules, expected) => {
    expect(chooseRule(rules, tariffOne)).toEqual(expected)
  })
})

describe('prices', () => {
  test.each([
    [200, -12.5, 1, 175],
    [540, -12.5, 1, 473],
    [1, -50, 1, 1],
    [3, -50, 1, 2],
    [200, -100, 1, 1],
    [200, -100, 50, 50],
    [200, 10, 1, 220],
    [333, 33.33, 1, 444],
    [100, 0, 1, 100],
  ])('%i at %d percent with minimum %i is %i', (list, percent, minimum, charged) => {
    expect(priceFor(list, [rule(1, 'all', percent)], tariffOne, minimum)).toEqual({
      list,
      ruleId: 1,
      percent,
      charged,
    })
  })

  test('without a rule the list price is charged as it is, or the least the method takes', () => {
    expect(priceFor(15, [], tariffOne, 10)).toEqual({ list: 15, ruleId: null, percent: 0, charged: 15 })
    expect(priceFor(5, [], tariffOne, 10)).toEqual({ list: 5, ruleId: null, percent: 0, charged: 10 })
  })

  test('always whole, never below 1 or the minimum, and monotonous in the percent', () => {
    const percents = fc.integer({ min: -10_000, max: 100_000 }).map((hundredths) => hundredths / 100)
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000 }),
        percents,
        percents,
        fc.nat(1000),
        (list, p, q, minimum) => {
          const at = (percent: number) =>
            priceFor(list, [rule(1, 'all', percent)], tariffOne, minimum).charged
          expect(Number.isInteger(at(p))).toBe(true)
          expect(at(p)).toBeGreaterThanOrEqual(Math.max(1, minimum))
          expect(at(Math.min(p, q))).toBeLessThanOrEqual(at(Math.max(p, q)))
        },
      ),
    )
  })

  test('the price shown struck through is always higher', () => {
    const steps = (charged: number) => ({ list: 200, ruleId: 1, percent: 0, charged })
    expect(oldPriceFor(steps(150), null)).toBe(200)
    expect(oldPriceFor(steps(150), 250)).toBe(250)
    expect(oldPriceFor(steps(200), 250)).toBe(250)
    expect(oldPriceFor(steps(220), 210)).toBeUndefined()
    expect(oldPriceFor(steps(200), null)).toBeUndefined()
  })
})

describe('what so many days are worth', () => {
  const month = { days: 30, price: 200 }
  const quarter = { days: 90, price: 500 }
  test.each([
    ['as sold', [month, quarter], 90, 500],
    ['as the nearest, which is shorter', [month, quarter], 45, 300],
    ['as the nearest, which is longer', [month, quarter], 80, 444],
    ['of two that are as near the longer', [month, quarter], 60, 333],
    ['longer than anything', [month, quarter], 3650, 20_278],
    ['a rouble at least', [{ days: 365, price: 100 }], 1, 1],
    ['nothing where it is free', [{ days: 30, price: 0 }], 17, 0],
    ['nothing where nothing is sold', [], 17, 0],
  ])('%s', (_, sold, days, worth) => {
    expect(worthOfDays(sold, days)).toBe(worth)
  })
})
