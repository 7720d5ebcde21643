import { expect, test } from 'vitest'
import { daysText, minutesText, roublesText, withinDaysText } from './counted.ts'

test.each([
  [1, '1 день', 'в течение 1 дня', '1 минуту', '1 day', '1 minute'],
  [2, '2 дня', 'в течение 2 дней', '2 минуты', '2 days', '2 minutes'],
  [3, '3 дня', 'в течение 3 дней', '3 минуты', '3 days', '3 minutes'],
  [5, '5 дней', 'в течение 5 дней', '5 минут', '5 days', '5 minutes'],
  [11, '11 дней', 'в течение 11 дней', '11 минут', '11 days', '11 minutes'],
  [21, '21 день', 'в течение 21 дня', '21 минуту', '21 days', '21 minutes'],
  [22, '22 дня', 'в течение 22 дней', '22 минуты', '22 days', '22 minutes'],
  [25, '25 дней', 'в течение 25 дней', '25 минут', '25 days', '25 minutes'],
  [1095, '1 095 дней', 'в течение 1 095 дней', '1 095 минут', '1,095 days', '1,095 minutes'],
])('%i in words', (count, days, within, minutes, daysEn, minutesEn) => {
  const read = (text: string) => text.replaceAll('\u00a0', ' ')
  expect(read(daysText(count, 'ru'))).toBe(days)
  expect(read(withinDaysText(count, 'ru'))).toBe(within)
  expect(read(minutesText(count, 'ru'))).toBe(minutes)
  expect(read(daysText(count, 'en'))).toBe(daysEn)
  expect(read(withinDaysText(count, 'en'))).toBe(`within ${daysEn}`)
  expect(read(minutesText(count, 'en'))).toBe(minutesEn)
})

test.each([
  [0, '0\u00a0₽', '0\u00a0RUB'],
  [200, '200\u00a0₽', '200\u00a0RUB'],
  [1290, '1\u00a0290\u00a0₽', '1,290\u00a0RUB'],
  [1_234_567, '1\u00a0234\u00a0567\u00a0₽', '1,234,567\u00a0RUB'],
])('%i roubles do not break over a line', (amount, russian, english) => {
  expect(roublesText(amount, 'ru')).toBe(russian)
  expect(roublesText(amount, 'en')).toBe(english)
})
