import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commissionOf, maskEmail, maskPhone } from './referral.ts'

describe('commissionOf', () => {
  test.each([
    [1000, 20, 200],
    [199, 20, 39],
    [4, 20, 0],
    [5, 20, 1],
    [999, 33, 329],
    [15_000, 0, 0],
    [15_000, 100, 15_000],
    [0, 20, 0],
    [29, 100, 29],
    [100, 29, 29],
  ])('%i roubles at %i %% give %i', (valueRub, percent, expected) => {
    expect(commissionOf(valueRub, percent)).toBe(expected)
  })

  test('is exact, and never more than the percentage', () => {
    const valueRub = fc.integer({ min: 0, max: 2 ** 46 })
    fc.assert(
      fc.property(valueRub, fc.integer({ min: 0, max: 100 }), (value, percent) => {
        expect(BigInt(commissionOf(value, percent))).toBe((BigInt(value) * BigInt(percent)) / 100n)
      }),
    )
  })
})

describe('maskEmail', () => {
  test.each([
    ['anna@example.com', 'a•••@example.com'],
    ['a@example.com', 'a•••@example.com'],
    ['я.почта@пример.рф', 'я•••@пример.рф'],
    ['😀smile@example.com', '😀•••@example.com'],
    ['"odd@local"@example.com', '"•••@example.com'],
    ['no address', '•••'],
    [null, undefined],
  ])('%s becomes %s', (email, masked) => {
    expect(maskEmail(email)).toBe(masked)
  })

  test('keeps one character before the @, whatever stood there', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        const [local, domain] = email.split('@') as [string, string]
        expect(maskEmail(email)).toBe(`${local[0]}•••@${domain}`)
      }),
    )
  })
})

test('maskPhone shows the last four digits and nothing else of the number', () => {
  expect(maskPhone('+79161231234')).toBe('+7 *** ***-12-34')
  const phone = fc.stringMatching(/^\+7[0-9]{10}$/)
  fc.assert(
    fc.property(phone, (number) => {
      expect(maskPhone(number).replaceAll(/[^0-9]/g, '')).toBe(`7${number.slice(-4)}`)
    }),
  )
})
