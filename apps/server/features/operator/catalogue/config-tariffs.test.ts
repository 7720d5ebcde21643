import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

interface Tariff {
  readonly id: number
  readonly days: number
  readonly prices: { payment_method_id: number; price: number; old_price?: number }[]
  readonly problem: string | null
  readonly version: number
}

const read = async (): Promise<Tariff[]> => (await service.operator('GET', '/config-tariffs')).body.data
const put = (tariffs: object[], version?: number) =>
  service.operator('PUT', '/config-tariffs', { tariffs, ...(version !== undefined && { version }) })
const fromBalance = (days: number, price: number) => ({ days, prices: [{ payment_method_id: 1, price }] })
/** As it can be sent back. */
const asSent = (tariffs: readonly Tariff[]) => tariffs.map(({ days, prices }) => ({ days, prices }))

test('shows what is sold, and takes it back as it is: nothing changes', async () => {
  const entries = async () => (await service.operator('GET', '/audit?action=changeConfigTariffs')).body.data
  const before = await entries()
  const tariffs = await read()
  expect(tariffs.map(({ id, days }) => [id, days])).toEqual([
    [1, 30],
    [2, 90],
    [3, 180],
    [4, 365],
  ])
  expect(tariffs[1]?.prices.slice(0, 4)).toEqual([
    { payment_method_id: 1, price: 540, old_price: 600 },
    { payment_method_id: 2, price: 540, old_price: 600 },
    { payment_method_id: 3, price: 540, old_price: 600 },
    { payment_method_id: 4, price: 1.89, old_price: 2.1 },
  ])
  expect(new Set(tariffs.map(({ version }) => version)).size).toBe(1)
  const again = await put(asSent(tariffs))
  expect([again.status, again.body.data]).toEqual([200, tariffs])
  const [added, ...others] = await entries()
  expect(others).toEqual(before)
  expect(added.details).toEqual({ before: {}, after: {} })
})

test('a length that is not named leaves the shop; named again it has its number', async () => {
  const before = await read()
  const user = await service.createUser({ balance: 1000 })
  const { status, body } = await put([fromBalance(30, 250), fromBalance(60, 400)])
  expect(status).toBe(200)
  const version = (before[0] as Tariff).version + 1
  expect(body.data).toEqual([
    { id: 1, ...fromBalance(30, 250), problem: null, version },
    { id: 45, ...fromBalance(60, 400), problem: null, version },
  ])
  expect(await read()).toEqual(body.data)
  const [method] = (await service.customer(user, 'GET', '/configs/tariffs')).body.data
  expect(method.tariffs).toEqual([
    { id: 1, days: 30, price: 250 },
    { id: 45, days: 60, price: 400 },
  ])
  const order = { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 2 }
  const refused = await service.customer(user, 'POST', '/configs', order)
  expect([refused.status, refused.body.details[0].path]).toEqual([400, 'tariff_id'])
  const [entry] = (await service.operator('GET', '/audit?action=changeConfigTariffs')).body.data
  expect(entry.subject).toBe('config-tariffs')
  expect(entry.details.after).toEqual({
    tariffs: [
      { id: 1, ...fromBalance(30, 250) },
      { id: 45, ...fromBalance(60, 400) },
    ],
  })
  expect((await put(asSent(before))).body.data.map(({ id }: Tariff) => id)).toEqual([1, 2, 3, 4])
})

test('who has seen that there are none says 0', async () => {
  const before = await read()
  expect((await put([fromBalance(30, 210)], 0)).status).toBe(409)
  expect((await put([])).body.data).toEqual([])
  const both = await Promise.all([put([fromBalance(30, 210)], 0), put([fromBalance(30, 220)], 0)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await put(asSent(before))).status).toBe(200)
})

test('who has seen another version is shown the tariffs as they are', async () => {
  const [{ version }] = (await read()) as [Tariff]
  const [one, other] = await Promise.all([
    put([fromBalance(30, 210)], version),
    put([fromBalance(30, 220)], version),
  ])
  expect([one.status, other.status].sort()).toEqual([200, 409])
  const late = one.status === 409 ? one : other
  expect(late.body.details[0].path).toBe('version')
  expect(late.body.data).toEqual(await read())
  expect(late.body.data[0].version).toBe(version + 1)
})

test('a tariff that nobody can pay says so', async () => {
  await service.operator('PATCH', '/payment-methods/2', { is_active: false })
  const { body } = await put([
    { days: 30, prices: [{ payment_method_id: 2, price: 200 }] },
    fromBalance(90, 500),
  ])
  expect(body.data.map(({ problem }: Tariff) => problem)).toEqual([
    'cannot be sold, because nobody can pay with sbp now; see GET /payment-methods',
    null,
  ])
  await service.operator('PATCH', '/payment-methods/2', { is_active: true })
  expect((await read())[0]?.problem).toBeNull()
})

describe('is refused', () => {
  test.each([
    ['tariffs.0.prices.0.price', [fromBalance(30, 0)]],
    ['tariffs.0.prices.0.price', [fromBalance(30, -5)]],
    ['tariffs.0.prices.0.price', [fromBalance(30, 0.5)]],
    ['tariffs.0.days', [fromBalance(0, 100)]],
    ['tariffs.0.prices', [{ days: 30, prices: [] }]],
    ['tariffs', [fromBalance(30, 100), fromBalance(30, 200)]],
    ['tariffs.0.prices.0.payment_method_id', [{ days: 30, prices: [{ payment_method_id: 999, price: 1 }] }]],
    [
      'tariffs.0.prices.0.old_price',
      [{ days: 30, prices: [{ payment_method_id: 1, price: 100, old_price: 100 }] }],
    ],
  ])('for its %s', async (path, tariffs) => {
    const before = await read()
    const { status, body } = await put(tariffs)
    expect([status, body.details[0].path]).toEqual([400, path])
    expect(await read()).toEqual(before)
  })
})
