import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliver } from '../../../../../test/support/providers/stand-in.ts'
import { YooKassaStandIn } from '../../../../../test/support/providers/yookassa.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'
import { findDifferences } from '../../../core/statistics/check.ts'
import { foldFigures, forgetSums } from '../../../core/statistics/fold.ts'

const yookassa = new YooKassaStandIn()
const day = 86_400
let service: TestService
let before: Record<string, number>
let buyer: TestUser
let payer: TestUser

const get = async (path: string) => {
  const { status, body } = await service.operator('GET', path)
  expect([path, status]).toEqual([path, 200])
  return body.data
}
const total = async (what: string, query = ''): Promise<Record<string, number>> =>
  (await get(`/statistics/${what}?${query}`)).total
const orderOf = async (user: TestUser) => (await get(`/orders?user_id=${user.id}&limit=1`))[0]

/** As an operator gives something. */
const insertGift = () =>
  service.db
    .insertInto('orders')
    .values({
      user_id: buyer.id,
      product: 'configs',
      state: 'fulfilled',
      days: 30,
      price: 0,
      value_rub: 0,
      price_steps: '{}',
      purchase: JSON.stringify({ locationId: 3 }),
      is_gift: true,
      created_at: service.clock.now(),
      paid_at: service.clock.now(),
      fulfilled_at: service.clock.now(),
    })
    .execute()

beforeAll(async () => {
  await yookassa.start()
  service = await startTestService({ withoutLimits: true, env: yookassa.env })
  await service.operator('PATCH', '/payment-methods/2', { provider: 'yookassa' })
  before = await total('sales')
  buyer = await service.createUser({ balance: 1000 })
  await service.buy(buyer)
  await service.buy(buyer, { location_id: 2 })
  payer = await service.createUser()
  await service.customer(payer, 'POST', '/configs', { ...usualOrder, payment_method_id: 2 })
  await deliver(service.running.url, yookassa.pay((await orderOf(payer)).provider_payment_id))
  await service.running.runJobs()
  const order = await orderOf(buyer)
  await service.operator('POST', `/payments/${order.id}/refund`, { to: 'balance', reason: 'asked' })
  await insertGift()
})
afterAll(async () => {
  await service.stop()
  await yookassa.stop()
})

describe('sales', () => {
  test('orders, money from outside and from balances, what was given back, gifts', async () => {
    const after = await total('sales')
    const grown = Object.fromEntries(
      Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]),
    )
    expect(grown).toEqual({ orders: 3, money_in: 200, from_balance: 400, refunded: 200, gifts: 1 })
  })

  test.each([
    ['product', { configs: 3 }],
    ['method', { balance: 2, sbp: 1, gift: 0 }],
    ['location', { 1: 2, 2: 1, 3: 0 }],
  ])('by %s', async (by, expected) => {
    const { rows, total: all } = await get(`/statistics/sales?by=${by}`)
    const found: Record<string, number> = {}
    for (const row of rows) found[row[by]] = (found[row[by]] ?? 0) + row.orders
    expect(found).toEqual(expected)
    expect(all.orders).toBe(3)
  })

  test('a row for every day, of 30 unless said otherwise, empty ones too', async () => {
    const { rows } = await get('/statistics/sales')
    expect(rows).toHaveLength(30)
    const hours = (at: number) => new Date((at + 3 * 3600) * 1000).getUTCHours()
    expect(rows.map((row: { at: number }) => hours(row.at))).toEqual(Array(30).fill(0))
    expect(rows[0]).toEqual({
      at: rows[0].at,
      orders: 0,
      money_in: 0,
      from_balance: 0,
      refunded: 0,
      gifts: 0,
    })
    expect((await get('/statistics/sales?step=hour')).rows).toHaveLength(24)
    expect((await get('/statistics/sales?step=month')).rows).toHaveLength(12)
  })

  test('is the same from sums, from facts, and from sums made anew', async () => {
    const queries = ['step=hour', 'step=day', 'step=month', 'by=method', 'step=month&by=location']
    const ask = () =>
      Promise.all(
        ['sales', 'customers', 'traffic', 'fleet'].flatMap((what) =>
          queries
            .filter((query) => what === 'sales' || !query.includes('by='))
            .map((q) => get(`/statistics/${what}?${q}`)),
        ),
      )
    await service.db.transaction().execute(forgetSums)
    const counted = await ask()
    await foldFigures(service.db, service.clock.now() + 60)
    expect(await ask()).toEqual(counted)
    service.clock.advance(120)
    await service.heartbeat()
    await foldFigures(service.db, service.clock.now())
    expect(await ask()).toEqual(counted)
    expect(await service.db.transaction().execute((tx) => findDifferences(tx, service.clock.now()))).toEqual(
      [],
    )
  })

  test('days are of the time zone; another one makes the sums anew', async () => {
    const firstOf = async () => (await get('/statistics/sales')).rows[0].at
    const moscow = await firstOf()
    const all = await total('sales')
    for (const zone of ['Asia/Kathmandu', 'America/New_York']) {
      await service.operator('PATCH', '/settings', { time_zone: zone })
      expect(await total('sales')).toEqual(all)
      await service.running.runJobs()
      expect(await total('sales')).toEqual(all)
      expect(await firstOf()).not.toBe(moscow)
      const state = await service.db.selectFrom('figures_state').select('zone').executeTakeFirst()
      expect(state?.zone).toBe(zone)
    }
    await service.operator('PATCH', '/settings', { time_zone: 'Europe/Moscow' })
    expect(await firstOf()).toBe(moscow)
  })

  test.each([
    ['by=nothing', 'by'],
    ['step=week', 'step'],
    ['from=100&to=100', 'to'],
    ['wrong=1', 'wrong'],
    ['from=0', 'from', 'may be at most 10,000 days before to with step=day; step=month reaches as far'],
    [
      'step=hour&from=1700000000&to=1760000000',
      'from',
      'may be at most 416 days before to with step=hour; step=day reaches as far',
    ],
    ['step=month&from=0&to=99000000000', 'from', 'may be at most 280,000 days before to with step=month'],
  ])('refuses %s', async (query, path, problem?: string) => {
    const { status, body } = await service.operator('GET', `/statistics/sales?${query}`)
    expect([status, body.details[0].path]).toEqual([400, path])
    if (problem) expect(body.details[0].problem.replaceAll('\u00a0', ' ')).toBe(problem)
  })

  test.each([
    ['customers?by=product', /divides no customers.*product, method or location/],
    ['traffic?by=method', /must be one of location/],
    ['fleet?by=product', /must be one of location/],
  ])('refuses %s, and says what can be divided', async (path, problem) => {
    const { status, body } = await service.operator('GET', `/statistics/${path}`)
    expect([status, body.details[0].path]).toEqual([400, 'by'])
    expect(body.details[0].problem).toMatch(problem)
  })

  test('a year by hours is answered, and refused where it is divided by too much', async () => {
    const to = service.clock.now()
    const year = `step=hour&from=${to - 366 * day}&to=${to}`
    expect((await get(`/statistics/sales?${year}&by=method`)).rows).toHaveLength(3 * (366 * 24 + 1))
    const at = to - day - (to % 3600)
    const zeros = { orders: 1, money_in: 0, from_balance: 0, refunded: 0, gifts: 0 }
    await service.running.runJobs()
    const many = Array.from({ length: 12 }, (_, n) => ({ ...zeros, at, value: `rare ${n}` }))
    await service.db
      .insertInto('sales_rollup')
      .values(many.map((row) => ({ ...row, step: 'hour' as const, dimension: 'product' as const })))
      .execute()
    const { status, body } = await service.operator('GET', `/statistics/sales?${year}&by=product`)
    expect([status, body.details[0].path]).toEqual([400, 'by'])
    expect(body.details[0].problem).toContain('13 values of product')
    expect(body.details[0].problem).toContain('at most 7692 steps of one hour')
    await service.db.deleteFrom('sales_rollup').where('value', 'like', 'rare %').execute()
  })

  test('as a table', async () => {
    const { body, headers } = await service.call('GET', '/operator/v1/statistics/sales?by=method', {
      token: service.operatorToken,
      headers: { accept: 'text/csv' },
    })
    expect(headers.get('content-type')).toContain('text/csv')
    const lines = (body as string).trim().split('\r\n')
    expect(lines[0]).toContain('at,product,method,location,orders,money_in,from_balance,refunded,gifts')
    expect(lines.length).toBe(1 + 30 * 3)
  })
})

test('customers: new, paying for the first time, active, and ended when the last thing has', async () => {
  const start = await total('customers')
  expect(start).toMatchObject({ first_paid: 1, ended: 0 })
  const [one, two] = [await service.createUser({ balance: 500 }), await service.createUser({ balance: 500 })]
  await service.heartbeat()
  await service.buy(one)
  await service.buy(two)
  await service.buy(two, { location_id: 2 })
  expect(await total('customers')).toMatchObject({
    new: (start.new ?? 0) + 2,
    active: (start.active ?? 0) + 2,
    ended: 0,
  })
  service.clock.advance(31 * day)
  await service.heartbeat()
  await service.running.runJobs()
  const { rows, total: later } = await get('/statistics/customers?step=month')
  expect(later).toMatchObject({ ended: 4 })
  expect(rows.at(-1).active).toBe(0)
  service.clock.advance(60)
  await service.buy(one)
  const [empty, full] = [await service.createUser(), await service.createUser({ balance: 500 })]
  await service.buy(full)
  for (const { session_token: token } of [empty, full]) {
    service.clock.advance(60)
    expect((await service.call('DELETE', '/v1/profile', { token })).status).toBe(200)
  }
  expect(await total('customers', 'step=month')).toMatchObject({ ended: 5 })
  expect((await get('/statistics/customers')).rows.at(-1).active).toBe(1)
})

test('the fleet as it is, and by location', async () => {
  await service.heartbeat()
  const { rows, total: all } = await get('/statistics/fleet')
  expect(rows.at(-1)).toMatchObject({ nodes: all.nodes, nodes_online: all.nodes_online })
  expect(all.nodes).toBeGreaterThan(0)
  expect(all.nodes_online).toBe(all.nodes)
  expect(all.used_slots).toBeGreaterThan(0)
  const { rows: places } = await get('/statistics/fleet?by=location&step=hour')
  const last = places.filter((row: { at: number }) => row.at === places.at(-1).at)
  expect(last.length).toBeGreaterThan(5)
  expect(last.reduce((sum: number, row: { capacity: number }) => sum + row.capacity, 0)).toBe(all.capacity)
  service.clock.advance(1000)
  expect((await get('/statistics/fleet')).rows.at(-1).nodes_online).toBe(0)
})

test('who may see what', async () => {
  const statuses: Record<string, number[]> = {}
  for (const role of ['owner', 'support', 'finance', 'technician'] as const) {
    const token = await createOperator(service.db, {
      name: `${role} of figures`,
      role,
      now: service.clock.now(),
    })
    for (const path of ['sales', 'customers', 'traffic', 'fleet']) {
      const { status } = await service.call('GET', `/operator/v1/statistics/${path}`, { token })
      statuses[path] = [...(statuses[path] ?? []), status]
    }
  }
  expect(statuses).toEqual({
    sales: [200, 403, 200, 403],
    customers: [200, 200, 200, 403],
    traffic: [200, 200, 200, 200],
    fleet: [200, 200, 200, 200],
  })
})
