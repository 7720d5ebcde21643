import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainLine } from './plain-line.ts'
import { dateOf, devicesOf, timeLeft, timeLeftUntil } from './quantities.ts'

const day = 86_400

test.each([
  [1, '1 час', '1 hour'],
  [3599, '1 час', '1 hour'],
  [2 * 3600, '2 часа', '2 hours'],
  [day - 1, '23 часа', '23 hours'],
  [day, '1 день', '1 day'],
  [2 * day, '2 дня', '2 days'],
  [5 * day + 9, '5 дней', '5 days'],
  [11 * day, '11 дней', '11 days'],
  [21 * day, '21 день', '21 days'],
  [1234 * day, '1 234 дня', '1,234 days'],
])('%i s left: %s, %s', (seconds, russian, english) => {
  const read = (text: string) => text.replaceAll(/\s/g, ' ')
  expect(read(timeLeft(seconds, 'ru'))).toBe(russian)
  expect(read(timeLeft(seconds, 'en'))).toBe(english)
})

test('what is said to be left is so until the time that is told, and no longer', () => {
  const lefts = fc.oneof(fc.integer({ min: -day, max: 3 * day }), fc.integer({ min: 0, max: 4000 * day }))
  fc.assert(
    fc.property(lefts, (left) => {
      const end = 1_800_000_000
      const said = (now: number) => timeLeft(end - now, 'en')
      const until = timeLeftUntil(end, end - left)
      if (until === Number.POSITIVE_INFINITY) {
        for (const now of [end - left, end - 1, end, end + day]) expect(said(now)).toBe(said(end))
        return
      }
      expect(until).toBeGreaterThan(end - left)
      expect(said(until - 1)).toBe(said(end - left))
      expect(said(until)).not.toBe(said(end - left))
    }),
  )
})

test.each([
  [1, '1 устройства', '1 device'],
  [2, '2 устройств', '2 devices'],
  [5, '5 устройств', '5 devices'],
  [21, '21 устройства', '21 devices'],
])('up to %i: %s, %s', (count, russian, english) => {
  const read = (text: string) => text.replaceAll(/\s/g, ' ')
  expect(read(devicesOf(count, 'ru'))).toBe(russian)
  expect(read(devicesOf(count, 'en'))).toBe(english)
})

test('a day is a day of UTC in both languages', () => {
  expect(dateOf(1_796_774_399, 'ru').replaceAll(/\s/g, ' ')).toBe('8 декабря 2026 г.')
  expect(dateOf(1_796_774_400, 'en')).toBe('December 9, 2026')
})

test.each([
  ['a\r\n\tb\u0000c\u2028d', 'a b c d'],
  ['\u202eabc\u202c \u2066x\u2069\u200f', 'abc x'],
  ['\ud83d half', '\ufffd half'],
  ['👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 e\u0301', '👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 e\u0301'],
  [' \u0007 ', ''],
])('%j is shown as %j', (title, shown) => {
  expect(plainLine(title)).toBe(shown)
})
