import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { accountOf } from '../../../../test/support/people/account.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../test/support/service.ts'

/** What was moved behaves as if it had always been the target's, and payments as if nothing had been moved. */

const day = 86_400

let service: TestService
let account: ReturnType<typeof accountOf>
let source: TestUser
let target: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  account = accountOf(service)
})
beforeEach(async () => {
  await service.heartbeat()
  source = await service.createUser({ balance: 2000, referral_balance: 70 })
  target = await service.createUser({ balance: 5 })
})
afterEach(async () => expect(await account.broken()).toEqual([]))
afterAll(() => service.stop())

const jobs = () => service.running.runJobs()
const endOf = async (user: TestUser, id: number): Promise<number> =>
  (await account.get(user, '/configs')).find((config: { id: number }) => config.id === id)?.expires_at
const lastOrderOf = async (user: TestUser) =>
  (await service.operator('GET', `/payments?user_id=${user.id}&limit=1`)).body.data[0]
const refund = (orderId: number) =>
  service.operator('POST', `/payments/${orderId}/refund`, { to: 'balance', reason: 'asked' })

const notes = async (user: TestUser, language: string): Promise<string[]> => {
  const headers = { 'accept-language': language }
  const { body } = await service.customer(user, 'GET', '/profile/notifications', undefined, headers)
  return body.data.map((note: { content: string }) => note.content)
}

test('a refund shortens the item where it is now, and pays the one who had paid', async () => {
  const { id, expires_at: end } = await service.buy(source)
  await service.customer(source, 'POST', `/configs/renewal/${id}`, { payment_method_id: 1 })
  const { id: orderId } = await lastOrderOf(source)
  await account.move(source, target)
  expect(await endOf(target, id)).toBe(end + 30 * day)
  expect((await refund(orderId)).status).toBe(201)
  expect(await endOf(target, id)).toBe(end)
  expect([(await account.money(source))[0], (await account.money(target))[0]]).toEqual([200, 1605])
  expect((await notes(target, 'ru')).at(-1)).toBe(
    `Прежнему владельцу вернули оплату, поэтому срок подключения № ${id} сократился на 30\u00a0дней.`,
  )
  expect(await notes(source, 'en')).not.toContainEqual(expect.stringMatching(/ends .+ earlier/))
})

test('a refund of what is still its customer’s tells nobody else', async () => {
  await service.buy(source)
  await refund((await lastOrderOf(source)).id)
  expect(await notes(source, 'en')).toEqual([expect.stringContaining('was refunded to your balance')])
})

test('a refunded purchase switches the item off', async () => {
  const { id } = await service.buy(source)
  const { id: orderId } = await lastOrderOf(source)
  await account.move(source, target)
  await refund(orderId)
  await jobs()
  const row = await service.db
    .selectFrom('terms')
    .select('state')
    .where('item_id', '=', id)
    .executeTakeFirst()
  expect(row?.state).toBe('expired')
})

test('a key that moved goes with its order, and a used one stays used', async () => {
  const { promocode } = await service.buy(source, { as_key: true })
  const { id: orderId } = await lastOrderOf(source)
  await account.move(source, target)
  expect((await refund(orderId)).status).toBe(201)
  const body = { location_id: 1, protocol: 'vless', promocode }
  expect((await service.customer(target, 'POST', '/configs', body)).body.errorCode).toBe(21)
  expect((await notes(target, 'en')).at(-1)).toContain(
    'an activation code for 30\u00a0days does not work any more',
  )
})

test('a renewal that the source pays by link prolongs the item, and nothing else of it', async () => {
  const { id, expires_at: end } = await service.buy(source)
  const renewal = { tariff_id: 1, enable_auto_renewal: true }
  const link = await account.order(source, `/configs/renewal/${id}`, renewal)
  await account.move(source, target)
  await account.pay(link)
  await jobs()
  const [config] = await account.get(target, '/configs')
  expect([config.expires_at, config.auto_renewal]).toEqual([end + 30 * day, false])
  expect(await account.money(source)).toEqual([0, 0])
})

test('the target renews by the tariff it was bought with, by hand and automatically, from its own balance', async () => {
  const { id, expires_at: end } = await service.buy(source, { tariff_id: 2, enable_auto_renewal: true })
  await account.move(source, target)
  const renewed = await service.customer(target, 'POST', `/configs/renewal/${id}`, { payment_method_id: 1 })
  expect([renewed.status, renewed.body.data.expires_at]).toEqual([201, end + 90 * day])
  const [before] = await account.money(target)
  service.clock.advance(end + 90 * day - day / 2 - service.clock.now())
  await service.heartbeat()
  await jobs()
  expect(await endOf(target, id)).toBe(end + 180 * day)
  expect((await account.money(target))[0]).toBeLessThan(before)
  expect(await account.money(source)).toEqual([0, 0])
})

test('a purchase that is paid later belongs to the source', async () => {
  const link = await account.order(source, '/configs', usualOrder)
  const topUp = await account.order(source, '/profile/balance/topup', { amount: 300 })
  await account.move(source, target)
  await account.pay(link)
  await account.pay(topUp)
  await jobs()
  expect(await account.get(source, '/configs')).toHaveLength(1)
  expect(await account.money(source)).toEqual([300, 0])
})

test('a withdrawal under way stays with the source, and comes back to it', async () => {
  source = await service.createUser({ referral_balance: 1010 })
  const card = { card_number: '2200150000001237', amount: 1000 }
  const path = '/profile/referral/withdraw/card'
  expect((await service.customer(source, 'POST', path, card)).status).toBe(201)
  expect((await account.move(source, target)).body.data.referral_balance).toBe(10)
  const [withdrawal] = (await service.operator('GET', '/withdrawals?status=pending')).body.data
  await service.operator('POST', `/withdrawals/${withdrawal.id}/reject`, { reason: 'no such card' })
  expect([(await account.money(source))[1], (await account.money(target))[1]]).toEqual([1000, 10])
})
