import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { useTestDatabase } from '../../../../test/support/databases/database.ts'
import { tidy } from '../../compose/tidy.ts'
import { inTransaction } from '../../db/client.ts'
import { Vault } from '../kernel/vault.ts'
import {
  findByLongCode,
  keepMailedCode,
  type NewMailedCode,
  type RightLetter,
  spendLetter,
  tryForeignDigits,
  tryOwnDigits,
} from './mailed-codes.ts'

const database = useTestDatabase()
const vault = new Vault(randomBytes(32))
const now = 1_800_000_000
const home = { email: 'ann@example.com', network: 'home' }
const letter = { ...home, digits: '012345', long: '0123456789ABCDEF', referralCode: undefined, now }
const given = { ...home, digits: '012345', now }
const long = { ...home, long: letter.long, now }

const keep = (change: Partial<NewMailedCode> = {}) =>
  inTransaction(database().db, (tx) => keepMailedCode(tx, vault, { ...letter, ...change }))
const own = (change: Partial<typeof given> = {}) =>
  tryOwnDigits(database().db, vault, { ...given, ...change })
const foreign = (change: Partial<typeof given> = {}) =>
  tryForeignDigits(database().db, vault, { ...given, network: 'elsewhere', ...change })
const byLong = (change: Partial<typeof long> = {}) =>
  findByLongCode(database().db, vault, { ...long, ...change })
const spend = (right: RightLetter | undefined) =>
  inTransaction(database().db, async (tx) => right !== undefined && spendLetter(tx, right))
const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))
const rows = () => database().db.selectFrom('mailed_codes').selectAll().execute()

beforeEach(async () => {
  await database().db.deleteFrom('mailed_codes').execute()
})

describe('the digits', () => {
  test('are right where they were asked for, for their address', async () => {
    expect(await keep()).toBe(now + 600)
    expect((await own())?.right).toBeDefined()
    expect((await own({ digits: '999999' }))?.right).toBeUndefined()
    expect(await own({ network: 'elsewhere' })).toBeUndefined()
    expect(await own({ email: 'bob@example.com' })).toBeUndefined()
  })

  test('last 600 seconds and not one more', async () => {
    await keep()
    expect((await own({ now: now + 599 }))?.right).toBeDefined()
    expect(await own({ now: now + 600 })).toBeUndefined()
    expect(await foreign({ now: now + 599 })).toBeDefined()
    expect(await foreign({ now: now + 600 })).toBeUndefined()
  })

  test('have five tries, also among 50 at once, and five for all other networks together', async () => {
    await keep()
    const right = await times(50, () => own())
    expect(right.filter((one) => one?.right)).toHaveLength(5)
    expect(await own()).toEqual({ right: undefined })
    const others = await times(50, () => foreign())
    expect(others.filter(Boolean)).toHaveLength(5)
    await keep({ digits: '543210', long: 'B'.repeat(16) })
    expect((await own({ digits: '543210' }))?.right).toBeDefined()
  })

  test('are replaced where they were asked for and nowhere else, and do not come back', async () => {
    await keep()
    const old = await own()
    await keep({ network: 'stranger', digits: '111111', long: 'B'.repeat(16) })
    expect((await own())?.right).toBeDefined()
    await keep({ digits: '222222', long: 'C'.repeat(16) })
    expect((await own())?.right).toBeUndefined()
    // Found right before they were replaced.
    expect(await spend(old?.right)).toBe(false)
    expect(await spend((await own({ digits: '222222' }))?.right)).toBe(true)
    expect(await own()).toBeUndefined()
    expect((await own({ network: 'stranger', digits: '111111' }))?.right).toBeDefined()
  })

  test('of letters that one network asks for at once, one has them', async () => {
    let asked = 0
    await times(8, () => keep({ long: String(asked++).padStart(16, '0') }))
    const kept = await rows()
    expect(kept).toHaveLength(8)
    expect(kept.filter(({ digits_hash }) => digits_hash !== null)).toHaveLength(1)
  })

  test('are right elsewhere while they are the newest, and cost their owner no try', async () => {
    await keep()
    for (let at = 0; at < 4; at++) expect(await foreign({ digits: '999999' })).toBeUndefined()
    expect(await foreign()).toBeDefined()
    expect(await foreign()).toBeUndefined()
    expect((await rows())[0]).toMatchObject({ tries_left: 5, foreign_tries_left: 0 })
    await keep({ network: 'stranger', digits: '111111', long: 'B'.repeat(16) })
    expect(await foreign()).toBeUndefined()
    expect(await foreign({ digits: '111111' })).toBeDefined()
    // A letter without digits leaves those that are there.
    await keep({ digits: undefined, long: 'C'.repeat(16) })
    expect((await own())?.right).toBeDefined()
    expect(await foreign({ digits: '111111' })).toBeDefined()
  })

  test('are not tried where a failure would undo it', async () => {
    const trying = inTransaction(database().db, (tx) => tryOwnDigits(tx, vault, given))
    await expect(trying).rejects.toThrow('transaction')
  })
})

describe('the long code', () => {
  test('is right from anywhere for its address, whatever letters come later, for 600 seconds', async () => {
    await keep()
    for (const network of ['home', 'stranger']) await keep({ network, long: network.padEnd(16) })
    expect(await byLong({ network: 'elsewhere', now: now + 599 })).toBeDefined()
    expect(await byLong({ now: now + 600 })).toBeUndefined()
    expect(await byLong({ email: 'bob@example.com' })).toBeUndefined()
    expect(await byLong({ long: '' })).toBeUndefined()
  })

  test('and the digits end together, and one of all who use either wins', async () => {
    await keep()
    const right = [
      (await own())?.right,
      await foreign(),
      await byLong(),
      await byLong({ network: 'elsewhere' }),
    ]
    expect(right.filter(Boolean)).toHaveLength(4)
    const spent = await Promise.all(right.map(spend))
    expect(spent.filter(Boolean)).toHaveLength(1)
    expect([await own(), await foreign(), await byLong(), await rows()]).toEqual([
      undefined,
      undefined,
      undefined,
      [],
    ])
  })
})

test('who invited somebody counts only where it was said, and tells when the letter was mailed', async () => {
  await keep({ referralCode: 'ANNA' })
  expect((await own())?.right).toMatchObject({ referralCode: 'ANNA', mailedAt: now })
  expect(await byLong()).toMatchObject({ referralCode: 'ANNA', mailedAt: now })
  expect(await foreign()).toMatchObject({ referralCode: null })
  expect(await byLong({ network: 'elsewhere' })).toMatchObject({ referralCode: null })
})

test('what is kept is keyed: neither codes nor address, nor their plain hashes', async () => {
  await keep()
  await inTransaction(database().db, (tx) => keepMailedCode(tx, new Vault(randomBytes(32)), letter))
  const [one, other] = await rows()
  for (const column of ['recipient_hash', 'asker_hash', 'digits_hash', 'long_hash'] as const) {
    expect(one?.[column]).not.toEqual(other?.[column])
  }
  expect(JSON.stringify([one, other])).not.toMatch(/012345|ann@|home/)
})

test('old letters are forgotten', async () => {
  await keep()
  await tidy(database().db, now + 599)
  expect(await rows()).toHaveLength(1)
  await tidy(database().db, now + 600)
  expect(await rows()).toEqual([])
})
