import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deliver } from '../../../../../test/support/providers/stand-in.ts'
import { YooKassaStandIn } from '../../../../../test/support/providers/yookassa.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'
import { forgetPayloads } from '../../../core/settlement/inbox.ts'

const yookassa = new YooKassaStandIn()
const day = 86_400
let service: TestService
let user: TestUser
beforeAll(async () => {
  await yookassa.start()
  service = await startTestService({ withoutLimits: true, env: yookassa.env })
  await service.operator('PATCH', '/payment-methods/2', { provider: 'yookassa' })
})
beforeEach(async () => {
  await service.heartbeat()
  user = await service.createUser({ balance: 1000, referral_balance: 1000 })
})
afterAll(async () => {
  await service.stop()
  await yookassa.stop()
})

const get = async (path: string) => {
  const { status, body } = await service.operator('GET', path)
  expect([path, status]).toEqual([path, 200])
  return body.data
}
const ownOrders = (query = '') => get(`/orders?user_id=${user.id}${query}`)
const newest = async () => (await ownOrders('&limit=1'))[0]
const shown = async () => get(`/orders/${(await newest()).id}`)
const byLink = async (path: string, body: object) => {
  await service.customer(user, 'POST', path, body)
  const { provider_payment_id: id } = await newest()
  await deliver(service.running.url, yookassa.pay(id))
  await service.running.runJobs()
}
const onLink = () => byLink('/configs', { ...usualOrder, payment_method_id: 2 })

describe('the list', () => {
  test('newest first, by customer, state and product; with what was ordered and where', async () => {
    await service.buy(user)
    await service.customer(user, 'POST', '/configs', { ...usualOrder, payment_method_id: 2 })
    await service.customer(user, 'POST', '/profile/balance/topup', { amount: 300, payment_method_id: 2 })
    const all = await ownOrders()
    expect(all.map((row: { product_type: string; state: string }) => [row.product_type, row.state])).toEqual([
      ['balance', 'created'],
      ['configs', 'created'],
      ['configs', 'fulfilled'],
    ])
    expect(all[2]).toMatchObject({
      user_id: user.id,
      product_type: 'configs',
      location_id: 1,
      is_gift: false,
      method: 'balance',
      amount: 200,
      currency: 'RUB',
    })
    expect(await ownOrders('&state=created&product_type=configs')).toEqual([all[1]])
    expect(await ownOrders(`&before=${all[1].id}`)).toEqual([all[2]])
    expect(await ownOrders('&product_type=paid_options')).toEqual([])
    expect((await get('/orders?limit=2')).map((row: { id: number }) => row.id)).toEqual([
      all[0].id,
      all[1].id,
    ])
    expect((await service.operator('GET', '/orders?state=stolen')).status).toBe(400)
  })

  test('a renewal is where the configuration was', async () => {
    const { id } = await service.buy(user, { location_id: 7 })
    await service.customer(user, 'POST', `/configs/renewal/${id}`, { payment_method_id: 1, tariff_id: 1 })
    expect(await newest()).toMatchObject({ is_renewal: true, location_id: 7 })
  })

  test('as a table', async () => {
    await service.buy(user)
    const { body } = await service.call('GET', `/operator/v1/orders?user_id=${user.id}&limit=1`, {
      token: service.operatorToken,
      headers: { accept: 'text/csv' },
    })
    expect((body as string).split('\r\n')).toHaveLength(3)
  })
})

describe('one order', () => {
  test('with payments, receipts, what the provider said, and transfers', async () => {
    await onLink()
    const order = await shown()
    expect(order.payments).toMatchObject([
      { provider: 'yookassa', state: 'succeeded', amount: 200, method: 'sbp' },
    ])
    expect(order.receipts).toMatchObject([{ verdict: 'accepted', value_rub: 200, provider: 'yookassa' }])
    expect(order.events).toMatchObject([
      { provider: 'yookassa', failure: null, payload: { event: 'payment.succeeded' } },
    ])
    expect(order.events[0].processed_at).toEqual(expect.any(Number))
    expect(order.transfers.map((row: { from: string; to: string }) => [row.from, row.to])).toEqual([
      ['provider:yookassa', 'clearing'],
      ['clearing', 'revenue'],
    ])
    service.clock.advance(31 * day)
    await forgetPayloads(service.db, service.clock.now())
    expect((await get(`/orders/${order.id}`)).events).toMatchObject([{ payload: null }])
  })

  test('is 404 where there is none', async () => {
    expect((await service.operator('GET', '/orders/999999')).status).toBe(404)
  })
})

describe('what a refund would take back', () => {
  test('the days of what was bought, to either place; and nothing is changed by asking', async () => {
    const config = await (async () => {
      await onLink()
      return (await service.customer(user, 'GET', '/configs')).body.data[0]
    })()
    const { id, refund_now } = await shown()
    expect(refund_now).toEqual({
      to: ['source', 'balance'],
      problem: null,
      amount: 200,
      currency: 'RUB',
      takes_back: {
        days: 30,
        expires_at: service.clock.now(),
        key: false,
        balance: 0,
        commission: 0,
      },
    })
    expect((await service.customer(user, 'GET', '/configs')).body.data[0]).toEqual(config)
    await service.operator('POST', `/payments/${id}/refund`, { to: 'balance', reason: 'asked' })
    expect((await shown()).refund_now).toMatchObject({ to: [], problem: expect.stringContaining('refunded') })
  })

  test('of an order among several: only its own days', async () => {
    const { id } = await service.buy(user)
    await service.customer(user, 'POST', `/configs/renewal/${id}`, { payment_method_id: 1, tariff_id: 1 })
    const { refund_now } = await shown()
    expect(refund_now).toMatchObject({ to: ['balance'], takes_back: { days: 30, balance: 0 } })
    expect(refund_now.takes_back.expires_at).toBeGreaterThan(service.clock.now() + 29 * day)
  })

  test('of a top-up: the balance, while it is there', async () => {
    user = await service.createUser()
    await byLink('/profile/balance/topup', { amount: 300, payment_method_id: 2 })
    expect((await shown()).refund_now).toMatchObject({
      to: ['source'],
      takes_back: { days: 0, expires_at: null, balance: 300 },
    })
    await service.buy(user)
    const topUp = (await ownOrders('&product_type=balance'))[0]
    expect((await get(`/orders/${topUp.id}`)).refund_now).toMatchObject({ to: [] })
  })

  test('of an activation key: the key', async () => {
    const { location_id: _, protocol: __, ...rest } = usualOrder
    await service.customer(user, 'POST', '/configs', { ...rest, as_key: true })
    expect((await shown()).refund_now).toMatchObject({ to: ['balance'], takes_back: { key: true, days: 0 } })
  })
})

describe('the ledger', () => {
  const ledger = (query: string) => get(`/ledger?${query}`)

  test('by account and by the beginning of a cause', async () => {
    await service.buy(user)
    const { id } = await newest()
    const [row, ...others] = await ledger(`account=user:${user.id}:wallet&limit=1`)
    expect(others).toEqual([])
    expect(row).toEqual({
      id: row.id,
      cause: `order:${id}:charge`,
      kind: 'purchase',
      from: `user:${user.id}:wallet`,
      to: 'revenue',
      amount: 200,
      currency: 'RUB',
      order_id: id,
      created_at: service.clock.now(),
    })
    expect(await ledger(`cause=order:${id}:`)).toEqual([row])
    expect((await ledger('account=revenue&limit=1'))[0]).toEqual(row)
    const [opening] = await ledger(`account=user:${user.id}:wallet&before=${row.id}`)
    expect(opening).toMatchObject({ to: `user:${user.id}:wallet`, amount: 1000 })
    expect(await ledger(`account=user:${user.id}:wallet&cause=order:`)).toEqual([row])
    expect(await ledger(`account=user:${user.id}:referral`)).toHaveLength(1)
    expect(await ledger('cause=order_')).toEqual([])
    expect(await ledger('account=user:999999:wallet')).toEqual([])
    expect(await ledger('account=clearing:TON')).toEqual([])
  })

  test.each([
    'user:7',
    'user:7:pocket',
    'treasure',
    'revenue:XXX',
    'provider',
    'user:0:wallet',
    'revenue:RUB:x',
  ])('no account is called %s', async (name) => {
    const { status, body } = await service.operator('GET', `/ledger?account=${name}`)
    expect([status, body.details[0].path]).toEqual([400, 'account'])
  })

  test('adds up; and says by how much it does not', async () => {
    const { imbalance, accounts, transfers } = await get('/ledger/check')
    expect(imbalance).toBe(0)
    expect(accounts).toBeGreaterThan(4)
    expect(transfers).toBeGreaterThan(1)
    const wallet = (by: number) =>
      service.db
        .updateTable('ledger_accounts')
        .set((eb) => ({ balance: eb('balance', '+', by) }))
        .where('user_id', '=', user.id)
        .where('kind', '=', 'wallet')
        .execute()
    await wallet(7)
    expect((await get('/ledger/check')).imbalance).toBe(7)
    await wallet(-7)
  })

  test('is not for support', async () => {
    const token = await createOperator(service.db, { name: 's', role: 'support', now: service.clock.now() })
    for (const path of ['/ledger', '/ledger/check']) {
      expect((await service.call('GET', `/operator/v1${path}`, { token })).status).toBe(403)
    }
    expect((await service.call('GET', '/operator/v1/orders', { token })).status).toBe(200)
  })
})

test('the front page: today and before, customers, what ends, what waits, nodes and slots', async () => {
  const before = await get('/overview')
  await service.buy(user)
  await service.customer(user, 'POST', '/configs', { ...usualOrder, payment_method_id: 2 })
  const after = await get('/overview')
  expect(after.sales.today.orders).toBe(before.sales.today.orders + 1)
  expect(after.sales.last_30_days.from_balance).toBe(before.sales.last_30_days.from_balance + 200)
  expect(after.customers).toMatchObject({ active: before.customers.active + 1 })
  expect(after.customers.new_today).toBeGreaterThan(0)
  expect(after.open.payments).toBe(before.open.payments + 1)
  expect(after.nodes).toEqual({ total: 1, online: 1 })
  expect(after.slots.length).toBeGreaterThan(5)
  expect(after.slots[0].free).toBe(before.slots[0].free - 1)
  service.clock.advance(28 * day)
  await service.heartbeat()
  const later = await get('/overview')
  expect(later.sales.today).toMatchObject({ orders: 0, before: { orders: 0 } })
  expect(later.sales.last_30_days.orders).toBeGreaterThan(0)
  expect(later.terms_ending).toBeGreaterThan(0)
  expect(later.terms_ending_unrenewed).toBe(later.terms_ending)
  await service.customer(user, 'POST', '/profile/referral/withdraw/card', {
    amount: 1000,
    card_number: '2200150000001237',
  })
  expect((await get('/overview')).open.withdrawals).toBe(later.open.withdrawals + 1)
})
