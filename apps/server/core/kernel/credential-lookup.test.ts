import { per } from '@sallyport/contract/operation'
import { expect, test } from 'vitest'
import type { Limiter } from '../../ports/limiter.ts'
import { AnonymousLimit, CredentialLookup } from './credential-lookup.ts'

const spent = {
  take: async () => ({ isAllowed: false }),
  giveBack: async () => undefined,
} as unknown as Limiter

/** Whether the database was asked for a credential of somebody whose limit is spent. */
const isAsked = async (lookup: CredentialLookup, id: string, isOurs: boolean, isThere: boolean) => {
  let reads = 0
  const read = async () => {
    reads++
    return isThere ? 'found' : undefined
  }
  await lookup.find({ id, isOurs }, new AnonymousLimit(spent, () => 'key', per(60, 60)), read)
  return reads === 1
}

test('one that is ours and dead is looked up once, and then costs as much as one that was made up', async () => {
  const lookup = new CredentialLookup()
  expect(await isAsked(lookup, 'ours', true, false)).toBe(true)
  expect(await isAsked(lookup, 'ours', true, false)).toBe(false)
  expect(await isAsked(lookup, 'made up', false, true)).toBe(false)
})

test('of those that are dead, no more than ten thousand are remembered', async () => {
  const lookup = new CredentialLookup()
  for (let at = 0; at <= 10_000; at++) await isAsked(lookup, `dead ${at}`, true, false)
  expect(await isAsked(lookup, 'dead 10000', true, false)).toBe(false)
  expect(await isAsked(lookup, 'dead 1', true, false)).toBe(false)
  expect(await isAsked(lookup, 'dead 0', true, false)).toBe(true)
})
