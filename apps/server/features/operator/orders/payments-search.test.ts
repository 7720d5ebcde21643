import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'

let service: TestService
let anna: TestUser
let paid: number
beforeAll(async () => {
  service = await startTestService()
  anna = await service.createUser({ email: 'anna@example.com' })
  await order()
  paid = await order({ state: 'paid' })
  await payment(paid, 'sandbox', 'pub-first', 'sb-1')
  const paymentId = await payment(paid, 'crypto_pay', 'pub-latest', 'cp-77')
  const receipt = { payment_id: paymentId, order_id: paid, provider: 'crypto_pay', receipt_id: 'rc-77' }
  await service.db
    .insertInto('receipts')
    .values({ ...receipt, ...money(), value_rub: 200, verdict: 'accepted' })
    .execute()
})
afterAll(() => service.stop())

const money = () => ({ amount: 200, currency: 'RUB', created_at: service.clock.now() })

const order = async (fields: object = {}): Promise<number> => {
  const row = {
    user_id: anna.id,
    product: 'configs' as const,
    state: 'created',
    payment_method_id: 2,
    days: 30,
    price: 200,
    value_rub: 200,
    price_steps: '{}',
    purchase: '{}',
    created_at: service.clock.now(),
    ...fields,
  }
  return (await service.db.insertInto('orders').values(row).returning('id').executeTakeFirstOrThrow()).id
}

const payment = async (
  orderId: number,
  provider: string,
  publicId: string,
  theirs: string,
): Promise<number> => {
  const row = {
    order_id: orderId,
    provider,
    public_id: publicId,
    provider_payment_id: theirs,
    method_key: 'sbp',
    state: 'pending' as const,
    expires_at: service.clock.now() + 3600,
    ...money(),
  }
  return (await service.db.insertInto('payments').values(row).returning('id').executeTakeFirstOrThrow()).id
}

const search = async (query: Record<string, string | number>) => {
  const parameters = new URLSearchParams(query as Record<string, string>)
  const { status, body } = await service.operator('GET', `/payments?${parameters}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}
const idsOf = async (query: Record<string, string | number>): Promise<number[]> =>
  (await search(query)).map((row: { id: number }) => row.id)

test.each([
  'pub-first',
  'pub-latest',
  'sb-1',
  'cp-77',
  'rc-77',
  '  rc-77 ',
])('an order is found by %j', async (text) => {
  expect(await idsOf({ search: text })).toEqual([paid])
})

test('an order is found by its own number', async () => {
  expect(await idsOf({ search: paid })).toEqual([paid])
})

test('an order is found under the latest provider only, and together with the other filters', async () => {
  expect(await idsOf({ provider: 'crypto_pay' })).toEqual([paid])
  expect(await idsOf({ provider: 'sandbox', user_id: anna.id })).toEqual([])
  expect(await idsOf({ search: 'rc-77', state: 'paid', user_id: anna.id })).toEqual([paid])
  expect(await idsOf({ search: 'rc-77', state: 'created' })).toEqual([])
  expect(await idsOf({ search: 'rc-77', user_id: anna.id + 1 })).toEqual([])
})
test.each([
  'rc-7',
  'rc-77%',
  '%',
  'nobody@example.com',
  '99999999999999999999',
  '0',
  '-1',
])('nothing is found by %j', async (text) => {
  expect(await search({ search: text })).toEqual([])
})

test('an e-mail finds everything of its customer and of nobody else, however it is written', async () => {
  const boris = await service.createUser({ email: 'boris@example.com' })
  const first = await order({ user_id: boris.id })
  const second = await order({ user_id: boris.id, payment_method_id: null, price: 0, state: 'fulfilled' })
  const found = await search({ search: ' Boris@Example.COM ' })
  expect(found.map((row: { id: number }) => row.id)).toEqual([second, first])
  expect(found.map((row: { method: string }) => row.method)).toEqual(['promocode', 'sbp'])
  expect(await idsOf({ user_id: boris.id, state: 'created' })).toEqual([first])
})

test('pages go back in time and meet every order once', async () => {
  const user = await service.createUser()
  const made: number[] = []
  for (let n = 0; n < 7; n++) made.push(await order({ user_id: user.id }))
  const pages: number[][] = []
  for (let before: number | undefined; pages.length < 5; ) {
    const page = await idsOf({ user_id: user.id, limit: 3, ...(before !== undefined && { before }) })
    pages.push(page)
    if (page.length < 3) break
    before = page.at(-1)
  }
  expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
  expect(pages.flat()).toEqual(made.toReversed())
  const everything = await idsOf({})
  expect(everything).toEqual(everything.toSorted((a, b) => b - a))
})

test('nonsense is 400', async () => {
  for (const query of ['state=lost', 'limit=0', 'limit=501', 'before=x', 'search=']) {
    expect((await service.operator('GET', `/payments?${query}`)).status, query).toBe(400)
  }
})
