import { anonymousLimit } from '@sallyport/contract/operation'
import { expect, test } from 'vitest'
import { openLimiter } from '../../../../test/support/service.ts'
import { Bus } from '../../core/kernel/bus.ts'
import { AnonymousLimit } from '../../core/kernel/credential-lookup.ts'
import type { Limiter } from '../../ports/limiter.ts'
import { WholeTableCache } from './whole-table-cache.ts'

/** A table whose reads see what is in it when they begin, and end when the test says so. */
const tableOf = (rows: Map<string, string>) => {
  const ends: (() => void)[] = []
  const read = async () => {
    const seen = new Map(rows)
    await new Promise<void>((resolve) => ends.push(resolve))
    return seen
  }
  /** Waits for the read to begin. */
  const end = async (nth: number) => {
    await expect.poll(() => ends.length).toBeGreaterThan(nth)
    ends[nth]?.()
  }
  return { cache: new WholeTableCache(new Bus(), 'auth:n:', read), end, begun: () => ends.length }
}

const spentLimiter: Limiter = {
  ...openLimiter,
  take: async (key, limit) => ({ ...(await openLimiter.take(key, limit)), isAllowed: false }),
}
const senderOf = (limiter: Limiter) => new AnonymousLimit(limiter, () => 'anybody', anonymousLimit)
const find = (cache: WholeTableCache<string>, id: string, key: string, limiter = openLimiter) =>
  cache.find(id, senderOf(limiter), (known) => known === key)

test('a key that was made while others were read is found by whoever asks with it', async () => {
  const rows = new Map<string, string>()
  const { cache, end, begun } = tableOf(rows)
  const before = find(cache, '1', 'a')
  await expect.poll(begun).toBe(1)
  rows.set('1', 'a')
  const after = find(cache, '1', 'a')
  await end(0)
  expect(await before).toBeUndefined()
  await end(1)
  expect(await after).toBe('a')
})

test('one that took the place of a kept one is found, and the old one is not', async () => {
  const rows = new Map([['1', 'a']])
  const { cache, end } = tableOf(rows)
  const first = find(cache, '1', 'a')
  await end(0)
  expect(await first).toBe('a')
  rows.set('1', 'b')
  const second = find(cache, '1', 'b')
  await end(1)
  expect(await second).toBe('b')
  expect(await find(cache, '1', 'b')).toBe('b')
})

test('however many ask with what nobody was given, one read goes on at a time', async () => {
  const { cache, end, begun } = tableOf(new Map([['1', 'a']]))
  const first = find(cache, '2', 'x')
  await expect.poll(begun).toBe(1)
  const others = Array.from({ length: 500 }, (_, n) => find(cache, String(n), 'x'))
  await end(0)
  await first
  await end(1)
  expect(new Set(await Promise.all(others))).toEqual(new Set([undefined]))
  expect(begun()).toBe(2)
})

test('whoever has spent the limit has one look a second, also at a key that is kept', async () => {
  const { cache, end, begun } = tableOf(new Map([['1', 'a']]))
  const first = find(cache, '1', 'a')
  await end(0)
  await first
  for (const id of ['1', '2', '3']) expect(await find(cache, id, 'x', spentLimiter)).toBeUndefined()
  expect(begun()).toBe(1)
  expect(await find(cache, '1', 'a', spentLimiter)).toBe('a')
})
