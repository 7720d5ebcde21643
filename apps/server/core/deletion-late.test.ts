import { CompiledQuery } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accountOf } from '../../../test/support/account.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../test/support/service.ts'

const day = 86_400

let service: TestService
let account: ReturnType<typeof accountOf>
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  account = accountOf(service)
})
beforeEach(async () => {
  await service.heartbeat()
  user = await service.createUser({ balance: 2000, referral_balance: 3000 })
})
afterEach(async () => expect(await account.broken()).toEqual([]))
afterAll(() => service.stop())

const jobs = () => service.running.runJobs()
const query = async (text: string) =>
  (await service.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text))).rows
const balanceOf = async ({ id }: TestUser): Promise<number> =>
  (await service.operator('GET', `/users?search=${id}`)).body.data[0].balance

describe('money that comes too late', () => {
  test('is on the balance of the number, and a person is told', async () => {
    const links = [
      await account.order(user, '/configs', usualOrder),
      await account.order(user, '/profile/balance/topup', { amount: 300 }),
      await account.order(user, '/configs', { ...usualOrder, as_key: true }),
    ]
    await account.erase(user)
    for (const link of links) expect((await account.pay(link)).status).toBe(200)
    await jobs()
    expect(await balanceOf(user)).toBe(2000 + 200 + 300 + 200)
    const told = (await account.alerts('paid_after_deletion')).filter(
      (alert: { details: { user_id: number } }) => alert.details.user_id === user.id,
    )
    expect(told.map((alert: { details: { value_rub: number } }) => alert.details.value_rub).sort()).toEqual([
      200, 200, 300,
    ])
    expect(await query(`select id from promocodes where buyer_id = ${user.id}`)).toEqual([])
  })

  test('is credited and not granted when it was paid before', async () => {
    const link = await account.order(user, '/configs', usualOrder)
    await service.db.updateTable('node_status').set({ last_seen_at: 0 }).execute()
    await account.pay(link)
    await jobs()
    await account.erase(user)
    await service.heartbeat()
    service.clock.advance(60)
    await jobs()
    expect(await balanceOf(user)).toBe(2200)
    expect(await query(`select id from configs where user_id = ${user.id}`)).toEqual([])
  })

  test('earns nothing for a referrer who is gone', async () => {
    const friend = await service.createUser({ referral_code: user.referral_code })
    const early = await account.order(friend, '/profile/balance/topup', { amount: 1000 })
    await account.pay(early)
    await jobs()
    await account.erase(user)
    await account.pay(await account.order(friend, '/profile/balance/topup', { amount: 500 }))
    await jobs()
    const earned = await query(`select amount from commissions where referrer_id = ${user.id}`)
    expect(earned).toEqual([{ amount: 200 }])
    service.clock.advance(15 * day)
    await jobs()
  })
})

describe('an operator', () => {
  test('gives nothing to an account that is deleted, and may take what is left', async () => {
    await account.erase(user)
    const post = async (path: string, body: object) =>
      (await service.operator('POST', `/users/${user.id}/${path}`, body)).status
    expect(await post('sessions', {})).toBe(404)
    expect(await post('pricing-rules', { type: 'all', percent: -5 })).toBe(404)
    expect(await post('notifications', { content: 'hello' })).toBe(404)
    expect(await post('balance', { account: 'wallet', amount: 1, reason: 'x' })).toBe(409)
    expect(await post('balance', { account: 'wallet', amount: -2000, reason: 'sent back' })).toBe(201)
  })

  test('reads what happened to an account, newest first, page by page', async () => {
    const target = await service.createUser()
    await account.move(user, target)
    await account.move(target, user)
    await account.erase(user)
    const page = async (text: string) =>
      (await service.operator('GET', `/users/${user.id}/events?${text}`)).body.data
    const all = await page('')
    expect(all.map(({ kind }: { kind: string }) => kind)).toEqual([
      'deleted',
      'transferred_in',
      'transferred_out',
    ])
    expect(await page('limit=1')).toEqual(all.slice(0, 1))
    expect(await page(`limit=5&before=${all[0].id}`)).toEqual(all.slice(1))
    expect((await service.operator('GET', '/users/999999999/events')).status).toBe(404)
  })
})
