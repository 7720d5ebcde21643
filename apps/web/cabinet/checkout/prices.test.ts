import { describe, expect, test } from 'vitest'
import { bestDays, cheapest, endAfter, type Method, missing, offered, perMonth, picked } from './prices.ts'

const method = (key: string, currency: string, ...prices: [days: number, price: number][]): Method => ({
  id: key.length,
  key,
  display_name: key,
  currency,
  min_amount: 1,
  tariffs: prices.map(([days, price], at) => ({ id: at + 1, days, price })),
})
const balance = method('balance', 'RUB', [30, 200], [90, 540], [365, 1800])
const sbp = method('sbp', 'RUB', [30, 210], [90, 540])
const ton = method('ton', 'TON', [30, 0.7], [90, 1.89])

test('a month costs what its days do, in units of the currency', () => {
  expect(perMonth({ id: 1, days: 365, price: 1800 }, 'RUB')).toBe(148)
  expect(perMonth({ id: 1, days: 90, price: 1.89 }, 'TON')).toBe(0.63)
  expect(perMonth({ id: 1, days: 90, price: 10 }, 'EUR')).toBe(3.33)
})

test('the best value is the cheapest day, and none where all cost the same', () => {
  expect(bestDays(balance.tariffs)).toBe(365)
  expect(bestDays(method('a', 'RUB', [30, 100], [60, 200]).tariffs)).toBeUndefined()
  expect(bestDays(method('a', 'RUB', [30, 100]).tariffs)).toBeUndefined()
})

test('prices begin with the least, in roubles where they are taken', () => {
  expect(cheapest([ton, sbp, balance])).toMatchObject({ currency: 'RUB', tariff: { days: 30, price: 200 } })
  expect(cheapest([ton])).toMatchObject({ currency: 'TON', tariff: { price: 0.7 } })
  expect(cheapest([])).toBeUndefined()
})

test('what is wanting is told of money inside the service alone', () => {
  expect(missing(balance, 200, { balance: 50 })).toBe(150)
  expect(missing(balance, 200, { balance: 200 })).toBe(0)
  expect(missing(sbp, 200, { balance: 50 })).toBe(0)
  expect(missing(balance, 200, {})).toBe(0)
})

describe('what is picked', () => {
  const methods = [balance, sbp, ton]
  test('is what was chosen', () => {
    expect(picked(methods, { days: 90, pay: 'ton' }, { balance: 9999 })).toMatchObject({
      method: { key: 'ton' },
      tariff: { days: 90 },
    })
  })
  test('is the balance while it suffices, and the first other way when not', () => {
    expect(picked(methods, {}, { balance: 200 })?.method.key).toBe('balance')
    expect(picked(methods, { days: 90 }, { balance: 200 })?.method.key).toBe('sbp')
    expect(picked([balance], {}, { balance: 0 })?.method.key).toBe('balance')
  })
  test('is never earnings that are not there', () => {
    const referral = method('referral', 'RUB', [30, 200])
    expect(picked([referral, sbp], {}, { referral: 10 })?.method.key).toBe('sbp')
    expect(picked([referral, sbp], {}, {})?.method.key).toBe('sbp')
  })
  test('falls back where a length or a way is not on sale', () => {
    expect(picked(methods, { days: 365, pay: 'sbp' }, {})).toMatchObject({ tariff: { days: 30 } })
    expect(picked(methods, { pay: 'gold' }, { balance: 0 })?.method.key).toBe('sbp')
    expect(picked([method('a', 'RUB')], {}, {})).toBeUndefined()
  })
})

test('days are added to what is left, or to now', () => {
  expect(endAfter(1000, 500, 1)).toBe(87_400)
  expect(endAfter(1000, 2000, 1)).toBe(88_400)
  expect(endAfter(1000, undefined, 1)).toBe(87_400)
})

test('purses that cannot pay for anything come last, and what suits the place first', () => {
  const keys = (...given: Parameters<typeof offered>) => offered(...given).map(({ key }) => key)
  const all = [balance, sbp, ton]
  expect(keys(all, { balance: 200 })).toEqual(['balance', 'sbp', 'ton'])
  expect(keys(all, { balance: 199 })).toEqual(['sbp', 'ton', 'balance'])
  expect(keys(all, {})).toEqual(['balance', 'sbp', 'ton'])
  expect(keys(all, { balance: 0 }, 'ton')).toEqual(['ton', 'sbp', 'balance'])
})
