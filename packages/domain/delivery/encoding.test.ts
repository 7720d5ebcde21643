import { expect, test } from 'vitest'
import { encodingFor } from './encoding.ts'

test.each<[string | undefined, string | null]>([
  [undefined, null],
  ['', null],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['BR', 'br'],
  ['*', 'br'],
  ['br;q=0.001, gzip;q=1', 'br'],
  ['br;q=0', null],
  ['br ; q=0.000 , gzip', 'gzip'],
  ['br;q=0;x=1', null],
  ['*;q=0', null],
  ['identity;q=0', null],
  ['x-br', null],
  // An asterisk is for those that are not named.
  ['br;q=0, *', 'gzip'],
  ['*, br;q=0, gzip;q=0', null],
  ['gzip, *;q=0', 'gzip'],
])('who accepts %j gets %j', (accepted, encoding) => {
  expect(encodingFor(accepted)).toBe(encoding)
})

test('what is longer than any app sends is not looked through', () => {
  expect(encodingFor(`${','.repeat(600)}br`)).toBeNull()
})
