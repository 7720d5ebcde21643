import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const day = 86_400
const white = { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 }

const call = (user: TestUser, method: string, path = '', body?: unknown) =>
  service.customer(user, method, `/paid-options${path}`, body)
const buy = async (user: TestUser, body: object = {}) => {
  const answer = await call(user, 'POST', '', { ...white, ...body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data
}
const listed = async (user: TestUser) => (await call(user, 'GET')).body.data
const balanceOf = async (user: TestUser): Promise<number> =>
  (await service.customer(user, 'GET', '/profile')).body.data.balance
const pass = async (seconds: number) => {
  service.clock.advance(seconds)
  await service.heartbeat()
  await service.running.runJobs()
}
const rich = () => service.createUser({ balance: 10_000 })

describe('GET /paid-options/tariffs', () => {
  test('each option with every method, at the customer’s own price', async () => {
    const user = await rich()
    await service.operator('POST', `/users/${user.id}/pricing-rules`, {
      type: 'paid_option',
      product_id: 1,
      percent: -10,
    })
    await service.operator('POST', `/users/${user.id}/pricing-rules`, { type: 'paid_options', percent: 10 })
    const { body } = await call(user, 'GET', '/tariffs')
    expect(body.data.map((option: { option_key: string }) => option.option_key)).toEqual([
      'white_internet',
      'around_the_world',
    ])
    const [first, second] = body.data
    expect(first).toMatchObject({ id: 1, title: 'Белый интернет' })
    expect(first.payment_methods.map((method: { id: number }) => method.id)).toEqual([1, 2, 3, 4, 5, 6])
    expect(first.payment_methods[0].key).toBe('balance')
    expect(first.payment_methods[0].tariffs[0]).toEqual({ id: 11, days: 30, price: 270, old_price: 300 })
    expect(second.payment_methods[0].tariffs[0]).toEqual({ id: 21, days: 30, price: 440 })
  })

  test('in English for those who ask for it', async () => {
    const { body } = await service.customer(await rich(), 'GET', '/paid-options/tariffs', undefined, {
      'accept-language': 'en',
    })
    expect(body.data[0].title).toBe('White internet')
  })
})

describe('POST /paid-options', () => {
  test('by balance: one configuration on each server, in their order', async () => {
    const user = await rich()
    const option = await buy(user)
    expect(option).toMatchObject({
      option_id: 1,
      expires_at: service.clock.now() + 30 * day,
      auto_renewal: false,
      auto_renewal_days: null,
    })
    expect(option.configs.map((config: { index: number }) => config.index)).toEqual([0, 1, 2])
    expect(new Set(option.configs.map((config: { server_id: number }) => config.server_id)).size).toBe(3)
    expect(option.configs[0]).toEqual({
      id: expect.any(Number),
      index: 0,
      server_id: expect.any(Number),
      connection_url: expect.stringMatching(/^vless:/),
      title: '🇳🇱 Нидерланды · Белый интернет 1',
      original_title: '🇳🇱 Нидерланды · Белый интернет 1',
      custom_title: null,
      is_added: false,
      protocol: 'vless',
      created_at: service.clock.now(),
      is_extended_settings_enabled: false,
      is_online: true,
    })
    expect(await balanceOf(user)).toBe(9700)
    expect(await listed(user)).toEqual([option])
    const history = await service.customer(user, 'GET', '/profile/payments-history')
    expect(history.body.data[0]).toMatchObject({
      type: 'paid_option',
      amount: '300',
      days: 30,
      is_paid: true,
    })
  })

  test('buying again extends it, and keeps every link', async () => {
    const user = await rich()
    const first = await buy(user)
    const again = await buy(user, { tariff_id: 12, enable_auto_renewal: true })
    expect(again).toEqual({
      ...first,
      expires_at: first.expires_at + 90 * day,
      auto_renewal: true,
      auto_renewal_days: 90,
    })
    const history = await service.customer(user, 'GET', '/profile/payments-history')
    expect(history.body.data.map((each: { type: string }) => each.type)).toEqual([
      'paid_option',
      'paid_option',
    ])
  })

  test('twice at once makes one, of both lengths', async () => {
    const user = await rich()
    const answers = await Promise.all([1, 2, 3].map(() => call(user, 'POST', '', white)))
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201])
    const [option, ...others] = await listed(user)
    expect(others).toEqual([])
    expect(option.configs).toHaveLength(3)
    expect(option.expires_at - service.clock.now()).toBeGreaterThan(89 * day)
    expect(await balanceOf(user)).toBe(10_000 - 900)
  })

  test('by promocode, as a key, and by link', async () => {
    const user = await rich()
    const key = await buy(user, { as_key: true })
    expect(key).toEqual({ promocode: expect.stringMatching(/^(\w{4}-){3}\w{4}$/), days: 30 })
    expect(await listed(user)).toEqual([])
    const other = await service.createUser()
    const wrong = await call(other, 'POST', '', { paid_option_id: 2, promocode: key.promocode })
    expect(wrong.body.errorCode).toBe(21)
    const opened = await call(other, 'POST', '', { paid_option_id: 1, promocode: key.promocode })
    expect([opened.status, opened.body.data.configs.length]).toEqual([201, 3])
    const link = await buy(other, { payment_method_id: 2 })
    expect(link).toEqual({ link: expect.stringContaining('/pay/'), payment_id: expect.any(Number) })
  })

  test.each([
    ['no option', { paid_option_id: 999 }, 404, 1],
    ['no way to pay', { payment_method_id: undefined, tariff_id: undefined }, 400, 3],
    ['both ways to pay', { promocode: 'ABCD-EFGH' }, 400, 3],
    ['another option’s tariff', { tariff_id: 21 }, 400, 3],
    ['a configuration’s tariff', { tariff_id: 1 }, 400, 3],
    ['an unknown field', { colour: 'red' }, 400, 3],
  ])('%s is refused', async (_name, body, status, errorCode) => {
    const answer = await call(await rich(), 'POST', '', { ...white, ...body })
    expect([answer.status, answer.body.errorCode]).toEqual([status, errorCode])
  })

  test('without money nothing is made', async () => {
    const user = await service.createUser()
    expect((await call(user, 'POST', '', white)).body.errorCode).toBe(20)
    expect(await listed(user)).toEqual([])
  })

  test('when a server is full nothing is sold, and who has it keeps it', async () => {
    const user = await rich()
    const option = await buy(user)
    const [{ server_id }] = option.configs
    const { db } = service
    const full = (capacity: number) =>
      db.updateTable('servers').set({ capacity }).where('id', '=', server_id).execute()
    await full(0)
    const late = await rich()
    expect((await call(late, 'POST', '', white)).body.errorCode).toBe(22)
    expect((await call(late, 'POST', '', { ...white, payment_method_id: 2 })).body.errorCode).toBe(22)
    expect(await balanceOf(late)).toBe(10_000)
    expect((await buy(user)).configs).toEqual(option.configs)
    await full(200)
  })
})

describe('the end of an option', () => {
  test('it is off, can be renewed for 14 days with the same links, and is gone then', async () => {
    const user = await rich()
    const option = await buy(user)
    await pass(31 * day)
    expect(await listed(user)).toEqual([])
    const info = await call(user, 'GET', '/1/subscription')
    expect(info.body.data.status).toBe('expired')
    const all = await call(user, 'GET', '?with_ended=true')
    expect(all.body.data).toMatchObject([
      { option_id: 1, status: 'expired', expires_at: option.expires_at, configs: [] },
    ])
    const back = await buy(user)
    expect(back.configs.map((config: { connection_url: string }) => config.connection_url)).toEqual(
      option.configs.map((config: { connection_url: string }) => config.connection_url),
    )
    expect(back.expires_at).toBe(service.clock.now() + 30 * day)
    await pass(31 * day)
    await pass(15 * day)
    expect((await call(user, 'GET', '?with_ended=true')).body.data).toEqual([])
    expect((await call(user, 'GET', '/1/subscription')).status).toBe(404)
    expect((await buy(user)).configs[0].id).not.toBe(option.configs[0].id)
  })

  test('it renews itself from the balance', async () => {
    const user = await rich()
    const option = await buy(user, { enable_auto_renewal: true })
    await pass(29 * day + 3600)
    const [now] = await listed(user)
    expect(now.expires_at).toBe(option.expires_at + 30 * day)
    expect(await balanceOf(user)).toBe(10_000 - 600)
    const off = await call(user, 'PATCH', '/1/auto-renewal', { enabled: false })
    expect(off.body.data).toEqual({ auto_renewal: false, auto_renewal_days: null })
    const wrong = await call(user, 'PATCH', '/1/auto-renewal', { enabled: true, days: 31 })
    expect(wrong.status).toBe(400)
  })

  test('slots of servers are given back and taken again', async () => {
    const used = async () =>
      (await service.db.selectFrom('servers').select('used_slots').orderBy('id').execute()).map(
        (s) => s.used_slots,
      )
    const user = await rich()
    const before = await used()
    const option = await buy(user)
    const on = await used()
    expect(on.reduce((sum, n) => sum + n, 0) - before.reduce((sum, n) => sum + n, 0)).toBe(3)
    await pass(31 * day)
    const off = await used()
    await buy(user)
    const again = await used()
    expect(again.reduce((sum, n) => sum + n, 0) - off.reduce((sum, n) => sum + n, 0)).toBe(
      option.configs.length,
    )
  })
})

describe('titles and stats by index', () => {
  test('a title is the customer’s until it is taken away', async () => {
    const user = await rich()
    const { configs } = await buy(user)
    expect((await call(user, 'PATCH', '/1/titles/1', { title: 'ТВ' })).body.data).toBe(true)
    const [{ configs: named }] = await listed(user)
    expect(named[1]).toMatchObject({
      title: 'ТВ',
      custom_title: 'ТВ',
      original_title: configs[1].original_title,
    })
    expect(decodeURIComponent(named[1].connection_url.split('#')[1])).toBe('ТВ')
    expect((await call(user, 'DELETE', '/1/titles/1')).body.data).toBe(true)
    expect((await listed(user))[0].configs).toEqual(configs)
    const stats = await call(user, 'GET', '/1/stats/2')
    expect([stats.status, stats.body.data.status]).toEqual([200, 'up'])
  })

  test.each([
    ['PATCH', '/1/titles/3', { title: 'TV' }, 404],
    ['PATCH', '/1/titles/5000', { title: 'TV' }, 404],
    ['PATCH', '/1/titles/-1', { title: 'TV' }, 400],
    ['PATCH', '/1/titles/0', { title: '' }, 400],
    ['PATCH', '/1/titles/0', { title: null }, 400],
    ['DELETE', '/1/titles/3', undefined, 404],
    ['GET', '/1/stats/3', undefined, 404],
    ['GET', '/2/stats/0', undefined, 404],
    ['GET', '/2/subscription', undefined, 404],
    ['GET', '/2/devices', undefined, 404],
    ['PATCH', '/2/limits', { device_limit: 1 }, 404],
    ['PATCH', '/2/auto-renewal', { enabled: false }, 404],
    ['GET', '/2/configs/available-servers?protocol=vless', undefined, 404],
    ['POST', '/2/configs', { protocol: 'vless' }, 404],
  ])('%s %s with %j is refused', async (method, path, body, status) => {
    const user = await rich()
    await buy(user)
    expect((await call(user, method, path, body)).status).toBe(status)
  })
})
