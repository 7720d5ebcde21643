import { expect, test } from 'vitest'
import { bytesOf } from './bytes.ts'

test.each([
  [0, '0 Б', '0 B'],
  [999, '999 Б', '999 B'],
  [1000, '1 КБ', '1 KB'],
  [1_500_000, '1,5 МБ', '1.5 MB'],
  [10_000_000, '10 МБ', '10 MB'],
  [9_960_000_000, '10 ГБ', '10 GB'],
  [12_500_000_000, '12,5 ГБ', '12.5 GB'],
  [123_400_000_000, '123 ГБ', '123 GB'],
  [500_000_000_000, '500 ГБ', '500 GB'],
  [999_700_000_000, '1 ТБ', '1 TB'],
  [5e15, '5 000 ТБ', '5,000 TB'],
])('%i bytes: %s, %s', (bytes, russian, english) => {
  const read = (text: string) => text.replaceAll(/\s/g, ' ')
  expect(read(bytesOf(bytes, 'ru'))).toBe(russian)
  expect(read(bytesOf(bytes, 'en'))).toBe(english)
})
