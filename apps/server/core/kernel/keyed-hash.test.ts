import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyedHash } from './keyed-hash.ts'

test.each([0, 1, 32, 63, 64])('is what node makes of a key of %i bytes', (bytes) => {
  for (const size of [0, 1, 55, 56, 64, 1000]) {
    const [key, message] = [randomBytes(bytes), randomBytes(size)]
    const half = size >> 1
    const usual = createHmac('sha256', key).update(message).digest()
    expect(keyedHash(key)(message.subarray(0, half), message.subarray(half))).toEqual(usual)
  }
})

test('a key that would have to be hashed itself is refused', () => {
  expect(() => keyedHash(randomBytes(65))).toThrow('at most 64 bytes')
})
