import type { OrderedProduct } from '@sallyport/contract/products'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const history = async (user: TestUser, query = '') =>
  service.customer(user, 'GET', `/profile/payments-history${query}`)

interface Order {
  product?: OrderedProduct
  state?: string
  payment_method_id?: number | null
  promocode_id?: number | null
  price?: number
  currency?: string
  days?: number
  is_renewal?: boolean
  as_key?: boolean
  period_end?: number
}

const order = async (user: TestUser, fields: Order): Promise<number> => {
  const { id } = await service.db
    .insertInto('orders')
    .values({
      user_id: user.id,
      product: 'configs',
      state: 'created',
      payment_method_id: 1,
      days: 30,
      price: 200,
      value_rub: 200,
      price_steps: '{}',
      purchase: '{}',
      created_at: service.clock.now(),
      ...fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const methodId = async (key: string): Promise<number> => {
  const { id } = await service.db
    .selectFrom('payment_methods')
    .select('id')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return id
}

test('a purchase and a renewal show as they were paid, newest first, to their customer only', async () => {
  const [user, other] = [
    await service.createUser({ balance: 1000 }),
    await service.createUser({ balance: 1000 }),
  ]
  expect((await history(user)).body.data).toEqual([])
  const config = await service.buy(user)
  const boughtAt = service.clock.now()
  await service.buy(other)
  const renewal = await service.customer(user, 'POST', `/configs/renewal/${config.id}`, {
    payment_method_id: 1,
    tariff_id: 2,
  })
  expect(renewal.status).toBe(201)
  const { body } = await history(user)
  const common = { method: 'balance', is_paid: true, as_key: false }
  expect(body.data).toEqual([
    {
      ...common,
      id: expect.any(Number),
      amount: '540',
      type: 'renewal',
      days: 90,
      created_at: expect.any(Number),
    },
    { ...common, id: expect.any(Number), amount: '200', type: 'new_config', days: 30, created_at: boughtAt },
  ])
  expect(body.data[0].id).toBeGreaterThan(body.data[1].id)
})

test.each<[string, string, Order, object]>([
  ['a link that waits', 'sbp', {}, { amount: '200', type: 'new_config', method: 'sbp', is_paid: false }],
  ['paid, not granted yet', 'card', { state: 'paid' }, { method: 'card', is_paid: true }],
  ['granted', 'card', { state: 'fulfilled' }, { is_paid: true }],
  ['given back', 'card', { state: 'refunded' }, { is_paid: true }],
  ['cancelled', 'card', { state: 'cancelled' }, { is_paid: false }],
  ['never paid', 'card', { state: 'expired' }, { is_paid: false }],
  ['decimals', 'usdt', { price: 125, currency: 'USDT' }, { amount: '1.25', method: 'usdt' }],
  ['a cent', 'ton', { price: 7, currency: 'TON' }, { amount: '0.07', method: 'ton' }],
  ['a whole number of them', 'ton', { price: 500, currency: 'TON' }, { amount: '5', method: 'ton' }],
  ['stars', 'stars', { price: 150, currency: 'XTR' }, { amount: '150', method: 'stars' }],
  ['a cloud server', 'card', { product: 'cloud_servers' }, { type: 'cloud_server' }],
  ['its renewal', 'card', { product: 'cloud_servers', is_renewal: true }, { type: 'renewal' }],
  ['what another release sold', 'card', { product: 'airships' as OrderedProduct }, { type: null }],
  ['a paid option', 'card', { product: 'paid_options' }, { type: 'paid_option' }],
  [
    'one that is bought again',
    'card',
    { product: 'paid_options', is_renewal: true },
    { type: 'paid_option' },
  ],
  [
    'one that renewed itself',
    'balance',
    { product: 'paid_options', is_renewal: true, period_end: 1_800_000_000 },
    { type: 'renewal' },
  ],
  ['a key', 'card', { as_key: true }, { type: 'new_config', as_key: true }],
  ['a top-up', 'card', { product: 'balance' }, { type: 'balance_topup', days: 0 }],
])('%s', async (_what, key, fields, expected) => {
  const user = await service.createUser()
  const id = await order(user, { payment_method_id: await methodId(key), ...fields })
  const { body } = await history(user)
  expect(body.data).toEqual([expect.objectContaining({ id, days: 30, as_key: false, ...expected })])
})

test('what was paid with a promocode has no amount', async () => {
  const user = await service.createUser()
  await order(user, { payment_method_id: null, promocode_id: 7, price: 0, state: 'fulfilled' })
  const { body } = await history(user)
  expect(body.data).toEqual([
    expect.objectContaining({ amount: null, method: 'promocode', type: 'new_config', is_paid: true }),
  ])
})

test('comes in pages of at most a hundred', async () => {
  const user = await service.createUser()
  const ids: number[] = []
  for (let index = 0; index < 103; index++) ids.unshift(await order(user, {}))
  const pageOf = async (query: string) =>
    (await history(user, query)).body.data.map((record: { id: number }) => record.id)
  expect(await pageOf('')).toEqual(ids.slice(0, 100))
  expect(await pageOf('?limit=2')).toEqual(ids.slice(0, 2))
  expect(await pageOf('?limit=2&offset=3')).toEqual(ids.slice(3, 5))
  expect(await pageOf('?offset=100')).toEqual(ids.slice(100))
  expect(await pageOf('?offset=9007199254740991')).toEqual([])
  for (const query of ['?limit=0', '?limit=101', '?limit=x', '?offset=-1', '?limit=1.5']) {
    expect([query, (await history(user, query)).body.errorCode]).toEqual([query, 3])
  }
})
