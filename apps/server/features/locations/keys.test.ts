import { publicKeyOf } from '@sallyport/domain/vpn/engine/instance-endpoint'
import { expect, test } from 'vitest'
import { plainKeyPair } from './keys.ts'

test('300 pairs read the same in every Base64, belong together, and are all different', () => {
  const pairs = Array.from({ length: 300 }, plainKeyPair)
  for (const { private_key, public_key } of pairs) {
    for (const key of [private_key, public_key]) {
      expect(key).toMatch(/^[A-Za-z0-9]{43}$/)
      expect(Buffer.from(key, 'base64').toString('base64')).toBe(`${key}=`)
    }
    expect(publicKeyOf(private_key)).toBe(public_key)
  }
  expect(new Set(pairs.map((pair) => pair.private_key)).size).toBe(300)
  // Every character that may stand there does.
  expect(new Set(pairs.flatMap((pair) => [...pair.private_key, ...pair.public_key])).size).toBe(62)
})
