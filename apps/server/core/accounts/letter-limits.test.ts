import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { useTestDatabase } from '../../../../test/support/databases/database.ts'
import { returnGuess, takeGuess } from '../kernel/guesses.ts'
import { foreignGuess, letterGuess, letterSlot, slotStart, takeLetter } from './letter-limits.ts'

const database = useTestDatabase()
const addressKey = randomBytes(32)
/** A day begins. */
const day = 1_800_000_000 - (1_800_000_000 % 86_400)
const hour = (at: number) => day + at * 3600

const askerAt = (network: number, now: number) => ({
  subject: 'ann',
  ip: `203.0.${network}.1`,
  addressKey,
  now,
})

type Outcome = 'digits' | 'long' | 'nothing' | 'refused'

const ask = async (network: number, now: number): Promise<Outcome> => {
  const asker = askerAt(network, now)
  if ((await takeGuess(database().db, letterGuess(asker))) !== undefined) return 'refused'
  const leave = await takeLetter(database().db, asker)
  if (!leave) return 'nothing'
  return leave.hasDigits ? 'digits' : 'long'
}
const times = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))
const countOf = (outcomes: readonly Outcome[], wanted: Outcome) =>
  outcomes.filter((outcome) => outcome === wanted).length

beforeEach(async () => {
  await database().db.deleteFrom('security_counters').execute()
})

test('one network has 10 letters an hour and 30 a day to an address, 12 of them with digits', async () => {
  const outcomes: Outcome[] = []
  for (const at of [0, 1, 2, 3]) {
    for (let asked = 0; asked < 11; asked++) outcomes.push(await ask(1, hour(at) + asked * 300))
    expect(outcomes.pop()).toBe('refused')
  }
  expect(countOf(outcomes, 'digits')).toBe(12)
  expect(countOf(outcomes, 'long')).toBe(18)
  expect(outcomes.slice(30)).toEqual(Array(10).fill('refused'))
  expect(await ask(2, hour(3))).toBe('digits')
})

test('one network has 200 letters an hour to all addresses', async () => {
  const asked = await times(220, (at) =>
    takeGuess(database().db, letterGuess({ ...askerAt(1, day), subject: `person${at}` })),
  )
  expect(asked.filter((wait) => wait === undefined)).toHaveLength(200)
})

test('a day brings a mailbox 44 letters with digits and 288 without, however many networks ask for more', async () => {
  const outcomes: Outcome[] = []
  for (let at = 0; at < 288; at++) {
    const asks = at % 12 === 0 && at < 36 ? 50 : 2
    const now = day + at * 300 + (at % 300)
    outcomes.push(...(await times(asks, (place) => ask((at * 2 + place) % 250, now))))
  }
  expect(countOf(outcomes, 'digits')).toBe(24 + 20)
  expect(countOf(outcomes, 'long')).toBe(288)
  expect(countOf(outcomes, 'refused')).toBe(0)
})

describe('a fourth network gets digits whatever three others ask for', () => {
  const attacks: Record<string, (at: number) => number> = {
    'as much as they can at once': () => 12,
    'little by little, and the rest at once': (at) => (at < 8 ? 1 : 12),
    'two an hour': () => 2,
    'late in the day': (at) => (at < 20 ? 0 : 12),
  }
  test.each(Object.entries(attacks))('%s', async (_name, asksIn) => {
    for (let at = 0; at < 24; at++) {
      for (const network of [1, 2, 3]) await times(asksIn(at), () => ask(network, hour(at)))
      const fourth = askerAt(4, hour(at))
      const leave = await takeLetter(database().db, fourth)
      expect([at, leave?.hasDigits]).toEqual([at, true])
      if (leave) await returnGuess(database().db, leave.guess)
    }
  })
})

test('whoever is sent nothing has a letter that lasts for 300 seconds more', async () => {
  for (const at of [0, 1, 2]) await times(50, (network) => ask(network, hour(at)))
  let mailedAt = 0
  for (let now = hour(3); now < hour(4); now += 13) {
    const outcome = await ask(now % 251, now)
    if (outcome === 'long') mailedAt = now
    else expect(outcome).toBe('nothing')
    expect(mailedAt).toBeGreaterThanOrEqual(slotStart(now))
    expect(slotStart(now) + 600 - now).toBeGreaterThan(300)
  }
})

test('of many at once one is sent the last letter, and again when it was used', async () => {
  for (const at of [0, 1, 2]) await times(50, (network) => ask(network, hour(at)))
  const now = hour(3) + 299
  expect(countOf(await times(40, (network) => ask(network, now)), 'long')).toBe(1)
  await returnGuess(database().db, letterSlot(askerAt(0, now)))
  expect(countOf(await times(40, (network) => ask(network, now)), 'long')).toBe(1)
  expect(await ask(1, now + 1)).toBe('long')
})

test('digits may be tried elsewhere 10 times an hour and 30 a day', async () => {
  const tried = []
  for (let at = 0; at < 5; at++) {
    const waits = await times(20, (network) =>
      takeGuess(database().db, foreignGuess(askerAt(network, hour(at)))),
    )
    tried.push(waits.filter((wait) => wait === undefined).length)
  }
  expect(tried).toEqual([10, 10, 10, 0, 0])
})

test('neither addresses nor networks are kept', async () => {
  await ask(1, day)
  const kept = JSON.stringify(await database().db.selectFrom('security_counters').selectAll().execute())
  expect(kept).not.toMatch(/203\.0|:ann/)
})
