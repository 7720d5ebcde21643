import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { useTestDatabase } from '../../../../test/support/databases/database.ts'
import { tidy } from '../../compose/tidy.ts'
import { inTransaction } from '../../db/client.ts'
import { Vault } from '../kernel/vault.ts'
import {
  type GivenCode,
  issueBareCode,
  issueCode,
  type NewCode,
  newDigits,
  newSecret,
  readBareCode,
  spendCode,
  tryCode,
} from './one-time-codes.ts'
import { createUser } from './users.ts'

const database = useTestDatabase()
const vault = new Vault(randomBytes(32))
const now = 1_800_000_000
const ours = { kind: 'otp', subject: 'ann', code: '012345', now } as const

const issue = (change: Partial<NewCode> = {}) => issueCode(database().db, vault, { ...ours, ...change })
const attempt = (change: Partial<GivenCode> = {}) =>
  tryCode(database().db, vault, { ...ours, from: 'home', ...change })
const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))
const rows = () => database().db.selectFrom('sign_in_codes').selectAll().execute()

let userId: number
beforeAll(async () => {
  const anybody = { email: null, signInMethod: 'test', referralCode: undefined }
  userId = (await createUser(database().db, vault, now, anybody)).id
})
beforeEach(async () => {
  await database().db.deleteFrom('sign_in_codes').execute()
  await database().db.deleteFrom('security_counters').execute()
})

test('a code lasts 600 seconds and not one more', async () => {
  expect(await issue()).toBe(now + 600)
  expect(await attempt({ now: now + 599 })).toBeDefined()
  expect(await attempt({ now: now + 600 })).toBeUndefined()
})

test('a code is good for its kind and subject only', async () => {
  await issue()
  expect(await attempt({ kind: 'sign_in' })).toBeUndefined()
  expect(await attempt({ subject: 'bob' })).toBeUndefined()
  expect((await rows())[0]?.tries_left).toBe(20_000)
})

test('the sixth try is refused, even when it is right', async () => {
  await issue()
  for (let at = 0; at < 4; at++) expect(await attempt({ code: '999999' })).toBeUndefined()
  expect(await attempt()).toBeDefined()
  expect(await attempt()).toBeUndefined()
})

test('strangers use up tries of their own, and 4000 networks those of the code', async () => {
  await issue()
  for (const from of ['one', 'two', 'three']) await times(6, () => attempt({ code: '999999', from }))
  expect((await rows())[0]?.tries_left).toBe(19_985)
  expect(await attempt({ from: 'one' })).toBeUndefined()
  expect(await attempt()).toBeDefined()
  await database().db.updateTable('sign_in_codes').set({ tries_left: 1 }).execute()
  const answers = await times(9, () => attempt())
  expect(answers.filter((right) => right !== undefined)).toHaveLength(1)
})

test('of 50 tries at once five are compared, and of these one spends the code', async () => {
  await issue()
  const right = (await times(50, attempt)).filter((found) => found !== undefined)
  expect(right).toHaveLength(5)
  const spent = await Promise.all(
    right.map((one) => inTransaction(database().db, (tx) => spendCode(tx, one))),
  )
  expect(spent.filter(Boolean)).toHaveLength(1)
  expect(await rows()).toEqual([])
})

test('a new code replaces the old one, with tries of its own', async () => {
  await issue()
  const old = await attempt()
  await times(5, () => attempt({ code: '999999' }))
  await issue({ code: '543210', now: now + 60 })
  expect(await attempt({ now: now + 60 })).toBeUndefined()
  expect(await attempt({ code: '543210', now: now + 659 })).toBeDefined()
  // Found right before it was replaced.
  expect(old && (await spendCode(database().db, old))).toBe(false)
  expect(await rows()).toHaveLength(1)
})

test('a try is not counted where a failure would undo it', async () => {
  const trying = inTransaction(database().db, (tx) => tryCode(tx, vault, { ...ours, from: 'home' }))
  await expect(trying).rejects.toThrow('transaction')
})

test('what is kept is keyed: neither code nor subject, nor their plain hashes', async () => {
  await issue()
  await issueCode(database().db, new Vault(randomBytes(32)), ours)
  const [one, other] = await rows()
  expect(one?.subject_hash).not.toEqual(other?.subject_hash)
  expect(one?.code_hash).not.toEqual(other?.code_hash)
  expect(JSON.stringify([one, other])).not.toMatch(/\b012345\b|ann/)
})

test('old codes are forgotten', async () => {
  await issue()
  await tidy(database().db, now + 599)
  expect(await rows()).toHaveLength(1)
  await tidy(database().db, now + 600)
  expect(await rows()).toEqual([])
})

describe('a code that names itself', () => {
  const bare = () => issueBareCode(database().db, vault, { kind: 'sign_in', userId, now })

  test('opens the account it was made for, however it is typed', async () => {
    const { code, expiresAt } = await bare()
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
    expect(expiresAt).toBe(now + 600)
    const typed = ` ${code.toLowerCase().replaceAll('-', ' — ').replaceAll('0', 'o').replaceAll('1', 'l')} `
    const given = readBareCode(typed)
    expect(given && (await attempt({ kind: 'sign_in', ...given }))).toMatchObject({ userId, method: null })
  })

  test('ends the earlier ones of its kind, also when many are made at once', async () => {
    const transfer = await issueBareCode(database().db, vault, { kind: 'transfer', userId, now })
    await times(8, bare)
    const kinds = (await rows()).map(({ kind }) => kind)
    expect(kinds.sort()).toEqual(['sign_in', 'transfer'])
    const given = readBareCode(transfer.code)
    expect(given && (await attempt({ kind: 'transfer', ...given }))).toMatchObject({ userId })
  })

  test('is not read from anything else', () => {
    for (const text of ['', 'ABCD', 'UUUU-UUUU-UUUU-UUUU', '0000-0000-0000-0000-0', 'ё'.repeat(16)]) {
      expect(readBareCode(text)).toBeUndefined()
    }
    fc.assert(fc.property(fc.string({ maxLength: 40 }), (text) => void readBareCode(text)))
  })
})

test('digits are six, and every one of them comes up in every place', () => {
  const codes = Array.from({ length: 2000 }, newDigits)
  expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([])
  for (let place = 0; place < 6; place++) expect(new Set(codes.map((code) => code[place])).size).toBe(10)
  expect(newSecret(8)).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
  expect(new Set(Array.from({ length: 1000 }, () => newSecret(8))).size).toBe(1000)
})
