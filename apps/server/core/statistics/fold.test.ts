import { type Step, startOf } from '@sallyport/domain/time/local-time'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { seededRandom } from '../../../../test/support/random.ts'
import { startTestService, type TestService } from '../../../../test/support/service.ts'
import { inTransaction } from '../../db/client.ts'
import { checkFigures, findDifferences } from './check.ts'
import { customers, sales, traffic } from './facts.ts'
import { foldFigures, forgetSums } from './fold.ts'
import { readFigures } from './read.ts'

/** Sums over three months of things that happen at any moment, in zones with and without half hours and summer. */

const hour = 3600
const day = 24 * hour
const begins = Date.UTC(2026, 1, 20, 5) / 1000
const ends = begins + 75 * day
const zones = ['Europe/Moscow', 'America/New_York', 'Asia/Kathmandu', 'UTC'] as const

let service: TestService
let userId: number
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  userId = (await service.createUser()).id
  await service.db.updateTable('users').set({ created_at: begins }).execute()
})
afterAll(() => service.stop())
beforeEach(() => inTransaction(service.db, forgetSums))

const orderAt = (at: number, fields: object = {}) => ({
  user_id: userId,
  product: 'configs' as const,
  state: 'fulfilled',
  payment_method_id: 1,
  days: 30,
  price: 200,
  value_rub: 200,
  price_steps: '{}',
  purchase: '{"locationId":1}',
  created_at: at,
  paid_at: at,
  fulfilled_at: at,
  ...fields,
})

const draw = seededRandom(20_261_117)
const between = (from: number, to: number) => from + Math.floor(draw() * (to - from))

beforeAll(async () => {
  const moments = Array.from({ length: 400 }, () => between(begins, ends))
  await service.db
    .insertInto('orders')
    .values(moments.map((at, n) => orderAt(at, { purchase: JSON.stringify({ locationId: 1 + (n % 3) }) })))
    .execute()
  const quarters = [...new Set(moments.map((at) => at - (at % 900)))]
  await service.db
    .insertInto('node_traffic')
    .values(quarters.map((at, n) => ({ at, node_id: 1, location_id: 1 + (n % 2), up: n, down: 10 * n })))
    .execute()
})

const setZone = (zone: string) => service.operator('PATCH', '/settings', { time_zone: zone })

const steps: readonly Step[] = ['hour', 'day', 'month']

const readAll = async (zone: string): Promise<{ at: number; orders?: number }[][]> => {
  const all: { at: number; orders?: number }[][] = []
  for (const step of steps) {
    const want = { from: begins, to: ends, zone, step }
    all.push(
      await readFigures(service.db, sales, { ...want, dimension: 'all' }),
      await readFigures(service.db, sales, { ...want, dimension: 'location' }),
      await readFigures(service.db, customers, { ...want, dimension: 'all' }),
      await readFigures(service.db, traffic, { ...want, dimension: 'location' }),
    )
  }
  return all
}

test.each(zones)('in %s sums are what facts say, however they were folded', async (zone) => {
  await setZone(zone)
  const facts = await readAll(zone)
  // As rounds do, some often and some after a while.
  for (let now = begins + hour; now < ends; now += between(hour, 20 * day)) {
    await foldFigures(service.db, now)
  }
  expect(await readAll(zone)).toEqual(facts)
  await foldFigures(service.db, ends + day)
  expect(await readAll(zone)).toEqual(facts)
  await inTransaction(service.db, forgetSums)
  await foldFigures(service.db, ends + day)
  expect(await readAll(zone)).toEqual(facts)
  for (const [n, step] of steps.entries()) {
    const rows = facts[4 * n] ?? []
    expect(rows.every(({ at }) => startOf(at, zone, step) === at)).toBe(true)
    expect(rows.reduce((sum, row) => sum + (row.orders ?? 0), 0)).toBe(400)
  }
})

test('what is written late is in the next round', async () => {
  await setZone('UTC')
  await foldFigures(service.db, ends)
  const late = await service.db
    .insertInto('orders')
    .values(orderAt(ends - day))
    .returning('id')
    .executeTakeFirstOrThrow()
  await foldFigures(service.db, ends + hour)
  const want = { from: ends - day, to: ends - day + 1, zone: 'UTC', step: 'hour', dimension: 'all' } as const
  const [row] = await readFigures(service.db, sales, want)
  await service.db.deleteFrom('orders').where('id', '=', late.id).execute()
  await foldFigures(service.db, ends + 2 * hour)
  const [after] = await readFigures(service.db, sales, want)
  expect(row?.orders).toBe((after?.orders as number) + 1)
})

describe('the check', () => {
  const openAlerts = () =>
    service.db
      .selectFrom('alerts')
      .select('details')
      .where('kind', '=', 'figures_wrong')
      .where('resolved_at', 'is', null)
      .execute()

  test('tells of sums that are not what happened, and makes them anew', async () => {
    await service.db.updateTable('orders').set({ payment_method_id: null }).execute()
    await foldFigures(service.db, ends + 5 * day)
    await checkFigures(service.db, ends + 5 * day)
    expect(await openAlerts()).toEqual([])
    await service.db
      .updateTable('sales_rollup')
      .set({ orders: 99, from_balance: 5 })
      .where('step', '=', 'hour')
      .where('dimension', '=', 'all')
      .where('at', '=', (eb) =>
        eb
          .selectFrom('sales_rollup')
          .select((each) => each.fn.min('at').as('at'))
          .where('step', '=', 'hour'),
      )
      .execute()
    await checkFigures(service.db, ends + 5 * day + hour)
    expect(await openAlerts()).toEqual([])
    await checkFigures(service.db, ends + 7 * day)
    const [alert] = await openAlerts()
    expect(JSON.stringify(alert)).toContain('orders')
    await foldFigures(service.db, ends + 7 * day)
    await checkFigures(service.db, ends + 9 * day)
    expect(await openAlerts()).toEqual([])
  })

  test('sees what the ledger does not', async () => {
    await foldFigures(service.db, ends + 10 * day)
    await service.db.updateTable('orders').set({ payment_method_id: 1 }).execute()
    await inTransaction(service.db, forgetSums)
    await foldFigures(service.db, ends + 10 * day)
    const found = await inTransaction(service.db, (tx) => findDifferences(tx, ends + 10 * day))
    expect(found).toEqual([{ figure: 'from_balance', kept: 80_000, counted: 0 }])
  })
})
