import { expect, test } from 'vitest'
import { keyedHash } from './keyed-hash.ts'

/** Devices are stored under it: what it makes of a key and a message never changes. */
const known = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'

test.each([
  ['whole', ['what do ya want for nothing?']],
  ['in parts', ['what do ya want ', '', 'for nothing?']],
])('the second test case of RFC 4231, %s', (_, parts) => {
  const hashOf = keyedHash(Buffer.from('Jefe'))
  expect(hashOf(...parts.map((part) => Buffer.from(part))).toString('hex')).toBe(known)
})

test('asked again it is the same, under another key it is another', () => {
  const [one, other] = [keyedHash(Buffer.alloc(32, 1)), keyedHash(Buffer.alloc(32, 2))]
  const message = Buffer.from('hwid')
  expect(one(message)).toEqual(one(message))
  expect(one(message)).not.toEqual(other(message))
})
