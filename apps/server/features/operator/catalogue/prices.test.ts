import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

interface Price {
  readonly product_type: string
  readonly product_id: number | null
  readonly title: string
  readonly tariff_id: number
  readonly days: number
  readonly method: string
  readonly price: number
  readonly list_price: number
  readonly rule_id: number | null
}

const pricesOf = async (userId: number): Promise<Price[]> =>
  (await service.operator('GET', `/prices?user_id=${userId}`)).body.data

test('every product, method and length, with the rule that made each price', async () => {
  const user = await service.createUser({ balance: 1000 })
  const plain = await pricesOf(user.id)
  // Five products of four lengths by six methods: nobody pays with earnings that are not there.
  expect(plain).toHaveLength(5 * 4 * 6)
  expect(plain.every(({ price, list_price, rule_id }) => price === list_price && rule_id === null)).toBe(true)
  expect(
    new Set(plain.map(({ product_type, product_id, title }) => `${product_type} ${product_id} ${title}`)),
  ).toEqual(
    new Set([
      'configs null Конфигурация VPN',
      'paid_options 1 Белый интернет',
      'paid_options 2 Вокруг света',
      'cloud_servers 1 Старт',
      'cloud_servers 2 Профи',
    ]),
  )
  expect(plain[0]).toEqual({
    product_type: 'configs',
    product_id: null,
    title: 'Конфигурация VPN',
    tariff_id: 1,
    days: 30,
    method: 'balance',
    currency: 'RUB',
    list_price: 200,
    price: 200,
    rule_id: null,
  })

  const rule = async (body: object): Promise<number> =>
    (await service.operator('POST', `/users/${user.id}/pricing-rules`, body)).body.data.id
  const all = await rule({ type: 'all', percent: -10 })
  const option = await rule({ type: 'paid_option', product_id: 2, percent: -50 })
  const ruled = await pricesOf(user.id)
  const priced = (product: string, id: number | null) =>
    ruled.find(
      ({ product_type, product_id, method }) =>
        product_type === product && product_id === id && method === 'balance',
    )
  expect(priced('configs', null)).toMatchObject({ list_price: 200, price: 180, rule_id: all })
  expect(priced('paid_options', 2)).toMatchObject({ list_price: 400, price: 200, rule_id: option })
  const ton = ruled.find(({ method }) => method === 'ton')
  expect(ton).toMatchObject({ list_price: 0.7, price: 0.63, currency: 'TON' })
})

test('what is shown here is what the customer is offered', async () => {
  const user = await service.createUser({ referral_balance: 5 })
  await service.operator('POST', `/users/${user.id}/pricing-rules`, {
    type: 'config',
    product_id: 2,
    percent: -25,
  })
  const offered = (await service.customer(user, 'GET', '/configs/tariffs')).body.data
  const shop = offered.flatMap(({ key, tariffs }: { key: string; tariffs: Price[] }) =>
    tariffs.map(({ days, price }) => [key, days, price]),
  )
  const here = (await pricesOf(user.id)).filter(({ product_type: type }) => type === 'configs')
  expect(new Set(here.map(({ method, days, price }) => JSON.stringify([method, days, price])))).toEqual(
    new Set(shop.map((row: unknown) => JSON.stringify(row))),
  )
})

test('what is off sale is left out, and nobody has no prices', async () => {
  const user = await service.createUser()
  await service.operator('PATCH', '/paid-options/2', { is_active: false })
  await service.operator('PATCH', '/cloud-configurations/1', { is_active: false })
  await service.operator('PATCH', '/payment-methods/4', { is_active: false })
  const left = await pricesOf(user.id)
  expect(new Set(left.map(({ title }) => title))).toEqual(
    new Set(['Конфигурация VPN', 'Белый интернет', 'Профи']),
  )
  expect(left.some(({ method }) => method === 'ton')).toBe(false)
  expect((await service.operator('GET', '/prices?user_id=99999')).status).toBe(404)
  expect((await service.operator('GET', '/prices')).status).toBe(400)
  expect((await service.operator('GET', `/prices?user_id=${user.id}&x=1`)).status).toBe(400)
})
