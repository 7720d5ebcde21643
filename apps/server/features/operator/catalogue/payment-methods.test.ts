import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'

let service: TestService
beforeAll(async () => {
  const nowhere = 'http://127.0.0.1:9'
  const yookassa = { YOOKASSA_SHOP_ID: '1', YOOKASSA_SECRET_KEY: 'secret', YOOKASSA_URL: nowhere }
  const cryptoPay = { CRYPTO_PAY_TOKEN: 'secret', CRYPTO_PAY_URL: nowhere }
  service = await startTestService({ env: { SANDBOX_PAYMENTS: 'on', ...yookassa, ...cryptoPay } })
  await service.db.deleteFrom('rates').execute()
  await service.db
    .updateTable('payment_methods')
    .set({ provider: 'gone' })
    .where('key', '=', 'stars')
    .execute()
  await service.db.updateTable('payment_methods').set({ min_amount: 10 }).where('key', '=', 'ton').execute()
})
afterAll(() => service.stop())

interface Method {
  readonly id: number
  readonly key: string
  readonly provider: string | null
  readonly is_available: boolean
  readonly version: number
}

const list = async (): Promise<Method[]> => (await service.operator('GET', '/payment-methods')).body.data
const methodOf = async (key: string): Promise<Method> =>
  (await list()).find((method) => method.key === key) as Method
const change = async (key: string, body: object) =>
  service.operator('PATCH', `/payment-methods/${(await methodOf(key)).id}`, body)

test('a method is available while switched on, with a configured provider and a fresh rate', async () => {
  const availability = async () =>
    Object.fromEntries((await list()).map((method) => [method.key, method.is_available]))
  const noRates = {
    balance: true,
    referral: true,
    sbp: true,
    card: true,
    ton: false,
    usdt: false,
    stars: false,
  }
  expect(await availability()).toEqual(noRates)
  await service.operator('PUT', '/rates/TON', { rub: 400, valid_hours: 1 })
  await service.operator('PUT', '/rates/XTR', { rub: 2, valid_hours: null })
  await change('sbp', { is_active: false })
  expect(await availability()).toEqual({ ...noRates, ton: true, sbp: false })
  service.clock.advance(3600)
  expect(await availability()).toEqual({ ...noRates, sbp: false })
  await change('sbp', { is_active: true })
  await change('stars', { provider: 'sandbox' })
  expect(await availability()).toEqual({ ...noRates, stars: true })
})

test('what the shop offers is what is available', async () => {
  const user = await service.createUser({ balance: 1, referral_balance: 1 })
  const { body } = await service.customer(user, 'GET', '/configs/tariffs')
  const offered = body.data.map((method: { id: number }) => method.id)
  const available = (await list()).filter((method) => method.is_available)
  expect(available.map((method) => method.id)).toEqual(offered)
})

test('a method changes as told, and what was and is goes to the audit log', async () => {
  const before = await methodOf('ton')
  expect(before).toEqual({
    id: 4,
    key: 'ton',
    name_ru: 'TON',
    name_en: 'TON',
    currency: 'TON',
    provider: 'sandbox',
    min_amount: 0.1,
    is_active: true,
    is_available: false,
    problem: 'cannot be sold, because TON has no rate that still holds; PUT /rates/TON',
    version: before.version,
  })
  const { status, body } = await change('ton', { min_amount: 0.29, is_active: false, provider: 'crypto_pay' })
  const changed = { min_amount: 0.29, is_active: false, provider: 'crypto_pay' }
  const after = { ...before, ...changed, version: before.version + 1 }
  expect([status, body.data]).toEqual([200, after])
  expect(await methodOf('ton')).toEqual(after)
  const kept = await service.db
    .selectFrom('payment_methods')
    .select('min_amount')
    .where('id', '=', 4)
    .execute()
  expect(kept).toEqual([{ min_amount: 29 }])
  const log = await service.operator('GET', '/audit?action=changePaymentMethod&subject=payment_method:4')
  expect(log.body.data).toMatchObject([
    { details: { before: { min_amount: 0.1, is_active: true, provider: 'sandbox' }, after: changed } },
  ])
  expect((await change('usdt', { min_amount: 3 })).body.data).toMatchObject({
    min_amount: 3,
    provider: 'sandbox',
  })
})

describe('the provider', () => {
  test('must be configured and take the method in its currency; the possible ones are named', async () => {
    expect((await change('sbp', { provider: 'yookassa' })).body.data.provider).toBe('yookassa')
    const problem = 'does not take card in RUB here; choose sandbox or yookassa'
    for (const provider of ['crypto_pay', 'stripe', 'nobody']) {
      const answer = await change('card', { provider })
      expect([answer.status, answer.body.errorCode]).toEqual([400, 3])
      expect(answer.body.details).toEqual([{ path: 'provider', problem }])
    }
    expect((await methodOf('card')).provider).toBe('sandbox')
  })

  test('has to take the currency too', async () => {
    const setCurrency = (currency: string) =>
      service.db.updateTable('payment_methods').set({ currency }).where('key', '=', 'card').execute()
    await setCurrency('USD')
    const answer = await change('card', { provider: 'yookassa' })
    await setCurrency('RUB')
    expect(answer.body.details).toEqual([
      { path: 'provider', problem: 'does not take card in USD here; choose sandbox' },
    ])
  })

  test.each(['balance', 'referral'])('is nobody for %s', async (key) => {
    const answer = await change(key, { provider: 'sandbox' })
    const problem = `${key} is paid inside the service and has no provider`
    expect([answer.status, answer.body.details]).toEqual([400, [{ path: 'provider', problem }]])
    expect((await change(key, { min_amount: 2 })).body.data).toMatchObject({ provider: null, min_amount: 2 })
  })
})

test.each([
  ['card', 0.5, 'must be a whole number in RUB'],
  ['stars', 1.01, 'must be a whole number in XTR'],
  ['ton', 0.125, 'must have at most 2 decimals in TON'],
])('%s cannot have the minimum %d', async (key, minimum, problem) => {
  const answer = await change(key, { min_amount: minimum })
  expect([answer.status, answer.body.details]).toEqual([400, [{ path: 'min_amount', problem }]])
})

test('unknown methods are 404; owner and finance change them, support looks', async () => {
  const missing = await service.operator('PATCH', '/payment-methods/999999999', { is_active: true })
  expect([missing.status, missing.body.errorCode]).toEqual([404, 1])
  for (const [role, status] of [
    ['owner', 200],
    ['finance', 200],
    ['support', 403],
  ] as const) {
    const token = await createOperator(service.db, { name: role, role, now: service.clock.now() })
    const body = { is_active: true }
    const changed = await service.call('PATCH', '/operator/v1/payment-methods/3', { token, body })
    expect(changed.status, role).toBe(status)
    expect((await service.call('GET', '/operator/v1/payment-methods', { token })).status).toBe(200)
  }
})

describe('a new method', () => {
  const invoice = {
    key: 'invoice',
    name_ru: 'По счёту',
    name_en: 'By invoice',
    currency: 'RUB',
    min_amount: 100,
  }
  const create = (body: object = {}) => service.operator('POST', '/payment-methods', { ...invoice, ...body })

  test('without a provider waits for one, and says so', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    expect(body.data).toEqual({
      id: 8,
      ...invoice,
      provider: null,
      is_active: true,
      is_available: false,
      problem: 'cannot be sold, because it has no provider; no configured one takes it',
      version: 1,
    })
    expect(await list()).toContainEqual(body.data)
    const log = await service.operator('GET', '/audit?action=createPaymentMethod&subject=payment_method:8')
    expect(log.body.data).toMatchObject([{ details: { after: { key: 'invoice' } } }])
    const again = await create()
    expect([again.status, again.body.details]).toEqual([
      409,
      [{ path: 'key', problem: 'belongs to another method' }],
    ])
  })

  test('with a provider is sold at once, and renamed', async () => {
    await service.db.deleteFrom('tariff_prices').where('payment_method_id', '=', 6).execute()
    await service.db.deleteFrom('payment_methods').where('key', '=', 'stars').execute()
    const stars = { key: 'stars', currency: 'XTR', min_amount: 1, provider: 'sandbox', is_active: false }
    const { body } = await create(stars)
    expect(body.data).toMatchObject({ ...stars, is_available: false, problem: null })
    const changed = await change('stars', { is_active: true, name_ru: 'Звёзды', version: 1 })
    expect(changed.body.data).toMatchObject({ is_available: true, name_ru: 'Звёзды', version: 2 })
    const late = await change('stars', { is_active: false, version: 1 })
    expect([late.status, late.body.data]).toMatchObject([409, { name_ru: 'Звёзды', version: 2 }])
  })

  test.each([
    ['provider', { provider: 'crypto_pay' }],
    ['provider', { provider: 'nobody' }],
    ['key', { key: 'По счёту' }],
    ['currency', { currency: 'EUR' }],
    ['currency', { key: 'balance', currency: 'USD' }],
    ['min_amount', { min_amount: 0 }],
    ['min_amount', { min_amount: 0.5 }],
    ['name_ru', { name_ru: '' }],
  ])('is refused for its %s', async (path, body) => {
    const answer = await create({ key: 'other', ...body })
    expect([answer.status, answer.body.details[0].path]).toEqual([400, path])
  })

  test('ten at once have ten numbers, and one of a key', async () => {
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, (_, n) => create({ key: `of_many_${n}` })),
      ...Array.from({ length: 5 }, () => create({ key: 'the_same' })),
    ])
    const made = answers.filter(({ status }) => status === 201)
    expect(made).toHaveLength(6)
    expect(new Set(made.map(({ body }) => body.data.id)).size).toBe(6)
  })
})
