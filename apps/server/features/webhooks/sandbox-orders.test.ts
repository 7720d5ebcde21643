import { CompiledQuery } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { brokenRules } from '../../../../test/support/databases/invariants.ts'
import {
  type Answer,
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../test/support/service.ts'

/** Buying with money from outside, as a customer does it, through the built-in provider. */

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(async () => {
  await service.heartbeat()
  user = await service.createUser()
})
afterAll(() => service.stop())

const query = async (sql: string) =>
  (await service.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql))).rows
afterEach(async () => expect(await brokenRules(query)).toEqual([]))

const act = (link: string, action: string) =>
  service.call('POST', new URL(link).pathname, { body: { action } })
const jobs = () => service.running.runJobs()
const pay = async (link: string) => {
  expect((await act(link, 'pay')).status).toBe(200)
  await jobs()
}
const post = (path: string, body: object, headers?: Record<string, string>) =>
  service.customer(user, 'POST', path, body, headers)
const get = async (path: string) => (await service.customer(user, 'GET', path)).body.data
const sbp = { ...usualOrder, payment_method_id: 2 }
const notes = async (): Promise<string[]> =>
  (await get('/profile/notifications')).map((note: { content: string }) =>
    note.content.replaceAll('\u00a0', ' '),
  )

describe('a purchase', () => {
  test('gives a link, and the configuration once it is paid', async () => {
    const { status, body } = await post('/configs', { ...sbp, enable_auto_renewal: true })
    expect([status, Object.keys(body.data)]).toEqual([201, ['link', 'payment_id']])
    expect(body.data.link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/pay\/[0-9A-Za-z]{22}$/)
    expect(await get('/configs')).toEqual([])
    const [waiting] = await get('/profile/payments-history')
    expect(waiting).toMatchObject({
      amount: '200',
      type: 'new_config',
      method: 'sbp',
      days: 30,
      is_paid: false,
    })
    await pay(body.data.link)
    const [config] = await get('/configs')
    expect(config).toMatchObject({
      location_id: 1,
      protocol: 'vless',
      auto_renewal: true,
      auto_renewal_days: 30,
    })
    expect(config.expires_at - config.created_at).toBe(30 * 86_400)
    expect((await get('/profile/payments-history'))[0].is_paid).toBe(true)
    expect(await notes()).toEqual(['Оплата получена: 200 ₽.'])
    expect(await get('/profile/notifications')).toEqual([])
  })

  test('in another currency charges the price that was shown', async () => {
    for (const [method, amount] of [
      [4, '0.7'],
      [5, '2.2'],
      [6, '120'],
    ] as const) {
      const shown = (await get('/configs/tariffs')).find((row: { id: number }) => row.id === method)
      expect(String(shown.tariffs[0].price)).toBe(amount)
      const { body } = await post('/configs', { ...usualOrder, payment_method_id: method })
      expect((await get('/profile/payments-history'))[0].amount).toBe(amount)
      await pay(body.data.link)
    }
    expect(await get('/configs')).toHaveLength(3)
  })

  test('declined buys nothing; paid later it comes by itself', async () => {
    const declined = await post('/configs', sbp)
    await act(declined.body.data.link, 'decline')
    await jobs()
    expect(await get('/configs')).toEqual([])
    const later = await post('/configs', sbp)
    await act(later.body.data.link, 'later')
    await jobs()
    expect(await get('/configs')).toEqual([])
    service.clock.advance(21)
    await jobs()
    await jobs()
    expect(await get('/configs')).toHaveLength(1)
  })

  test('as a key gives a code to whoever comes first', async () => {
    const { body } = await post('/configs', { as_key: true, payment_method_id: 3, tariff_id: 2 })
    await pay(body.data.link)
    const [key] = await get('/profile/promocodes')
    expect(key).toMatchObject({ activation_days: 90, product_type: 'configs', is_active: true })
    expect(key.code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
    const friend = await service.createUser()
    const used = await service.customer(friend, 'POST', '/configs', {
      location_id: 2,
      protocol: 'trojan',
      promocode: key.code.toLowerCase(),
    })
    expect(used.status).toBe(201)
    expect(used.body.data.expires_at).toBe(service.clock.now() + 90 * 86_400)
    expect((await get('/profile/promocodes'))[0].is_active).toBe(false)
    const again = await post('/configs', { location_id: 2, protocol: 'trojan', promocode: key.code })
    expect(again.body).toMatchObject({ statusCode: 400, errorCode: 21, message: 'PROMOCODE_INVALID' })
  })

  test('is refused before it is paid when there is no room', async () => {
    const { body } = await post('/configs', { ...sbp, location_id: 999 })
    expect(body).toMatchObject({ statusCode: 409, errorCode: 22 })
    expect(await get('/profile/payments-history')).toEqual([])
  })

  /** Paid when every node is silent, so that there is no place; gives the moment the money came. */
  const payWithoutPlace = async (): Promise<number> => {
    const { body } = await post('/configs', sbp)
    service.clock.advance(91)
    await pay(body.data.link)
    expect(await get('/configs')).toEqual([])
    expect(await brokenRules(query, { isAtRest: false })).toEqual([])
    const orders = service.db.selectFrom('orders').select('paid_at').where('user_id', '=', user.id)
    return (await orders.executeTakeFirstOrThrow()).paid_at as number
  }
  const goTo = async (moment: number) => {
    service.clock.advance(moment - service.clock.now())
    await jobs()
  }

  test('check 17: one whose place is gone when the money comes is tried for ten minutes, then credited', async () => {
    const paidAt = await payWithoutPlace()
    for (const seconds of [30, 300, 599]) {
      await goTo(paidAt + seconds)
      const { state } = await service.db
        .selectFrom('orders')
        .select('state')
        .where('user_id', '=', user.id)
        .executeTakeFirstOrThrow()
      expect([seconds, state]).toEqual([seconds, 'paid'])
    }
    await goTo(paidAt + 600)
    expect((await get('/profile')).balance).toBe(200)
    expect((await notes()).at(-1)).toContain('На баланс зачислено 200 ₽')
    await service.heartbeat()
    expect((await post('/configs', usualOrder)).status).toBe(201)
  })

  test('check 17: one whose place comes back within the ten minutes is granted', async () => {
    const paidAt = await payWithoutPlace()
    await goTo(paidAt + 570)
    await service.heartbeat()
    await goTo(paidAt + 600)
    expect(await get('/configs')).toHaveLength(1)
    expect((await get('/profile')).balance).toBe(0)
  })

  test('goes to another server when the chosen one filled up meanwhile', async () => {
    const servers = await get('/configs/available-servers?location_id=3&protocol=vless')
    const { body } = await post('/configs', { ...sbp, location_id: 3, server_id: servers[0].id })
    await service.db.updateTable('servers').set({ capacity: 0 }).where('id', '=', servers[0].id).execute()
    await pay(body.data.link)
    const [config] = await get('/configs')
    expect(config.server_id).toBe(servers[1].id)
    await service.db.updateTable('servers').set({ capacity: 200 }).where('id', '=', servers[0].id).execute()
  })
})

describe('the Idempotency-Key', () => {
  test('gives one payment and one link, however often it is sent', async () => {
    const headers = { 'idempotency-key': 'one' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('/configs', sbp, headers)))
    const links = new Set(answers.map(({ body }) => body.data.link))
    expect(links.size).toBe(1)
    expect(await get('/profile/payments-history')).toHaveLength(1)
    const turned = Object.fromEntries(Object.entries(sbp).reverse())
    expect((await post('/configs', turned, headers)).body.data).toEqual(answers[0]?.body.data)
    const other = await post('/configs', { ...sbp, tariff_id: 2 }, headers)
    expect(other.body).toMatchObject({ statusCode: 409, errorCode: 6 })
  })
})

test('nobody has unpaid links without number', async () => {
  for (let n = 0; n < 50; n++) {
    expect((await post('/profile/balance/topup', { amount: 10, payment_method_id: 2 })).status).toBe(200)
  }
  const { body } = await post('/configs', sbp)
  expect(body).toMatchObject({ statusCode: 409, errorCode: 6 })
  expect((await get('/profile/payments-history')).length).toBe(50)
  service.clock.advance(3600)
  await service.heartbeat()
  await jobs()
  expect((await post('/configs', sbp)).status).toBe(201)
})

describe('a renewal', () => {
  test('adds the days when it is paid', async () => {
    const bought = await post('/configs', sbp)
    await pay(bought.body.data.link)
    const [config] = await get('/configs')
    const { status, body } = await post(`/configs/renewal/${config.id}`, {
      payment_method_id: 3,
      tariff_id: 2,
    })
    expect([status, Object.keys(body.data)]).toEqual([201, ['link', 'payment_id']])
    expect((await get('/configs'))[0].expires_at).toBe(config.expires_at)
    await pay(body.data.link)
    expect((await get('/configs'))[0].expires_at).toBe(config.expires_at + 90 * 86_400)
    expect((await get('/profile/payments-history'))[0]).toMatchObject({
      type: 'renewal',
      method: 'card',
      days: 90,
    })
  })

  test('of what is gone when the money comes is credited', async () => {
    const bought = await post('/configs', sbp)
    await pay(bought.body.data.link)
    const [config] = await get('/configs')
    service.clock.advance(43 * 86_400)
    await jobs()
    const early = await post(`/configs/renewal/${config.id}`, { payment_method_id: 2 })
    expect(early.body).toMatchObject({ errorCode: 22 })
    await service.heartbeat()
    const { body } = await post(`/configs/renewal/${config.id}`, { payment_method_id: 2 })
    service.clock.advance(1.5 * 86_400)
    await service.db
      .updateTable('sandbox_payments')
      .set({ expires_at: service.clock.now() + 60 })
      .where('state', '=', 'pending')
      .execute()
    await pay(body.data.link)
    expect((await get('/profile')).balance).toBe(200)
  })
})

describe('topping up', () => {
  test('calculates in every method, and asks for that price', async () => {
    const options = await get('/profile/balance/calculate?amount=1000')
    expect(options).toEqual([
      { id: 2, method_key: 'sbp', display_name: 'СБП', price: 1000, currency: 'RUB' },
      { id: 3, method_key: 'card', display_name: 'Банковская карта', price: 1000, currency: 'RUB' },
      { id: 4, method_key: 'ton', display_name: 'TON', price: 3.5, currency: 'TON' },
      { id: 5, method_key: 'usdt', display_name: 'USDT', price: 11, currency: 'USDT' },
      { id: 6, method_key: 'stars', display_name: 'Telegram Stars', price: 600, currency: 'XTR' },
    ])
    for (const { id, price } of options) {
      const { status, body } = await post('/profile/balance/topup', { amount: 1000, payment_method_id: id })
      expect(status).toBe(200)
      const [record] = await get('/profile/payments-history')
      expect(record).toMatchObject({ amount: String(price), type: 'balance_topup', days: 0, is_paid: false })
      await pay(body.data.link)
    }
    expect((await get('/profile')).balance).toBe(5000)
  })

  /** How it was refused, and the fields that were the reason. */
  const refusalOf = ({ status, body: { errorCode, details } }: Answer) => [
    status,
    errorCode,
    ...new Set(details?.map(({ path }: { path: string }) => path)),
  ]

  test.each([
    ['0', 46],
    ['0.5', 46],
    ['-5', 46],
    ['15001', 46],
    ['1.5', 3],
    ['abc', 3],
    ['1e3', 3],
    ['', 3],
  ])('check 18: an amount of %s is refused', async (amount, errorCode) => {
    const calculated = await service.customer(user, 'GET', `/profile/balance/calculate?amount=${amount}`)
    expect(refusalOf(calculated)).toEqual([400, errorCode, 'amount'])
    if (!Number.isFinite(Number(amount)) || amount === '' || amount === '1e3') return
    const toppedUp = await post('/profile/balance/topup', { amount: Number(amount), payment_method_id: 2 })
    expect(refusalOf(toppedUp)).toEqual([400, errorCode, 'amount'])
  })

  /** Requests that are good but for their amount, which is written as it is given. */
  const sendAmount = async (customer: TestUser, amount: string) => {
    const raw = (path: string, rest: string) =>
      service.customer(customer, 'POST', path, `{"amount":${amount},${rest}}`)
    return {
      topUp: await raw('/profile/balance/topup', '"payment_method_id":2'),
      card: await raw('/profile/referral/withdraw/card', '"card_number":"2200150000001237"'),
      sbp: await raw(
        '/profile/referral/withdraw/sbp',
        '"phone_number":"+79161234567","bank_id":"100000000111"',
      ),
      operator: await service.call('POST', `/operator/v1/users/${customer.id}/balance`, {
        token: service.operatorToken,
        // Operators take, too: a whole rouble less is in order.
        body: `{"amount":${amount === '-1' ? '-1.5' : amount},"account":"wallet","reason":"check"}`,
      }),
    }
  }
  const moneyOf = async (customer: TestUser) => {
    const read = async (path: string) => (await service.customer(customer, 'GET', path)).body.data
    const { balance, referral_balance } = await read('/profile')
    const payments = await read('/profile/payments-history')
    return { balance, referral_balance, payments, withdrawals: await read('/profile/referral') }
  }
  const earnings = { balance: 100_000, referral_balance: 100_000 }

  test.each([
    ['-1', 46],
    ['1e309', 3],
    ['-1e309', 3],
    ['0.001', 46],
    ['9007199254740993', 46],
    ['"100"', 3],
    ['null', 3],
    ['[100]', 3],
    ['1e300', 46],
  ])('check 18: an amount written as %s is refused wherever money is named', async (amount, ofTopUp) => {
    const customer = await service.createUser(earnings)
    const before = await moneyOf(customer)
    const { topUp, ...others } = await sendAmount(customer, amount)
    expect(refusalOf(topUp)).toEqual([400, ofTopUp, 'amount'])
    for (const [where, answer] of Object.entries(others)) {
      expect([where, ...refusalOf(answer)]).toEqual([where, 400, 3, 'amount'])
    }
    expect(await moneyOf(customer)).toEqual(before)
  })

  test('check 18: with another amount the same is taken', async () => {
    const customer = await service.createUser(earnings)
    const { topUp, ...others } = await sendAmount(customer, '1000')
    expect(topUp.status).toBe(200)
    expect(Object.values(others).map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await moneyOf(customer)).toMatchObject({ balance: 101_000, referral_balance: 98_000 })
  })

  test('one rouble and fifteen thousand are fine; the balance cannot fill itself', async () => {
    for (const amount of [1, 15_000]) {
      expect((await post('/profile/balance/topup', { amount, payment_method_id: 2 })).status).toBe(200)
    }
    for (const payment_method_id of [1, 7, 99]) {
      const { body } = await post('/profile/balance/topup', { amount: 100, payment_method_id })
      expect(body).toMatchObject({ statusCode: 400, errorCode: 23 })
    }
  })

  test('a stale rate takes the method off sale instead of mispricing it', async () => {
    await service.operator('PUT', '/rates/TON', { rub: 300, valid_hours: 1 })
    const { body } = await post('/profile/balance/topup', { amount: 300, payment_method_id: 4 })
    expect(body.data.link).toBeTruthy()
    service.clock.advance(3601)
    const refused = await post('/profile/balance/topup', { amount: 300, payment_method_id: 4 })
    expect(refused.body).toMatchObject({ errorCode: 23 })
    expect((await post('/configs', { ...usualOrder, payment_method_id: 4 })).body.errorCode).toBe(23)
    expect((await get('/configs/tariffs')).map((row: { id: number }) => row.id)).not.toContain(4)
    const options = await get('/profile/balance/calculate?amount=100')
    expect(options.map((option: { id: number }) => option.id)).not.toContain(4)
    await service.operator('PUT', '/rates/TON', { rub: 285.714286, valid_hours: null })
  })
})
