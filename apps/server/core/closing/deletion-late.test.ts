import { CompiledQuery } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accountOf } from '../../../../test/support/people/account.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../test/support/service.ts'
import { settleReceived } from '../settlement/settlement.ts'

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
  (await service.operator('GET', `/users?search=${id}`)).body.data.items[0].balance
const lastOrder = async (): Promise<{ id: number; state: string }> =>
  (await service.operator('GET', `/payments?user_id=${user.id}&limit=1`)).body.data[0]
const refund = (id: number, to: 'source' | 'balance') =>
  service.operator('POST', `/payments/${id}/refund`, { to, reason: 'asked' })
const payersOf = async (orderId: number) =>
  (await query(`select payer from receipts where order_id = ${orderId} order by id`)).map(
    ({ payer }) => payer,
  )
/** Money by a link, as a provider tells of it that knows who paid. */
const receive = (link: string, money: { receiptId: string; payer: string; amount?: number }) => {
  const paymentId = new URL(link).pathname.split('/').at(-1) as string
  const fact = { kind: 'received', providerPaymentId: null, currency: 'RUB', amount: 200, ...money } as const
  return settleReceived(service.db, 'sandbox', { ...fact, paymentId }, service.clock.now())
}

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
    expect(await query(`select id from terms where user_id = ${user.id}`)).toEqual([])
  })

  test.each<[string, string, object]>([
    ['a configuration', '/configs', usualOrder],
    ['a key', '/configs', { ...usualOrder, as_key: true }],
    ['a top-up', '/profile/balance/topup', { amount: 200 }],
  ])('for %s goes back whence it came, once, and nobody remembers who paid', async (_name, path, body) => {
    const link = await account.order(user, path, body)
    await account.erase(user)
    await account.pay(link)
    await jobs()
    const { id } = await lastOrder()
    await service.db.updateTable('receipts').set({ payer: '4477' }).where('order_id', '=', id).execute()
    const toBalance = await refund(id, 'balance')
    expect([toBalance.status, toBalance.body.details[0].problem]).toEqual([
      409,
      'the account is deleted; refund to the source',
    ])
    const answers = await Promise.all([refund(id, 'source'), refund(id, 'source')])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    await jobs()
    expect((await refund(id, 'source')).status).toBe(409)
    expect(await balanceOf(user)).toBe(2000)
    const { body: shown } = await service.operator('GET', `/payments/${id}`)
    expect(shown.data.refunds).toMatchObject([{ destination: 'source', state: 'done', amount: 200 }])
    expect(await payersOf(id)).toEqual([null])
  })

  test('twice goes back twice, and before what was bought in time', async () => {
    const link = await account.order(user, '/configs', usualOrder)
    await account.pay(link)
    await jobs()
    const { id } = await lastOrder()
    await account.erase(user)
    await receive(link, { receiptId: 'again', payer: '4477' })
    expect([await balanceOf(user), await payersOf(id)]).toEqual([2200, [null, '4477']])
    expect((await refund(id, 'balance')).status).toBe(409)
    expect((await refund(id, 'source')).status).toBe(201)
    expect([await balanceOf(user), (await lastOrder()).state]).toEqual([2000, 'fulfilled'])
    const known = await query(`select r.receipt_id from refunds f join receipts r on r.id = f.receipt_id
      where f.order_id = ${id}`)
    expect(known).toEqual([{ receipt_id: 'again' }])
    // The sandbox knows nothing of a second payment, and says so.
    await jobs()
    expect(await balanceOf(user)).toBe(2200)
  })

  test('of another amount is a matter of the provider: nobody is credited, and who paid is not kept', async () => {
    const link = await account.order(user, '/configs', usualOrder)
    await account.erase(user)
    await receive(link, { receiptId: 'too little', payer: '4477', amount: 150 })
    const { id } = await lastOrder()
    expect(await payersOf(id)).toEqual([null])
    const [receipt] = await query(`select id from receipts where order_id = ${id}`)
    const credit = await service.operator('POST', `/receipts/${receipt?.id}/credit`, { reason: 'asked' })
    expect([credit.status, credit.body.details[0].problem]).toEqual([
      409,
      expect.stringContaining('deleted; refund to the source'),
    ])
    expect(await balanceOf(user)).toBe(2000)
  })

  test('is from somebody for a month, in case it is refunded', async () => {
    const links = [await account.order(user, '/configs', usualOrder)]
    await service.db.updateTable('node_status').set({ last_seen_at: 0 }).execute()
    await receive(links[0] as string, { receiptId: 'early', payer: '4477' })
    const { id } = await lastOrder()
    await account.erase(user)
    service.clock.advance(60)
    await jobs()
    service.clock.advance(30 * day - 1)
    await jobs()
    expect(await payersOf(id)).toEqual(['4477'])
    service.clock.advance(1)
    await jobs()
    expect(await payersOf(id)).toEqual([null])
  })

  test('earns nothing for whoever brought the one who is gone', async () => {
    const friend = await service.createUser({ referral_code: user.referral_code })
    const link = await account.order(friend, '/profile/balance/topup', { amount: 1000 })
    await account.erase(friend)
    await account.pay(link)
    await jobs()
    expect(await query(`select id from commissions where referred_id = ${friend.id}`)).toEqual([])
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
