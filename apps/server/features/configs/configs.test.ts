import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const vless = { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 1 }
const post = (user: TestUser, body: object, headers?: Record<string, string>) =>
  service.customer(user, 'POST', '/configs', body, headers)
const buy = (user: TestUser, body: object = {}, headers?: Record<string, string>) =>
  post(user, { ...vless, ...body }, headers)
const balanceOf = async (user: TestUser): Promise<number> =>
  (await service.customer(user, 'GET', '/profile')).body.data.balance

describe('POST /configs by balance', () => {
  test('charges the shown price and grants the configuration at once', async () => {
    const user = await service.createUser({ balance: 500 })
    const { status, body } = await buy(user)
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: true, statusCode: 201 })
    expect(body.data).toEqual({
      id: expect.any(Number),
      connection_url: expect.stringMatching(
        /^vless:\/\/[0-9a-f-]{36}@127\.0\.0\.1:\d+\?encryption=none&flow=xtls-rprx-vision/,
      ),
      title: null,
      location_id: 1,
      server_id: expect.any(Number),
      protocol: 'vless',
      expires_at: service.clock.now() + 30 * 86_400,
      created_at: service.clock.now(),
      is_extended_settings_enabled: false,
      is_online: true,
      auto_renewal: false,
      auto_renewal_days: null,
    })
    expect(await balanceOf(user)).toBe(300)
    expect((await service.customer(user, 'GET', '/configs')).body.data).toEqual([body.data])
  })

  test('auto-renewal takes the tariff days; the longer tariff costs its own price', async () => {
    const user = await service.createUser({ balance: 540 })
    const { body } = await buy(user, { tariff_id: 2, enable_auto_renewal: true })
    expect(body.data).toMatchObject({ auto_renewal: true, auto_renewal_days: 90 })
    expect(body.data.expires_at).toBe(service.clock.now() + 90 * 86_400)
    expect(await balanceOf(user)).toBe(0)
  })

  test('the options without extended settings shape the link', async () => {
    const user = await service.createUser({ balance: 1000 })
    const plain = await buy(user, { disable_flow_reality: true })
    expect(plain.body.data.connection_url).not.toContain('flow=')
    const hidden = await buy(user, { disable_sni: true })
    expect(hidden.body.data.connection_url).toContain('fp=qq')
    expect(hidden.body.data.connection_url).not.toContain('sni=')
  })

  test('a chosen server is taken, a server of another location is not', async () => {
    const user = await service.createUser({ balance: 1000 })
    const servers = (
      await service.customer(user, 'GET', '/configs/available-servers?location_id=2&protocol=vless')
    ).body.data as { id: number }[]
    const second = servers[1]?.id as number
    expect((await buy(user, { location_id: 2, server_id: second })).body.data.server_id).toBe(second)
    const elsewhere = await buy(user, { location_id: 1, server_id: second })
    expect(elsewhere.body).toMatchObject({ statusCode: 409, errorCode: 22, message: 'NO_SERVER_AVAILABLE' })
  })

  test('too little money: 402, and nothing is kept', async () => {
    const user = await service.createUser({ balance: 199 })
    const { status, body } = await buy(user)
    expect(status).toBe(402)
    expect(body).toEqual({ status: false, statusCode: 402, errorCode: 20, message: 'INSUFFICIENT_BALANCE' })
    expect(await balanceOf(user)).toBe(199)
    const orders = await service.db.selectFrom('orders').select('id').where('user_id', '=', user.id).execute()
    expect(orders).toEqual([])
  })

  test.each([
    ['a location that does not exist', { location_id: 999 }, 22],
    ['referral earnings there are none of', { payment_method_id: 7 }, 23],
    ['an unknown method', { payment_method_id: 77 }, 23],
    ['an unknown tariff', { tariff_id: 77 }, 3],
    ['a missing tariff', { tariff_id: undefined }, 3],
    ['a missing method', { payment_method_id: undefined }, 3],
    ['a promocode beside a payment', { promocode: 'ABCD' }, 3],
    ['a missing location', { location_id: undefined }, 3],
    ['a missing protocol', { protocol: undefined }, 3],
    ['an unknown protocol', { protocol: 'mtproto' }, 3],
    ['an unknown field', { price: 1 }, 3],
    ['a fractional id', { tariff_id: 1.5 }, 3],
    ['a text id', { tariff_id: '1' }, 3],
    ['an option rule', { use_grpc: true }, 3],
  ])('refuses %s and charges nothing', async (_what, change, errorCode) => {
    const user = await service.createUser({ balance: 1000 })
    const { body } = await buy(user, change)
    expect(body).toMatchObject({ status: false, errorCode })
    expect(await balanceOf(user)).toBe(1000)
  })

  test('a promocode alone is looked up, and this one is nobody’s', async () => {
    const user = await service.createUser()
    const { status, body } = await post(user, {
      location_id: 1,
      protocol: 'vless',
      promocode: 'AAAA-BBBB-CCCC-DDDD',
    })
    expect([status, body.errorCode, body.message]).toEqual([400, 21, 'PROMOCODE_INVALID'])
  })

  test('option rules name the pair and the missing dependency', async () => {
    const user = await service.createUser({ balance: 1000 })
    const { body } = await buy(user, { use_xhttp: true, disable_flow_reality: true })
    expect(body).toMatchObject({ statusCode: 400, errorCode: 3, message: 'BAD_REQUEST' })
    expect(body.details).toEqual([
      { path: 'use_xhttp', problem: 'cannot be combined with disable_flow_reality' },
      { path: 'use_xhttp', problem: 'requires use_extended_settings=true' },
    ])
  })

  test('an offline node sells nothing', async () => {
    const user = await service.createUser({ balance: 1000 })
    service.clock.advance(91)
    expect((await buy(user)).body.errorCode).toBe(22)
    await service.heartbeat()
    expect((await buy(user)).status).toBe(201)
  })
})

describe('personal prices', () => {
  test('what is quoted is what is charged, and the order records every step', async () => {
    const user = await service.createUser({ balance: 1000 })
    await service.operator('POST', `/users/${user.id}/pricing-rules`, { type: 'all', percent: 50 })
    await service.operator('POST', `/users/${user.id}/pricing-rules`, { type: 'configs', percent: -12.5 })
    const tariffs = await service.customer(user, 'GET', '/configs/tariffs')
    const quoted = tariffs.body.data[0].tariffs
    expect(quoted[0]).toEqual({ id: 1, days: 30, price: 175, old_price: 200 })
    expect(quoted[1]).toEqual({ id: 2, days: 90, price: 473, old_price: 600 })
    await buy(user)
    expect(await balanceOf(user)).toBe(825)
    const order = await service.db
      .selectFrom('orders')
      .select(['price', 'price_steps', 'state'])
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(order).toEqual({
      price: 175,
      price_steps: {
        list: 200,
        ruleId: expect.any(Number),
        percent: -12.5,
        charged: 175,
        currency: 'RUB',
        micro_rub: 1_000_000,
      },
      state: 'fulfilled',
    })
  })
})

describe('GET /configs and its neighbours', () => {
  test('lists the customer’s own, in pages', async () => {
    const user = await service.createUser({ balance: 1000 })
    const stranger = await service.createUser({ balance: 1000 })
    const ids: number[] = []
    for (let n = 0; n < 3; n++) ids.push((await buy(user)).body.data.id)
    await buy(stranger)
    const list = async (query: string) =>
      (await service.customer(user, 'GET', `/configs${query}`)).body.data.map((row: { id: number }) => row.id)
    expect(await list('')).toEqual(ids)
    expect(await list('?limit=2')).toEqual(ids.slice(0, 2))
    expect(await list('?limit=2&offset=2')).toEqual(ids.slice(2))
    for (const query of ['?limit=0', '?limit=1001', '?limit=x', '?offset=-1', '?limit=1&limit=2']) {
      expect((await service.customer(user, 'GET', `/configs${query}`)).body.errorCode, query).toBe(3)
    }
  })

  test('tariffs speak the customer’s language and hold every method', async () => {
    const user = await service.createUser()
    const russian = await service.customer(user, 'GET', '/configs/tariffs')
    const names = (answer: typeof russian) =>
      answer.body.data.map((row: { display_name: string }) => row.display_name)
    expect(names(russian)).toEqual(['Баланс', 'СБП', 'Банковская карта', 'TON', 'USDT', 'Telegram Stars'])
    const english = await service.call('GET', '/v1/configs/tariffs', {
      token: user.api_key,
      headers: { 'accept-language': 'en-GB,en;q=0.9,ru;q=0.1' },
    })
    expect(names(english)[0]).toBe('Balance')
    for (const { body } of [russian, english]) {
      const keys = body.data.map((row: { key: string }) => row.key)
      expect(keys).toEqual(['balance', 'sbp', 'card', 'ton', 'usdt', 'stars'])
    }
    const days = russian.body.data[0].tariffs.map((tariff: { days: number }) => tariff.days)
    expect(days).toEqual([30, 90, 180, 365])
    expect(russian.body.data[3].tariffs[0].price).toBe(0.7)
  })

  test('available servers show free slots and ask for both fields', async () => {
    const user = await service.createUser({ balance: 1000 })
    const ask = (query: string) => service.customer(user, 'GET', `/configs/available-servers${query}`)
    const before = (await ask('?location_id=3&protocol=vless')).body.data
    expect(before).toHaveLength(2)
    await buy(user, { location_id: 3, server_id: before[0].id })
    const after = (await ask('?location_id=3&protocol=vless')).body.data
    const slotsOf = (rows: { id: number; available_slots: number }[]) =>
      rows.find((row) => row.id === before[0].id)?.available_slots
    expect(slotsOf(after)).toBe((slotsOf(before) as number) - 1)
    service.clock.advance(5)
    expect((await ask('?location_id=3')).body.details).toEqual([{ path: 'protocol', problem: 'is required' }])
    expect((await ask('?location_id=3&protocol=wg')).body.data).toHaveLength(2)
    expect((await ask('?location_id=3&protocol=mtproto')).body.errorCode).toBe(3)
    expect((await ask('?location_id=999&protocol=wg')).body.data).toEqual([])
  })
})

test('of a location that does not exist it is said that it does not', async () => {
  const user = await service.createUser({ balance: 5000 })
  const { body: bought } = await buy(user)
  const details = [{ path: 'location_id', problem: 'does not exist; GET /locations lists those that do' }]
  const refused = [
    await buy(user, { location_id: 99 }),
    await buy(user, { location_id: 99, payment_method_id: 2 }),
    await service.customer(user, 'PATCH', `/configs/${bought.data.id}/settings`, {
      location_id: 99,
      protocol: 'vless',
    }),
    await service.customer(user, 'POST', '/cloud-servers', {
      location_id: 99,
      payment_method_id: 1,
      tariff_id: 31,
    }),
  ]
  for (const { status, body } of refused) {
    expect([status, body.errorCode, body.details]).toEqual([409, 22, details])
  }
})

describe('Idempotency-Key', () => {
  test('the same key and body give the first answer; another body is 409', async () => {
    const user = await service.createUser({ balance: 1000 })
    const headers = { 'idempotency-key': 'order-1' }
    const first = await buy(user, {}, headers)
    const again = await buy(user, {}, headers)
    expect(again.status).toBe(201)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await balanceOf(user)).toBe(800)
    expect((await buy(user, { tariff_id: 2 }, headers)).body).toMatchObject({ statusCode: 409, errorCode: 6 })
    const stranger = await service.createUser({ balance: 1000 })
    expect((await buy(stranger, {}, headers)).body.data.id).not.toBe(first.body.data.id)
    service.clock.advance(24 * 3600)
    await service.heartbeat()
    expect((await buy(user, {}, headers)).body.data.id).not.toBe(first.body.data.id)
  })

  test('a refused request leaves its key free', async () => {
    const user = await service.createUser({ balance: 100 })
    const headers = { 'idempotency-key': 'order-1' }
    expect((await buy(user, {}, headers)).status).toBe(402)
    const { db, clock } = service
    await db.updateTable('ledger_accounts').set({ balance: 500 }).where('user_id', '=', user.id).execute()
    expect((await buy(user, {}, headers)).status, String(clock.now())).toBe(201)
  })

  test('an empty or overlong key is refused', async () => {
    const user = await service.createUser({ balance: 1000 })
    expect((await buy(user, {}, { 'idempotency-key': 'x'.repeat(256) })).status).toBe(400)
    expect((await buy(user, {}, { 'idempotency-key': 'x'.repeat(255) })).status).toBe(201)
  })
})
