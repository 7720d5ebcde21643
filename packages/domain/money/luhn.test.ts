import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isCardNumber, maskCard, normaliseCardNumber } from './luhn.ts'

const payload = fc.stringMatching(/^[0-9]{12,18}$/)
const digits = [...'0123456789']

/** A number with the one check digit that fits; a digit repeated all along is left to its own test. */
const card = payload
  .map((start) => start + digits.find((digit) => isCardNumber(start + digit)))
  .filter((number) => /^[0-9]+$/.test(number))

describe('isCardNumber', () => {
  test.each([
    ['2200000000000004', true],
    ['4111111111111111', true],
    ['5555555555554444', true],
    ['378282246310005', true],
    ['4222222222222', true],
    ['6304000000000000000', true],
    ['2200000000000005', false],
    ['4111111111111112', false],
    ['0000000000000000', false],
    ['8888888888888888', false],
    ['424242424242', false],
    ['42424242424242424242', false],
    ['4111 1111 1111 1111', false],
    ['٤١١١١١١١١١١١١١١١', false],
    ['4111111111111111\n', false],
    ['', false],
  ])('%j: %s', (number, expected) => {
    expect(isCardNumber(number)).toBe(expected)
  })

  test('of ten last digits exactly one fits', () => {
    fc.assert(
      fc.property(payload, (start) => {
        fc.pre(!/^(.)\1*$/.test(start))
        expect(digits.filter((digit) => isCardNumber(start + digit))).toHaveLength(1)
      }),
    )
  })

  test('notices one wrong digit, and two neighbours exchanged (0 and 9 apart)', () => {
    fc.assert(
      fc.property(card, fc.nat(), fc.integer({ min: 1, max: 9 }), (number, place, shift) => {
        const at = place % (number.length - 1)
        const [here, next] = [number[at] as string, number[at + 1] as string]
        const wrong = String((Number(here) + shift) % 10)
        expect(isCardNumber(number.slice(0, at) + wrong + number.slice(at + 1))).toBe(false)
        if (here === next || here + next === '09' || here + next === '90') return
        expect(isCardNumber(number.slice(0, at) + next + here + number.slice(at + 2))).toBe(false)
      }),
    )
  })
})

test.each([
  ['2200 1500 0000 1234', '2200150000001234'],
  ['2200-1500-0000-1234', '2200150000001234'],
  [' 2200\u00a01500\t0000 1234 ', '2200150000001234'],
  ['2200.1500', '2200.1500'],
  ['2200–1500', '2200–1500'],
])('normaliseCardNumber(%j) is %j', (text, expected) => {
  expect(normaliseCardNumber(text)).toBe(expected)
})

describe('maskCard', () => {
  test.each([
    ['2200150000001234', '220015******1234'],
    ['2200150000000001234', '220015*********1234'],
    ['378282246310005', '37828******0005'],
    ['4222222222222', '422******2222'],
  ])('%s becomes %s', (number, masked) => {
    expect(maskCard(number)).toBe(masked)
  })

  test('shows at most six digits and the last four, and hides at least six', () => {
    fc.assert(
      fc.property(card, (number) => {
        const masked = maskCard(number)
        expect(masked).toHaveLength(number.length)
        expect(masked).toMatch(/^[0-9]{0,6}\*{6,}[0-9]{4}$/)
        for (const [at, char] of [...masked].entries()) if (char !== '*') expect(char).toBe(number[at])
      }),
    )
  })
})
