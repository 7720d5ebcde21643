import { optionStatuses } from '@sallyport/contract/customer/paid-options/shapes'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canMoveOption,
  isNearlyUsedUp,
  isUsedUp,
  moveOption,
  owedAfter,
  periodAt,
  statusOf,
  trafficPeriodSeconds,
} from './option-status.ts'

const allowed = new Set([
  'active limited',
  'active disabled',
  'active expired',
  'limited active',
  'limited disabled',
  'limited expired',
  'disabled active',
  'disabled limited',
  'disabled expired',
  'expired active',
  'expired disabled',
])

describe('the status of an option', () => {
  const pairs = optionStatuses.flatMap((from) => optionStatuses.map((to) => [from, to] as const))
  test.each(pairs)('from %s to %s', (from, to) => {
    const may = allowed.has(`${from} ${to}`)
    expect(canMoveOption(from, to)).toBe(may)
    if (may) expect(moveOption(from, to)).toBe(to)
    else expect(() => moveOption(from, to)).toThrow(`cannot go from ${from} to ${to}`)
  })

  test.each([
    [false, false, false, 'active'],
    [false, false, true, 'limited'],
    [false, true, false, 'disabled'],
    [false, true, true, 'disabled'],
    [true, false, false, 'expired'],
    [true, false, true, 'expired'],
    [true, true, false, 'expired'],
    [true, true, true, 'expired'],
  ] as const)('ended %s, disabled %s, used up %s: %s', (isEnded, isDisabled, isUsed, status) => {
    expect(statusOf({ isEnded, isDisabled, isUsedUp: isUsed })).toBe(status)
  })
})

test.each([
  [0, 0, false, false],
  [1e15, 0, false, false],
  [79, 100, false, false],
  [80, 100, false, true],
  [99, 100, false, true],
  [100, 100, true, true],
  [1, 1, true, true],
])('%i of %i bytes: used up %s, nearly %s', (used, limit, isOver, isNear) => {
  expect([isUsedUp(used, limit), isNearlyUsedUp(used, limit)]).toEqual([isOver, isNear])
})

test.each([
  [0, 0],
  [trafficPeriodSeconds - 1, 0],
  [trafficPeriodSeconds, 1],
  [2 * trafficPeriodSeconds - 1, 1],
  [5 * trafficPeriodSeconds + 7, 5],
  [-10, 0],
])('%i seconds after it began it is in period %i', (seconds, period) => {
  expect(periodAt(1000, 1000 + seconds)).toBe(1000 + period * trafficPeriodSeconds)
})

test.each([
  ['nothing came with another', 1500, 1000, 0, 1, 0],
  ['the period held all of it', 900, 1000, 400, 1, 0],
  ['the period held some of it', 1300, 1000, 400, 1, 300],
  ['the customer used the rest up alone', 1900, 1000, 400, 1, 400],
  ['the next period held some, too', 3300, 1000, 2500, 2, 1300],
  ['many periods later', 3300, 1000, 2500, 9, 0],
  ['without a limit', 5000, 0, 2500, 1, 0],
])('owed when %s', (_name, used, limit, owed, periods, left) => {
  expect(owedAfter({ used, limit, owed, periods })).toBe(left)
})

test('two that become one carry no more than they would have alone, however much each had used', () => {
  const amount = fc.integer({ min: 0, max: 3000 })
  const later = fc.integer({ min: 1, max: 6 })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      amount,
      amount,
      later,
      later,
      (limit, own, other, n, m) => {
        const room = (used: number) => Math.max(0, limit - used)
        const alone = room(own) + n * limit + room(other) + m * limit
        let used = own + other
        let owed = other
        let together = room(used)
        // The period in which the other was becomes one of those that come later.
        for (let period = 0; period < n + m + 1; period++) {
          used = owed = owedAfter({ used: Math.max(used, limit), limit, owed, periods: 1 })
          together += room(used)
        }
        expect(together).toBeLessThanOrEqual(alone)
      },
    ),
  )
})
