import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { useTestDatabase } from '../../../../test/support/databases/database.ts'
import { outside, untilWaits } from '../../../../test/support/databases/waiting.ts'
import { tidy } from '../../compose/tidy.ts'
import { inTransaction } from '../../db/client.ts'
import { promocodeGuess, requireGuess, returnGuess, signInGuess, takeFirst, takeGuess } from './guesses.ts'
import type { Guess } from './security-counters.ts'

const database = useTestDatabase()
const hour = 1_800_000_000
const addressKey = randomBytes(32)
type Attempt = Parameters<typeof promocodeGuess>[0]
const guess = (change: Partial<Attempt> = {}) =>
  promocodeGuess({ userId: 1, ip: '203.0.113.7', addressKey, now: hour + 600, ...change })
const take = (change?: Partial<Attempt>) => takeGuess(database().db, guess(change))
const giveBack = (change?: Partial<Attempt>) => returnGuess(database().db, guess(change))
const times = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))
const allowed = (answers: readonly (number | undefined)[]) =>
  answers.filter((wait) => wait === undefined).length

const rows = () => database().db.selectFrom('security_counters').selectAll().execute()

/** How far the counters stand: of all accounts, and of all addresses. */
const counts = async () => {
  const all = await rows()
  return ['promocode:user:', 'promocode:ip:'].map((prefix) =>
    all.filter(({ key }) => key.startsWith(prefix)).reduce((sum, { count }) => sum + count, 0),
  )
}

/** Lets all begin, one after another, while a counter is held, so that all of them looked before any of them counted. */
const whileHeld = async <T>(key: string, ...works: (() => Promise<T>)[]): Promise<T[]> => {
  const all: Promise<T>[] = []
  await inTransaction(database().db, async (tx) => {
    await tx.selectFrom('security_counters').select('key').where('key', '=', key).forUpdate().execute()
    for (const work of works) {
      const begun = outside(work)
      all.push(begun)
      await untilWaits(tx, begun)
    }
  })
  return Promise.all(all)
}

beforeEach(async () => {
  await database().db.deleteFrom('security_counters').execute()
})

describe('one account', () => {
  test('has 10 attempts an hour, from wherever they come', async () => {
    for (let at = 0; at < 10; at++) expect(await take({ ip: `203.0.113.${at}` })).toBeUndefined()
    expect(await take()).toBe(3000)
    expect(await take({ ip: '198.51.100.1', now: hour + 3599 })).toBe(1)
    expect(await take({ userId: 2 })).toBeUndefined()
    expect(await take({ now: hour + 3600 })).toBeUndefined()
  })

  test('of 200 simultaneous attempts exactly 10 are allowed, and only these count', async () => {
    expect(allowed(await times(200, () => take()))).toBe(10)
    expect(await counts()).toEqual([10, 10])
    expect(await take()).toBe(3000)
    expect(await counts()).toEqual([10, 10])
  })

  test('its last attempt is taken once by all who saw it free', async () => {
    for (let at = 0; at < 9; at++) await take()
    const [answers = []] = await whileHeld('promocode:user:1', () => times(9, () => take()))
    expect(allowed(answers)).toBe(1)
    expect(await counts()).toEqual([10, 10])
  })
})

describe('one address', () => {
  test('has 100 attempts an hour; an IPv6 network of /48 is one address', async () => {
    const from = (userId: number, ip: string) => take({ userId, ip })
    for (let at = 0; at < 100; at++) expect(await from(100 + at, `2001:db8:1:${at}::1`)).toBeUndefined()
    expect(await from(300, '2001:db8:1:2:ffff::1')).toBe(3000)
    expect((await rows()).map(({ key }) => key)).not.toContain('promocode:user:300')
    expect(await from(300, '2001:db8:2:3::1')).toBeUndefined()
    expect(await counts()).toEqual([101, 101])
  })

  test('of 150 accounts at once 100 are allowed, and the others lose nothing of their own', async () => {
    const answers = await times(150, (at) => take({ userId: 1000 + at }))
    expect(allowed(answers)).toBe(100)
    expect(await counts()).toEqual([100, 100])
  })
})

test('however many networks and accounts guess, others may try', async () => {
  const answers = await times(600, (at) => take({ userId: 10 + (at % 60), ip: `203.0.${at % 60}.1` }))
  expect(allowed(answers)).toBe(600)
  await database()
    .db.updateTable('security_counters')
    .set({ count: 1_000_000 })
    .where('key', 'not like', 'promocode:user:%')
    .where('key', 'not like', 'promocode:ip:%')
    .execute()
  expect(await take({ userId: 1, ip: '198.51.100.1' })).toBeUndefined()
})

describe('an attempt given back', () => {
  test('does not count, in the hour it was taken in', async () => {
    const early = { now: hour + 3599 }
    await take(early)
    await take({ now: hour + 3600 })
    await giveBack(early)
    expect(await rows()).toHaveLength(4)
    for (const { window_start, count } of await rows()) expect(count).toBe(window_start === hour ? 0 : 1)
  })

  test('never makes more room than there was', async () => {
    await giveBack()
    await take()
    await giveBack()
    await giveBack()
    expect(await counts()).toEqual([0, 0])
    expect(allowed(await times(11, () => take()))).toBe(10)
  })

  test('takes its counters in the same order as a new one', async () => {
    await take()
    const shared = (await rows()).find(({ key }) => key.startsWith('promocode:ip:'))
    await whileHeld<unknown>(
      shared?.key ?? '',
      () => giveBack(),
      () => take(),
    )
    expect(await counts()).toEqual([1, 1])
  })

  test('taking and giving back at the same time wait in turn and leave the right sums', async () => {
    const answers = await times(120, async (at) => {
      const own = { userId: 1 + (at % 12), ip: `203.0.113.${at % 3}` }
      const wait = await take(own)
      if (wait === undefined && at % 2) await giveBack(own)
      return wait
    })
    const kept = answers.filter((wait, at) => wait === undefined && at % 2 === 0).length
    expect(await counts()).toEqual([kept, kept])
  })
})

test('a guess is not counted where a failure would undo it', async () => {
  await expect(inTransaction(database().db, (tx) => takeGuess(tx, guess()))).rejects.toThrow('transaction')
  await expect(inTransaction(database().db, (tx) => returnGuess(tx, guess()))).rejects.toThrow('transaction')
})

test('no address is kept, and old hours are forgotten', async () => {
  await take()
  await take({ ip: '2001:db8:1:2::1' })
  await take({ now: hour + 3600 })
  expect(JSON.stringify(await rows())).not.toMatch(/203\.0|2001:db8/)
  await tidy(database().db, hour + 2 * 86_400 - 1)
  expect(await rows()).toHaveLength(5)
  await tidy(database().db, hour + 2 * 86_400)
  expect((await rows()).map((row) => row.window_start)).toEqual([hour + 3600, hour + 3600])
})

describe('signing in', () => {
  const tryAs = (subject: string, ip: string, now = hour + 600) =>
    takeGuess(database().db, signInGuess({ subject, ip, addressKey, now }))

  test('a stranger who guesses does not keep the owner out', async () => {
    for (let at = 0; at < 10; at++) expect(await tryAs('email:ann', '203.0.113.1')).toBeUndefined()
    expect(await tryAs('email:ann', '203.0.113.1')).toBe(3000)
    expect(await tryAs('email:ann', '203.0.113.2')).toBeUndefined()
    expect(await tryAs('email:bob', '203.0.113.1')).toBeUndefined()
  })

  test('no number of strangers keeps the owner out', async () => {
    expect(allowed(await times(200, (at) => tryAs('email:ann', `203.0.113.${at % 20}`)))).toBe(200)
    expect(await tryAs('email:ann', '203.0.113.1')).toBe(3000)
    expect(await tryAs('email:ann', '198.51.100.1')).toBeUndefined()
  })

  test('one address has 100 tries an hour for all accounts', async () => {
    expect(allowed(await times(120, (at) => tryAs(`email:${at}`, '203.0.113.1')))).toBe(100)
    expect(await tryAs('email:another', '203.0.113.1')).toBe(3000)
  })
})

test('a refusal names the limit that was hit, of several the one that lasts longest', async () => {
  const counters = [
    { key: 'short', most: 1, windowSeconds: 60 },
    { key: 'long', most: 2, windowSeconds: 3600 },
    { key: 'free', most: 9, windowSeconds: 86_400 },
  ]
  const require = (now: number) => requireGuess(database().db, { counters, now })
  await require(hour)
  await expect(require(hour)).rejects.toMatchObject({ limit: 1, retryAfterSeconds: 60 })
  await require(hour + 60)
  await expect(require(hour + 60)).rejects.toMatchObject({ limit: 2, retryAfterSeconds: 3540 })
})

describe('of several guesses', () => {
  const counter = (key: string, most: number) => ({ key, most, windowSeconds: 3600 })
  const options: Guess[] = [
    { now: hour, counters: [counter('small', 2), counter('own', 99)] },
    { now: hour, counters: [counter('own', 99), counter('large', 5)] },
    { now: hour, counters: [counter('last', 1)] },
  ]
  const places = async (answers: Promise<Guess | undefined>[]) =>
    (await Promise.all(answers)).map((taken) => (taken ? options.indexOf(taken) : -1)).sort()
  const standing = async () => Object.fromEntries((await rows()).map(({ key, count }) => [key, count]))

  test('the first with room counts, and only it', async () => {
    const found: number[] = []
    for (let at = 0; at < 9; at++) found.push(...(await places([takeFirst(database().db, options)])))
    expect(found).toEqual([0, 0, 1, 1, 1, 1, 1, 2, -1])
    expect(await standing()).toEqual({ own: 7, small: 2, large: 5, last: 1 })
  })

  test('of many at once each takes one that has room', async () => {
    const found = await places(Array.from({ length: 60 }, () => takeFirst(database().db, options)))
    expect(found).toEqual([...Array(52).fill(-1), 0, 0, 1, 1, 1, 1, 1, 2])
    expect(await standing()).toEqual({ own: 7, small: 2, large: 5, last: 1 })
  })
})
