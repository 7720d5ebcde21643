import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { type Transfer, transfer } from '../../core/ledger.ts'
import { createOperator } from '../../core/operators.ts'
import { inTransaction } from '../../db/client.ts'

let service: TestService
let anna: TestUser
let tonOrder: number
let tonPaidAt: number
beforeAll(async () => {
  service = await startTestService()
  anna = await service.createUser({ email: 'anna@example.com' })
  tonPaidAt = service.clock.now()
  tonOrder = await order({
    state: 'refunded',
    payment_method_id: 4,
    price: 70,
    currency: 'TON',
    value_rub: 200,
  })
})
afterAll(() => service.stop())

const order = async (fields: object = {}): Promise<number> => {
  const row = {
    user_id: anna.id,
    product: 'configs',
    state: 'created',
    payment_method_id: 2,
    days: 30,
    price: 200,
    price_steps: JSON.stringify({ list: 200, charged: 200 }),
    created_at: service.clock.now(),
    ...fields,
  }
  return (await service.db.insertInto('orders').values(row).returning('id').executeTakeFirstOrThrow()).id
}

const payment = async (orderId: number, fields: { public_id: string; provider: string }): Promise<number> => {
  const now = service.clock.now()
  const row = {
    order_id: orderId,
    method_key: 'ton',
    amount: 70,
    currency: 'TON',
    state: 'pending' as const,
    created_at: now,
    expires_at: now + 3600,
    provider_payment_id: null as string | null,
    ...fields,
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

test('a purchase from the balance is shown with its price and its entry in the books', async () => {
  const user = await service.createUser({ balance: 500 })
  const config = await service.buy(user)
  const [row, ...others] = await search({ user_id: user.id })
  expect(others).toEqual([])
  expect(row).toMatchObject({
    user_id: user.id,
    email: null,
    product: 'configs',
    item_id: config.id,
    state: 'fulfilled',
    is_renewal: false,
    as_key: false,
    days: 30,
    method: 'balance',
    provider: null,
    payment_id: null,
    provider_payment_id: null,
    amount: 200,
    currency: 'RUB',
    created_at: service.clock.now(),
    refunded_at: null,
    refunded_to: null,
  })
  const { status, body } = await service.operator('GET', `/payments/${row.id}`)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ ...row, receipts: [], refunds: [] })
  expect(body.data.price_steps).toMatchObject({ list: 200, ruleId: null, percent: 0, charged: 200 })
  expect(body.data.transfers).toEqual([
    {
      id: expect.any(Number),
      kind: 'purchase',
      from: `wallet of ${user.id}`,
      to: 'revenue RUB',
      amount: 200,
      currency: 'RUB',
      created_at: service.clock.now(),
    },
  ])
})

describe('an order paid from outside', () => {
  beforeAll(async () => {
    const now = tonPaidAt
    await payment(tonOrder, { public_id: 'pub-first', provider: 'sandbox' })
    const latest = { public_id: 'pub-latest', provider: 'crypto_pay', provider_payment_id: 'cp-77' }
    const paymentId = await payment(tonOrder, latest)
    const money = { order_id: tonOrder, currency: 'TON', created_at: now }
    const receipt = {
      ...money,
      payment_id: paymentId,
      provider: 'crypto_pay',
      receipt_id: 'rc-77',
      amount: 70,
    }
    const { id } = await service.db
      .insertInto('receipts')
      .values({ ...receipt, value_rub: 201, verdict: 'accepted' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await service.db
      .insertInto('refunds')
      .values({
        ...money,
        receipt_id: id,
        destination: 'source',
        amount: 70,
        reason: 'asked',
        state: 'requested',
      })
      .execute()
    const moves: Pick<Transfer, 'kind' | 'from' | 'to'>[] = [
      {
        kind: 'receipt',
        from: { kind: 'provider', provider: 'crypto_pay', currency: 'TON' },
        to: { kind: 'clearing', currency: 'TON' },
      },
      {
        kind: 'earned',
        from: { kind: 'clearing', currency: 'TON' },
        to: { kind: 'revenue', currency: 'TON' },
      },
    ]
    await inTransaction(service.db, async (tx) => {
      for (const move of moves) {
        await transfer(tx, { ...move, cause: `test:${move.kind}`, amount: 70, orderId: tonOrder, now })
      }
      await transfer(tx, {
        kind: 'commission',
        cause: 'test:commission',
        from: { kind: 'operator' },
        to: { userId: anna.id, kind: 'referral_hold' },
        amount: 40,
        orderId: tonOrder,
        now,
      })
    })
  })

  test('is shown whole: latest payment, receipts, refunds and readable accounts', async () => {
    const { body } = await service.operator('GET', `/payments/${tonOrder}`)
    const created_at = tonPaidAt
    expect(body.data).toEqual({
      id: tonOrder,
      user_id: anna.id,
      email: 'anna@example.com',
      product: 'configs',
      item_id: null,
      state: 'refunded',
      is_renewal: false,
      as_key: false,
      days: 30,
      method: 'ton',
      provider: 'crypto_pay',
      payment_id: 'pub-latest',
      provider_payment_id: 'cp-77',
      amount: 0.7,
      currency: 'TON',
      value_rub: 200,
      created_at,
      paid_at: null,
      fulfilled_at: null,
      refunded_at: null,
      refunded_to: null,
      price_steps: { list: 200, charged: 200 },
      receipts: [
        {
          id: expect.any(Number),
          receipt_id: 'rc-77',
          amount: 0.7,
          currency: 'TON',
          value_rub: 201,
          verdict: 'accepted',
          created_at,
        },
      ],
      refunds: [
        {
          id: expect.any(Number),
          destination: 'source',
          amount: 0.7,
          currency: 'TON',
          reason: 'asked',
          state: 'requested',
          failure: null,
          created_at,
          done_at: null,
        },
      ],
      transfers: [
        ['receipt', 'provider crypto_pay TON', 'clearing TON', 0.7, 'TON'],
        ['earned', 'clearing TON', 'revenue TON', 0.7, 'TON'],
        ['commission', 'operator RUB', `referral hold of ${anna.id}`, 40, 'RUB'],
      ].map(([kind, from, to, amount, currency]) => ({
        id: expect.any(Number),
        kind,
        from,
        to,
        amount,
        currency,
        created_at,
      })),
    })
  })

  test.each(['pub-first', 'pub-latest', 'cp-77', 'rc-77', '  rc-77 '])('is found by %j', async (text) => {
    expect(await idsOf({ search: text })).toEqual([tonOrder])
  })

  test('is found by its own number', async () => {
    expect(await idsOf({ search: tonOrder })).toEqual([tonOrder])
  })

  test('is found under the latest provider only, and together with the other filters', async () => {
    expect(await idsOf({ provider: 'crypto_pay' })).toEqual([tonOrder])
    expect(await idsOf({ provider: 'sandbox', user_id: anna.id })).toEqual([])
    expect(await idsOf({ search: 'rc-77', state: 'refunded', user_id: anna.id })).toEqual([tonOrder])
    expect(await idsOf({ search: 'rc-77', state: 'paid' })).toEqual([])
    expect(await idsOf({ search: 'rc-77', user_id: anna.id + 1 })).toEqual([])
  })
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

test('unknown orders are 404, nonsense is 400, and every operator may look', async () => {
  expect((await service.operator('GET', '/payments/999999999')).body.errorCode).toBe(1)
  for (const query of ['state=lost', 'limit=0', 'limit=501', 'before=x', 'search=']) {
    expect((await service.operator('GET', `/payments?${query}`)).status, query).toBe(400)
  }
  for (const role of ['owner', 'finance', 'support'] as const) {
    const token = await createOperator(service.db, { name: role, role, now: service.clock.now() })
    for (const path of ['/payments', `/payments/${tonOrder}`]) {
      expect((await service.call('GET', `/operator/v1${path}`, { token })).status, role).toBe(200)
    }
  }
})
