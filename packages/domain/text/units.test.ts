import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wholeUnits } from './units.ts'

test.each([
  [1, 0, 1],
  [1.5, 0, undefined],
  [0.29, 2, 29],
  [1.005, 2, undefined],
  [0.000001, 6, 1],
  [0.0000001, 6, undefined],
  [80.123456, 6, 80_123_456],
  [1_000_000_000, 6, 1_000_000_000_000_000],
  [999_999_999.999999, 6, 999_999_999_999_999],
  [Number.MAX_VALUE, 6, undefined],
  [Number.NaN, 0, undefined],
])('%d with %d decimals is %s', (value, decimals, units) => {
  expect(wholeUnits(value, decimals)).toBe(units)
})

test('whatever is written with so many decimals is read exactly', () => {
  const written = fc.record({
    units: fc.integer({ min: 1, max: 10 ** 15 }),
    decimals: fc.integer({ min: 0, max: 6 }),
  })
  fc.assert(
    fc.property(written, ({ units, decimals }) => {
      const digits = String(units).padStart(decimals + 1, '0')
      const text = `${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}0`
      return wholeUnits(Number(text), decimals) === units
    }),
    { numRuns: 2000 },
  )
})

test('one decimal more is refused', () => {
  const written = fc.record({
    units: fc.integer({ min: 1, max: 10 ** 12 }),
    decimals: fc.integer({ min: 0, max: 6 }),
    digit: fc.integer({ min: 1, max: 9 }),
  })
  fc.assert(
    fc.property(written, ({ units, decimals, digit }) => {
      const value = (units * 10 + digit) / 10 ** (decimals + 1)
      return wholeUnits(value, decimals) === undefined
    }),
    { numRuns: 2000 },
  )
})
