import { expect, test } from 'vitest'
import { withPrivateKey } from './keys.ts'

test('a key goes where REALITY reads it, and nothing else changes', () => {
  const json = {
    inbounds: [{ port: 1, streamSettings: { realitySettings: { target: 'a:443', privateKey: 'old' } } }],
    outbounds: [],
  }
  const changed = withPrivateKey(JSON.stringify(json), 'new')
  expect(JSON.parse(changed ?? '')).toEqual({
    ...json,
    inbounds: [{ port: 1, streamSettings: { realitySettings: { target: 'a:443', privateKey: 'new' } } }],
  })
})

test.each(['', '{', '{}', '{"inbounds":[{}]}'])('%j has no place for one', (text) => {
  expect(withPrivateKey(text, 'new')).toBeUndefined()
})
