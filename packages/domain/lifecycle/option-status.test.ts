import { optionStatuses } from '@sallyport/contract/customer/paid-options/shapes'
import { describe, expect, test } from 'vitest'
import {
  canMoveOption,
  isNearlyUsedUp,
  isUsedUp,
  moveOption,
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
