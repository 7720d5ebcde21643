import { expect, test } from 'vitest'
import { toBytes, toGigabytes } from './gigabytes.ts'

test('gigabytes there and back', () => {
  expect(toGigabytes(107_374_182_400)).toBe('100')
  expect(toBytes('100')).toBe(107_374_182_400)
  expect(toBytes('0,5')).toBe(536_870_912)
  expect(toBytes('')).toBe(0)
  expect(toBytes(undefined)).toBe(0)
})
