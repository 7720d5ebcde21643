import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { useTestDatabase } from '../../../test/support/database.ts'
import { inTransaction } from '../db/client.ts'
import { letterGuess, promocodeGuess, returnGuess, signInGuess, takeGuess } from './guesses.ts'
import { tidy } from './housekeeping.ts'

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

/** How far the counters stand: of all accounts, of all addresses, and of everybody together. */
const counts = async () => {
  const all = await rows()
  return ['promocode:user:', 'promocode:ip:', 'promocode:all'].map((prefix) =>
    all.filter(({ key }) => key.startsWith(prefix)).reduce((sum, { count }) => sum + count, 0),
  )
}

/** Lets `work` begin while a counter is held, then lets go, so that all of it looked before any of it counted. */
const whileHeld = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
  const [isHeld, mayGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = inTransaction(database().db, async (tx) => {
    await tx.selectFrom('security_counters').select('key').where('key', '=', key).forUpdate().execute()
    isHeld.resolve()
    await mayGo.promise
  })
  await isHeld.promise
  const working = work()
  await sleep(300)
  mayGo.resolve()
  await holder
  return working
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
    expect(await counts()).toEqual([10, 10, 10])
    expect(await take()).toBe(3000)
    expect(await counts()).toEqual([10, 10, 10])
  })

  test('its last attempt is taken once by all who saw it free', async () => {
    for (let at = 0; at < 9; at++) await take()
    expect(allowed(await whileHeld('promocode:user:1', () => times(9, () => take())))).toBe(1)
    expect(await counts()).toEqual([10, 10, 10])
  })
})

describe('one address', () => {
  test('has 100 attempts an hour; an IPv6 network of /48 is one address', async () => {
    const from = (userId: number, ip: string) => take({ userId, ip })
    for (let at = 0; at < 100; at++) expect(await from(100 + at, `2001:db8:1:${at}::1`)).toBeUndefined()
    expect(await from(300, '2001:db8:1:2:ffff::1')).toBe(3000)
    expect((await rows()).map(({ key }) => key)).not.toContain('promocode:user:300')
    expect(await from(300, '2001:db8:2:3::1')).toBeUndefined()
    expect(await counts()).toEqual([101, 101, 101])
  })

  test('of 150 accounts at once 100 are allowed, and the others lose nothing of their own', async () => {
    const answers = await times(150, (at) => take({ userId: 1000 + at }))
    expect(allowed(answers)).toBe(100)
    expect(await counts()).toEqual([100, 100, 100])
  })
})

test('everybody together has 5000 attempts an hour', async () => {
  await take()
  await database()
    .db.updateTable('security_counters')
    .set({ count: 4990 })
    .where('key', '=', 'promocode:all')
    .execute()
  const answers = await times(40, (at) => take({ userId: 10 + at, ip: `198.51.100.${at}` }))
  expect(allowed(answers)).toBe(10)
  expect(await counts()).toEqual([11, 11, 5000])
  expect(await take({ now: hour + 3600 })).toBeUndefined()
})

describe('an attempt given back', () => {
  test('does not count, in the hour it was taken in', async () => {
    const early = { now: hour + 3599 }
    await take(early)
    await take({ now: hour + 3600 })
    await giveBack(early)
    expect(await rows()).toHaveLength(6)
    for (const { window_start, count } of await rows()) expect(count).toBe(window_start === hour ? 0 : 1)
  })

  test('never makes more room than there was', async () => {
    await giveBack()
    await take()
    await giveBack()
    await giveBack()
    expect(await counts()).toEqual([0, 0, 0])
    expect(allowed(await times(11, () => take()))).toBe(10)
  })

  test('takes its counters in the same order as a new one', async () => {
    await take()
    const both = async () => {
      const givingBack = giveBack()
      await sleep(100)
      return Promise.all([givingBack, take()])
    }
    await whileHeld('promocode:all', both)
    expect(await counts()).toEqual([1, 1, 1])
  })

  test('taking and giving back at the same time wait in turn and leave the right sums', async () => {
    const answers = await times(120, async (at) => {
      const own = { userId: 1 + (at % 12), ip: `203.0.113.${at % 3}` }
      const wait = await take(own)
      if (wait === undefined && at % 2) await giveBack(own)
      return wait
    })
    const kept = answers.filter((wait, at) => wait === undefined && at % 2 === 0).length
    expect(await counts()).toEqual([kept, kept, kept])
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
  expect(await rows()).toHaveLength(7)
  await tidy(database().db, hour + 2 * 86_400)
  expect((await rows()).map((row) => row.window_start)).toEqual([hour + 3600, hour + 3600, hour + 3600])
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

  test('all strangers together have 30 tries an hour for one account', async () => {
    const answers = await times(60, (at) => tryAs('email:ann', `203.0.113.${at}`))
    expect(allowed(answers)).toBe(30)
    expect(await tryAs('email:ann', '198.51.100.1')).toBe(3000)
    expect(await tryAs('email:ann', '198.51.100.1', hour + 3600)).toBeUndefined()
  })

  test('one address has 100 tries an hour for all accounts', async () => {
    expect(allowed(await times(120, (at) => tryAs(`email:${at}`, '203.0.113.1')))).toBe(100)
    expect(await tryAs('email:another', '203.0.113.1')).toBe(3000)
  })
})

test('a mailbox gets 15 letters an hour and 50 a day, whoever asks for them', async () => {
  const day = hour - (hour % 86_400)
  let sent = 0
  for (const at of [0, 1, 2, 3, 4]) {
    const now = day + at * 3600
    const ask = (from: number) =>
      takeGuess(database().db, letterGuess({ subject: 'ann', ip: `203.0.113.${from}`, addressKey, now }))
    sent += allowed(await times(20, ask))
    expect(sent).toBe(Math.min(15 * (at + 1), 50))
  }
})
