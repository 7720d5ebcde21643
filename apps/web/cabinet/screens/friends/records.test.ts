import { expect, test } from 'vitest'
import { endsOf, phoneIn } from './records.ts'

test('the first and the last end of what is held are found, wherever it stands', () => {
  expect(
    endsOf([
      { amount: 40, status: 'held', created_at: 10, available_at: 300 },
      { amount: 60, status: 'held', created_at: 5, available_at: 200 },
      { amount: 500, status: 'available', created_at: 1 },
      { amount: 1000, status: 'pending', method: 'card', created_at: 1 },
    ]),
  ).toEqual([200, 300])
  expect(endsOf([])).toBeUndefined()
})

test.each([
  ['+7 900 123-45-67', '+79001234567'],
  ['8 (900) 123 45 67', '+79001234567'],
  ['9001234567', '+79001234567'],
  ['79001234567', '+79001234567'],
  ['900123456', undefined],
  ['+44 7911 123456', undefined],
  ['', undefined],
])('the phone %j is %j', (text, phone) => {
  expect(phoneIn(text)).toBe(phone)
})
