import { SallyportError } from '@sallyport/contract/client/core'
import { expect, test } from 'vitest'
import { endingOf, keyIn } from './link.ts'

const key = 'c81TzPq4vRk0WmX7bYh2LdNs5aQ'
const refusal = (statusCode: number, errorCode: number, message: string, data?: unknown) =>
  new SallyportError({ statusCode, errorCode, message, data }, undefined)

test('a key is read from the fragment, without what a messenger left behind it', () => {
  expect(keyIn(`#${key}`)).toBe(key)
  expect(keyIn(`#${key}).`)).toBe(key)
  for (const hash of ['', '#', '#main', '#a=b', `#${'é'.repeat(27)}`]) expect(keyIn(hash)).toBeUndefined()
})

test('a refusal ends it, and nothing else does', () => {
  expect(endingOf(refusal(404, 1, 'NOT_FOUND'))).toEqual({ kind: 'gone' })
  expect(endingOf(refusal(409, 6, 'CONFLICT', { used_at: 7 }))).toEqual({ kind: 'used', at: 7 })
  expect(endingOf(refusal(409, 6, 'CONFLICT'))).toEqual({ kind: 'used', at: undefined })
  for (const error of [
    new Error('no answer'),
    refusal(429, 5, 'Too Many Requests'),
    refusal(503, 53, 'UNAVAILABLE'),
  ])
    expect(endingOf(error)).toBeUndefined()
})
