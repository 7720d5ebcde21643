import { randomBytes } from 'node:crypto'
import { ApiError } from '@sallyport/contract/errors'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { useTestDatabase } from '../../../../test/support/databases/database.ts'
import { inTransaction } from '../../db/client.ts'
import { connectionFailure } from '../../db/connections/primary-client.ts'
import { DatabaseError } from '../../db/driver.ts'
import { boughtPromocodes } from '../../features/profile/promocode-queries.ts'
import { createUser } from '../accounts/users.ts'
import { Vault } from '../kernel/vault.ts'
import { createOperator } from '../operators/operators.ts'
import {
  issuePromocode,
  issuePromocodes,
  type NewPromocode,
  noteRedemption,
  openPromocode,
  redeemPromocode,
  revokeBoughtKey,
} from './promocodes.ts'

const database = useTestDatabase()
const vault = new Vault(randomBytes(32))
const now = 1_800_000_000
let buyerId: number
let operatorId: number

const newUser = async () =>
  (
    await createUser(database().db, vault, now, {
      email: null,
      signInMethod: 'signIn',
      referralCode: undefined,
    })
  ).id

const newOrder = async (userId = buyerId): Promise<number> => {
  const { id } = await database()
    .db.insertInto('orders')
    .values({
      user_id: userId,
      product: 'configs',
      state: 'paid',
      days: 30,
      price: 200,
      value_rub: 200,
      price_steps: '{}',
      purchase: '{}',
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

beforeAll(async () => {
  buyerId = await newUser()
  await createOperator(database().db, { name: 'test', role: 'owner', now })
  operatorId = (await database().db.selectFrom('operators').select('id').executeTakeFirstOrThrow()).id
})

const gift = { product: 'configs', days: 30, now } as const
const issue = (change: Partial<NewPromocode> = {}) =>
  issuePromocode(database().db, vault, { ...gift, operatorId, ...change } as NewPromocode)
const redeem = (code: string, change: { userId?: number; now?: number } = {}) =>
  inTransaction(database().db, (tx) =>
    redeemPromocode(tx, vault, {
      code,
      product: 'configs',
      productId: null,
      userId: buyerId,
      now,
      ...change,
    }),
  )
/** Who got no connection within two seconds has done nothing, and tries again. */
const insist = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    if (error instanceof DatabaseError && error.code === connectionFailure) return insist(work)
    throw error
  })
const rowOf = (id: number) =>
  database().db.selectFrom('promocodes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const refusalOf = (work: Promise<unknown>): Promise<ApiError> =>
  work.then(
    () => Promise.reject(new Error('The key was taken')),
    (error) => (error instanceof ApiError ? error : Promise.reject(error)),
  )

describe('a key', () => {
  test('is used however it is typed, and the use is written down', async () => {
    const { id, code } = await issue()
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
    const typed = ` ${code.replaceAll('-', '').replaceAll('0', 'o').replaceAll('1', 'l').toLowerCase()} `
    expect(await redeem(typed)).toEqual({ id, days: 30, isGift: true })
    const orderId = await newOrder()
    await noteRedemption(database().db, id, orderId)
    expect(await rowOf(id)).toMatchObject({ used_by: buyerId, used_at: now, used_order_id: orderId })
    await expect(noteRedemption(database().db, id, await newOrder())).rejects.toThrow('another order')
    const fresh = await issue()
    await expect(noteRedemption(database().db, fresh.id, await newOrder())).rejects.toThrow('not used')
  })

  test('check 19: it is used once, also when 1 000 purchases name it at the same moment', async () => {
    const { id, code } = await issue()
    const users: number[] = []
    while (users.length < 1000) users.push(...(await Promise.all(Array.from({ length: 50 }, newUser))))
    const outcomes = await Promise.allSettled(users.map((userId) => insist(() => redeem(code, { userId }))))
    const winners = users.filter((_, at) => outcomes[at]?.status === 'fulfilled')
    expect(winners).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'PROMOCODE_INVALID' })
    }
    expect((await rowOf(id)).used_by).toBe(winners[0])
  })

  test('stays usable when the purchase that named it failed', async () => {
    const { code } = await issue()
    const failing = inTransaction(database().db, async (tx) => {
      await redeemPromocode(tx, vault, {
        code,
        product: 'configs',
        productId: null,
        userId: buyerId,
        now,
      })
      throw new Error('no free server')
    })
    await expect(failing).rejects.toThrow('no free server')
    expect(await redeem(code)).toMatchObject({ days: 30 })
  })

  test('that ends works until that second', async () => {
    const [early, late] = [await issue({ expiresAt: now + 60 }), await issue({ expiresAt: now + 60 })]
    expect(await redeem(early.code, { now: now + 59 })).toMatchObject({ id: early.id })
    expect(await refusalOf(redeem(late.code, { now: now + 60 }))).toMatchObject({ code: 'PROMOCODE_INVALID' })
  })

  test('for every wrong key there is one answer', async () => {
    const used = await issue()
    await redeem(used.code)
    const orderId = await newOrder()
    const revoked = await issue({ operatorId: undefined, buyerId, orderId } as Partial<NewPromocode>)
    expect(await revokeBoughtKey(database().db, orderId, now)).toBe(true)
    const expired = await issue({ expiresAt: now - 1 })
    const otherClass = await issue({ product: 'paid_options' })
    const stranger = await issuePromocode(database().db, new Vault(randomBytes(32)), { ...gift, operatorId })
    const codes = [used, revoked, expired, otherClass, stranger].map(({ code }) => code)
    const refusals = await Promise.all(
      [...codes, '0000-0000-0000-0000', 'FREE', 'UUUU-UUUU-UUUU-UUUU'].map((code) => refusalOf(redeem(code))),
    )
    const answers = refusals.map(({ code, message, details }) => JSON.stringify([code, message, details]))
    expect(new Set(answers).size).toBe(1)
    expect(refusals[0]?.code).toBe('PROMOCODE_INVALID')
    expect((await rowOf(otherClass.id)).used_at).toBeNull()
  })
})

describe('many at once', () => {
  test('are all different, open from their seals, and each works', async () => {
    const issued = await issuePromocodes(database().db, vault, { ...gift, operatorId, count: 1000 })
    expect(new Set(issued.map(({ code }) => code)).size).toBe(1000)
    expect(issued.map(({ id }) => id)).toEqual(issued.map(({ id }) => id).sort((a, b) => a - b))
    for (const { id, code } of [issued[0], issued[1], issued[999]] as typeof issued) {
      expect(openPromocode(vault, await rowOf(id))).toBe(code)
      expect((await redeem(code)).id).toBe(id)
    }
  })

  test('a sealed key opens in its own row only', async () => {
    const [one, other] = [await issue(), await issue()]
    const { code_sealed } = await rowOf(one.id)
    const moved = { code_sealed, code_hash: (await rowOf(other.id)).code_hash }
    expect(() => openPromocode(vault, moved)).toThrow()
  })
})

test('the keys of one customer are read through their own index', async () => {
  const { db } = database()
  await issuePromocodes(db, vault, { ...gift, operatorId, count: 1000 })
  await issuePromocodes(db, vault, { ...gift, buyerId: await newUser(), count: 1000 })
  await sql`analyze promocodes`.execute(db)
  const query = boughtPromocodes(db, { buyerId, limit: 100, offset: 0, now })
  const plan = JSON.stringify(await query.explain('json'))
  expect(plan).toContain('"promocodes_buyer"')
  expect(plan).not.toMatch(/Seq Scan|"Sort"/)
})

describe('a key that was bought', () => {
  const buyKey = async () => {
    const orderId = await newOrder()
    const bought = await issuePromocode(database().db, vault, { ...gift, buyerId, orderId })
    return { ...bought, orderId }
  }
  const refund = (orderId: number) =>
    inTransaction(database().db, (tx) => revokeBoughtKey(tx, orderId, now + 5))

  test('is no gift', async () => {
    const { code } = await buyKey()
    expect(await redeem(code)).toMatchObject({ isGift: false })
  })

  test('an order has one key', async () => {
    const { orderId } = await buyKey()
    await expect(issuePromocode(database().db, vault, { ...gift, buyerId, orderId })).rejects.toThrow()
  })

  test('is worthless after the refund of its order; a second refund changes nothing', async () => {
    const { id, orderId, code } = await buyKey()
    expect(await refund(orderId)).toBe(true)
    expect(await refusalOf(redeem(code))).toMatchObject({ code: 'PROMOCODE_INVALID' })
    const again = await inTransaction(database().db, (tx) => revokeBoughtKey(tx, orderId, now + 9))
    expect([again, (await rowOf(id)).revoked_at]).toEqual([true, now + 5])
    expect(await refund(await newOrder())).toBe(true)
  })

  test('that was used cannot be taken back', async () => {
    const { id, orderId, code } = await buyKey()
    await redeem(code)
    expect(await refund(orderId)).toBe(false)
    expect((await rowOf(id)).revoked_at).toBeNull()
  })

  test('used and refunded at the same moment is one or the other', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, buyKey))
    const results = await Promise.all(
      keys.map(({ orderId, code }) =>
        Promise.all([
          redeem(code).then(
            () => true,
            () => false,
          ),
          refund(orderId),
        ]),
      ),
    )
    for (const [isUsed, isRevoked] of results) expect(isUsed).toBe(!isRevoked)
  })
})
