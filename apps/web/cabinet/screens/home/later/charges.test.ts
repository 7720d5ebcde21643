import { describe, expect, test } from 'vitest'
import type { Thing } from '../things.ts'
import { chargesOf, daysToRenew, fromBalance, type Tariff } from './charges.ts'

const day = 86_400
const now = 1_800_000_000

const tariffs: readonly Tariff[] = [
  { days: 7, price: 60 },
  { days: 30, price: 200 },
  { days: 90, price: 540 },
]

const thing = (change: Partial<Thing> = {}): Thing =>
  ({
    kind: 'config',
    id: 1,
    expiresAt: now + 5 * day,
    term: 30 * day,
    state: 'online',
    autoRenewal: true,
    autoRenewalDays: 30,
    of: {},
    ...change,
  }) as Thing

test('the prices are those of the balance', () => {
  const methods = [
    { key: 'sbp', tariffs: [{ days: 30, price: 210 }] },
    { key: 'balance', tariffs },
  ]
  expect(fromBalance(methods)).toBe(tariffs)
  expect(fromBalance([])).toEqual([])
  expect(fromBalance(undefined)).toEqual([])
})

describe('switched on it renews for', () => {
  const days = (term: number | undefined, autoRenewalDays: number | null = null) =>
    daysToRenew({ term, autoRenewalDays }, tariffs)?.days
  test('as long as it was bought for', () => {
    expect(days(90 * day)).toBe(90)
    expect(days(7 * day)).toBe(7)
  })
  test('what was chosen before', () => {
    expect(days(90 * day, 7)).toBe(7)
  })
  test('a month when it was renewed often, or nobody knows', () => {
    expect(days(360 * day)).toBe(30)
    expect(days(undefined)).toBe(30)
  })
  test('nothing when nothing is sold', () => {
    expect(daysToRenew({ term: 30 * day, autoRenewalDays: null }, [])).toBeUndefined()
  })
})

describe('the next charge', () => {
  test('comes a day before the end, at the price of its days', () => {
    const one = thing()
    expect(chargesOf([one], () => tariffs, 1000).get(one)).toEqual({
      at: one.expiresAt - day,
      days: 30,
      price: 200,
      missing: 0,
    })
  })

  test('of what is taken before it, nothing is left for it', () => {
    const first = thing({ id: 1, expiresAt: now + 2 * day })
    const second = thing({ id: 2, expiresAt: now + 3 * day })
    const charges = chargesOf([second, first], () => tariffs, 350)
    expect(charges.get(first)?.missing).toBe(0)
    expect(charges.get(second)?.missing).toBe(50)
  })

  test('what cannot be paid takes nothing from the next', () => {
    const dear = thing({ id: 1, expiresAt: now + 2 * day, autoRenewalDays: 90 })
    const cheap = thing({ id: 2, expiresAt: now + 3 * day, autoRenewalDays: 7 })
    const charges = chargesOf([dear, cheap], () => tariffs, 100)
    expect(charges.get(dear)?.missing).toBe(440)
    expect(charges.get(cheap)?.missing).toBe(0)
  })

  test('is said not to come when its tariff is gone', () => {
    const one = thing({ autoRenewalDays: 365 })
    expect(chargesOf([one], () => tariffs, 0).get(one)).toMatchObject({ price: undefined, missing: 0 })
  })

  test('there is none of what is off, has ended, or has no prices yet', () => {
    expect(chargesOf([thing({ autoRenewal: false })], () => tariffs, 0).size).toBe(0)
    expect(chargesOf([thing({ state: 'ended' })], () => tariffs, 0).size).toBe(0)
    expect(chargesOf([thing()], () => undefined, 0).size).toBe(0)
  })
})
