import { CompiledQuery } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { brokenRules } from '../../../../test/support/databases/invariants.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../test/support/service.ts'
import { renewAutomatically } from './auto-renewal-job.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const query = async (sql: string) =>
  (await service.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql))).rows
afterEach(async () => expect(await brokenRules(query)).toEqual([]))

const day = 86_400
const hour = 3600
const get = async (user: TestUser, path: string, headers?: Record<string, string>) =>
  (await service.customer(user, 'GET', path, undefined, headers)).body.data
const buy = (user: TestUser, body: object = {}) => service.buy(user, { enable_auto_renewal: true, ...body })
const notes = async (user: TestUser): Promise<string[]> =>
  (await get(user, '/profile/notifications')).map((note: { content: string }) =>
    note.content.replaceAll('\u00a0', ' '),
  )
const run = () => renewAutomatically(service.running.services, service.clock.now())
const pass = async (seconds: number) => {
  service.clock.advance(seconds)
  await service.heartbeat()
  await run()
}

describe('auto-renewal', () => {
  test('a day before the end, once, at the price of that day', async () => {
    const user = await service.createUser({ balance: 1000 })
    const { id, expires_at: end } = await buy(user)
    await pass(29 * day - 60)
    expect((await get(user, '/configs'))[0].expires_at).toBe(end)
    await service.operator('POST', `/users/${user.id}/pricing-rules`, { type: 'configs', percent: -50 })
    await pass(120)
    await pass(hour)
    const [config] = await get(user, '/configs')
    expect(config).toMatchObject({ id, expires_at: end + 30 * day, auto_renewal: true })
    expect((await get(user, '/profile')).balance).toBe(1000 - 200 - 100)
    expect(await notes(user)).toEqual([
      'Подключение «Нидерланды» продлено на 30 дней, с баланса списано 100 ₽.',
    ])
    const [record] = await get(user, '/profile/payments-history')
    expect(record).toMatchObject({ type: 'renewal', method: 'balance', amount: '100', days: 30 })
  })

  test('too little money: one notification, new tries every six hours, none after the end', async () => {
    const user = await service.createUser({ balance: 200 })
    const { expires_at: end } = await buy(user)
    await pass(29 * day + 60)
    expect(await notes(user)).toEqual([
      'Автопродление подключения «Нидерланды» не удалось: на балансе меньше 200 ₽. Пополните баланс: попробуем снова через 6 часов.',
    ])
    await service.operator('POST', `/users/${user.id}/balance`, {
      account: 'wallet',
      amount: 200,
      reason: 'gift',
    })
    await pass(5 * hour)
    expect((await get(user, '/configs'))[0].expires_at).toBe(end)
    await pass(hour)
    expect((await get(user, '/configs'))[0].expires_at).toBe(end + 30 * day)
    await pass(30 * day + 6 * hour)
    expect((await notes(user)).filter((note) => note.includes('не удалось'))).toHaveLength(1)
    const poor = await service.createUser({ balance: 200 })
    await buy(poor)
    await pass(29 * day + 18.5 * hour)
    await service.operator('POST', `/users/${poor.id}/balance`, {
      account: 'wallet',
      amount: 200,
      reason: 'gift',
    })
    await pass(6 * hour)
    expect((await get(poor, '/profile')).balance).toBe(200)
  })

  // Also longer ago than it could be renewed by hand, for it is still on.
  test.each([
    31, 50,
  ])('what ended while nobody looked for %i days is renewed before it is switched off', async (days) => {
    const user = await service.createUser({ balance: 400 })
    const { expires_at: end } = await buy(user)
    service.clock.advance(days * day)
    await service.heartbeat()
    await service.running.runJobs()
    const [config] = await get(user, '/configs')
    expect(config.expires_at).toBeGreaterThan(end + 30 * day)
    expect((await get(user, '/profile')).balance).toBe(0)
  })

  test('switched off it does nothing, and a length must be a tariff’s', async () => {
    const user = await service.createUser({ balance: 1000 })
    const { id, expires_at: end } = await buy(user)
    const change = (body: object) => service.customer(user, 'PATCH', `/configs/${id}/auto-renewal`, body)
    expect((await change({ enabled: true, days: 31 })).body).toMatchObject({ errorCode: 3 })
    expect((await change({ enabled: true, days: 90 })).body.data).toEqual({
      auto_renewal: true,
      auto_renewal_days: 90,
    })
    await change({ enabled: false })
    await pass(29 * day + 60)
    expect((await get(user, '/configs'))[0].expires_at).toBe(end)
  })

  test('check 13: many schedulers, one renewal for each period', async () => {
    const users: TestUser[] = []
    for (let n = 0; n < 30; n++) users.push(await service.createUser({ balance: 1000 }))
    for (const user of users) await buy(user)
    service.clock.advance(29 * day + 600)
    await service.heartbeat()
    await Promise.all(Array.from({ length: 6 }, run))
    await Promise.all(Array.from({ length: 6 }, run))
    for (const user of users) {
      const { balance } = await get(user, '/profile')
      const [config] = await get(user, '/configs')
      expect([balance, config.expires_at - config.created_at]).toEqual([600, 60 * day])
    }
  })

  test('a manual renewal at the same moment does not spoil it', async () => {
    const user = await service.createUser({ balance: 600 })
    const { id, expires_at: end } = await buy(user)
    service.clock.advance(29 * day + 60)
    await service.heartbeat()
    const manual = service.customer(user, 'POST', `/configs/renewal/${id}`, { payment_method_id: 1 })
    await Promise.all([run(), manual, run()])
    const [config] = await get(user, '/configs')
    const { balance } = await get(user, '/profile')
    expect([0, 200]).toContain(balance)
    expect(config.expires_at).toBe(end + ((600 - 200 - balance) / 200) * 30 * day)
  })
})

describe('promocodes in purchases and renewals', () => {
  const issue = async (fields: object = {}): Promise<string> => {
    const body = { product_type: 'configs', days: 45, count: 1, ...fields }
    return (await service.operator('POST', '/promocodes', body)).body.data.codes[0]
  }
  const { payment_method_id: _method, tariff_id: _tariff, ...what } = usualOrder

  test('a code buys its days; auto-renewal then takes a tariff that fits', async () => {
    const user = await service.createUser()
    const config = await buy(user, {
      payment_method_id: undefined,
      tariff_id: undefined,
      promocode: await issue(),
    })
    expect(config.expires_at - config.created_at).toBe(45 * day)
    expect(config.auto_renewal_days).toBe(30)
    const renewal = await service.customer(user, 'POST', `/configs/renewal/${config.id}`, {
      promocode: await issue({ days: 10 }),
    })
    expect(renewal.body.data).toEqual({ id: config.id, expires_at: config.expires_at + 10 * day })
    const [record] = await get(user, '/profile/payments-history')
    expect(record).toMatchObject({
      amount: null,
      type: 'renewal',
      method: 'promocode',
      days: 10,
      is_paid: true,
    })
  })

  test('every wrong code has one answer, and after ten of them an hour passes', async () => {
    const user = await service.createUser()
    const used = await issue()
    await service.customer(user, 'POST', '/configs', { ...what, promocode: used })
    const wrong = [used, await issue({ product_type: 'paid_options' }), 'ABCD', '0000-0000-0000-0000']
    const answers = []
    for (const promocode of wrong) {
      answers.push((await service.customer(user, 'POST', '/configs', { ...what, promocode })).body)
    }
    expect(new Set(answers.map((body) => JSON.stringify(body))).size).toBe(1)
    expect(answers[0]).toMatchObject({ statusCode: 400, errorCode: 21, message: 'PROMOCODE_INVALID' })
    for (let n = 0; n < 6; n++)
      await service.customer(user, 'POST', '/configs', { ...what, promocode: 'ABCD' })
    const good = await issue()
    const refused = await service.customer(user, 'POST', '/configs', { ...what, promocode: good })
    expect(refused.body).toEqual({
      status: false,
      statusCode: 429,
      errorCode: 5,
      message: 'Too Many Requests',
      details: [{ path: '', problem: expect.stringContaining('wait') }],
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    service.clock.advance(hour)
    await service.heartbeat()
    expect((await service.customer(user, 'POST', '/configs', { ...what, promocode: good })).status).toBe(201)
  })

  test('one code and thirty customers: one configuration', async () => {
    const code = await issue()
    const users: TestUser[] = []
    for (let n = 0; n < 30; n++) users.push(await service.createUser())
    const answers = await Promise.all(
      users.map((user) => service.customer(user, 'POST', '/configs', { ...what, promocode: code })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.errorCode === 21)).toHaveLength(29)
  })

  test('a code that could not be used because there was no room is still good', async () => {
    const user = await service.createUser()
    const code = await issue()
    const nowhere = await service.customer(user, 'POST', '/configs', {
      ...what,
      location_id: 999,
      promocode: code,
    })
    expect(nowhere.body.errorCode).toBe(22)
    expect((await service.customer(user, 'POST', '/configs', { ...what, promocode: code })).status).toBe(201)
  })
})

describe('referral earnings as a way to pay', () => {
  test('are offered to those who have some, and spent like a balance', async () => {
    const user = await service.createUser({ referral_balance: 300 })
    const offered = (await get(user, '/configs/tariffs', { 'accept-language': 'en' })) as { id: number }[]
    expect(offered.at(-1)).toMatchObject({ id: 7, display_name: 'Referral balance', currency: 'RUB' })
    await service.buy(user, { payment_method_id: 7 })
    expect(await get(user, '/profile')).toMatchObject({ referral_balance: 100, balance: 0 })
    const short = await service.customer(user, 'POST', '/configs', { ...usualOrder, payment_method_id: 7 })
    expect(short.body).toMatchObject({ statusCode: 400, errorCode: 47 })
    expect((await get(user, '/profile/payments-history'))[0].method).toBe('referral')
  })

  test('check 20: the referrer earns a share of outside money only, held, and loses it on refund', async () => {
    const referrer = await service.createUser()
    const user = await service.createUser({ referral_code: referrer.referral_code, balance: 200 })
    await service.buy(user)
    const link = await service.customer(user, 'POST', '/profile/balance/topup', {
      amount: 999,
      payment_method_id: 2,
    })
    await service.call('POST', new URL(link.body.data.link).pathname, { body: { action: 'pay' } })
    await service.running.runJobs()
    expect(await get(referrer, '/profile')).toMatchObject({ referral_balance: 0, referrals_count: 1 })
    const [held] = await get(referrer, '/profile/referral')
    expect(held).toMatchObject({ amount: 199, status: 'held' })
    service.clock.advance(14 * day)
    await service.running.runJobs()
    expect((await get(referrer, '/profile')).referral_balance).toBe(199)
    const { body } = await service.operator('GET', `/payments?user_id=${user.id}`)
    const [order] = body.data.filter((row: { product: string }) => row.product === 'balance')
    const refund = await service.operator('POST', `/payments/${order.id}/refund`, {
      to: 'source',
      reason: 'asked',
    })
    expect(refund.status).toBe(201)
    await service.running.runJobs()
    expect((await get(user, '/profile')).balance).toBe(0)
    expect((await get(referrer, '/profile')).referral_balance).toBe(0)
    expect((await get(referrer, '/profile/referral'))[0].status).toBe('cancelled')
  })
})
