import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { type Transfer, transfer } from '../../../core/ledger/ledger.ts'
import { createOperator } from '../../../core/operators/operators.ts'
import { inTransaction } from '../../../db/client.ts'

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
    product: 'configs' as const,
    state: 'created',
    payment_method_id: 2,
    days: 30,
    price: 200,
    value_rub: 200,
    price_steps: JSON.stringify({ list: 200, charged: 200 }),
    purchase: '{}',
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

test('a purchase from the balance is shown with its price and its entry in the books', async () => {
  const user = await service.createUser({ balance: 500 })
  const config = await service.buy(user)
  const [row, ...others] = (await service.operator('GET', `/payments?user_id=${user.id}`)).body.data
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
      from: `user:${user.id}:wallet`,
      to: 'revenue',
      amount: 200,
      currency: 'RUB',
      cause: `order:${row.id}:charge`,
      order_id: row.id,
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
      is_gift: false,
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
          payment_id: expect.any(Number),
          provider: 'crypto_pay',
          created_at,
          credited_at: null,
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
        ['receipt', 'provider:crypto_pay:TON', 'clearing:TON', 0.7, 'TON'],
        ['earned', 'clearing:TON', 'revenue:TON', 0.7, 'TON'],
        ['commission', 'operator', `user:${anna.id}:referral_hold`, 40, 'RUB'],
      ].map(([kind, from, to, amount, currency]) => ({
        id: expect.any(Number),
        kind,
        from,
        to,
        amount,
        currency,
        cause: expect.any(String),
        order_id: tonOrder,
        created_at,
      })),
    })
  })
})

test('unknown orders are 404, and every operator may look', async () => {
  expect((await service.operator('GET', '/payments/999999999')).body.errorCode).toBe(1)
  for (const role of ['owner', 'finance', 'support'] as const) {
    const token = await createOperator(service.db, { name: role, role, now: service.clock.now() })
    for (const path of ['/payments', `/payments/${tonOrder}`]) {
      expect((await service.call('GET', `/operator/v1${path}`, { token })).status, role).toBe(200)
    }
  }
})
