import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'

let service: TestService
let hands: number
let hetzner: number
beforeAll(async () => {
  // Nothing listens there: no test asks the real one.
  service = await startTestService({ withoutLimits: true, env: { HETZNER_URL: 'http://127.0.0.1:9' } })
  const cloud = async (body: object): Promise<number> =>
    (await service.operator('POST', '/clouds', body)).body.data.id
  hands = await cloud({ kind: 'manual', title: 'By hand' })
  hetzner = await cloud({ kind: 'hetzner', title: 'Hetzner', token: 'a-token-of-the-test' })
})
afterAll(() => service.stop())

const words = { title_ru: 'Мощь', title_en: 'Might', description_ru: 'Слова', description_en: 'Words' }
const tariffs = [{ days: 30, prices: [{ payment_method_id: 1, price: 700, old_price: 900 }] }]
const real = (fields: object = {}) => ({
  location_id: 1,
  cloud_id: hetzner,
  region: 'fsn1',
  machine_type: 'cx23',
  image: 'debian-13',
  reality_server_name: 'www.example.com',
  ...fields,
})
const byHand = (location_id = 1) => ({ location_id, cloud_id: hands })
const post = (body: object = {}) =>
  service.operator('POST', '/cloud-configurations', { ...words, tariffs, offers: [byHand()], ...body })
const create = async (body: object = {}) => {
  const answer = await post(body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data
}
const change = (id: number, body: object) => service.operator('PATCH', `/cloud-configurations/${id}`, body)
const listed = async () => (await service.operator('GET', '/cloud-configurations')).body.data
const brief = (offers: { location_id: number; cloud_id: number; region: string }[]) =>
  offers.map(({ location_id, cloud_id, region }) => [location_id, cloud_id, region])

describe('the catalogue', () => {
  test('a configuration is made, shown and sold', async () => {
    const configuration = await create({ offers: [real(), byHand()] })
    expect(configuration).toEqual({
      id: expect.any(Number),
      version: 1,
      ...words,
      is_active: true,
      tariffs: [{ id: expect.any(Number), ...tariffs[0], problem: null }],
      offers: [
        {
          id: expect.any(Number),
          ...real(),
          is_in_stock: true,
          monthly_cost: null,
          cost_currency: null,
          looked_at: null,
        },
        expect.objectContaining({
          ...byHand(),
          region: '',
          machine_type: '',
          image: '',
          reality_server_name: 'www.microsoft.com',
        }),
      ],
    })
    expect(await listed()).toContainEqual(configuration)
    const user = await service.createUser({ balance: 1000 })
    const order = {
      location_id: 1,
      tariff_config_id: configuration.id,
      payment_method_id: 1,
      tariff_id: configuration.tariffs[0].id,
    }
    expect((await service.customer(user, 'POST', '/cloud-servers', order)).status).toBe(201)
  })

  test('what is left out stays; prices keep their number', async () => {
    const before = await create()
    const { body: renamed } = await change(before.id, { title_en: 'Power' })
    expect(renamed.data).toEqual({ ...before, title_en: 'Power', version: 2 })
    const prices = [{ payment_method_id: 1, price: 500 }]
    const { body: priced } = await change(before.id, { tariffs: [30, 90].map((days) => ({ days, prices })) })
    expect(priced.data.tariffs[0]).toEqual({ id: before.tariffs[0].id, days: 30, prices, problem: null })
    expect(priced.data.offers).toEqual(before.offers)
    expect((await change(99_999, {})).status).toBe(404)
  })

  test('the version stays when nothing differs', async () => {
    const before = await create({ offers: [byHand(1), byHand(2)] })
    for (const same of [{}, { ...words, tariffs, offers: [byHand(1), byHand(2)] }]) {
      expect((await change(before.id, same)).body.data).toEqual(before)
    }
    const versions = []
    for (const wish of [{ title_en: 'Power' }, { offers: [byHand(2)] }, { tariffs: [] }]) {
      versions.push((await change(before.id, wish)).body.data.version)
    }
    expect(versions).toEqual([1, 2, 3].map((more) => before.version + more))
  })

  test('a repeated request makes one, and its key is for nothing else', async () => {
    const call = (body: object) =>
      service.call('POST', '/operator/v1/cloud-configurations', {
        token: service.operatorToken,
        body: { ...words, tariffs, offers: [], ...body },
        headers: { 'idempotency-key': 'one-configuration' },
      })
    const [first, again] = [await call({}), await call({})]
    expect([first.status, again.body]).toEqual([201, first.body])
    expect((await call({ title_en: 'Other' })).status).toBe(409)
  })

  test('off sale nobody can order it', async () => {
    const configuration = await create()
    await change(configuration.id, { is_active: false })
    const user = await service.createUser({ balance: 1000 })
    const order = {
      location_id: 1,
      tariff_config_id: configuration.id,
      payment_method_id: 1,
      tariff_id: configuration.tariffs[0].id,
    }
    expect((await service.customer(user, 'POST', '/cloud-servers', order)).body.errorCode).toBe(22)
  })

  test.each([
    ['no such location', () => ({ offers: [real({ location_id: 999 })] }), 'offers.0.location_id'],
    ['no such cloud', () => ({ offers: [byHand(), real({ cloud_id: 999 })] }), 'offers.1.cloud_id'],
    ['no region', () => ({ offers: [real({ region: undefined })] }), 'offers.0.region'],
    ['no type', () => ({ offers: [real({ machine_type: undefined })] }), 'offers.0.machine_type'],
    ['no image', () => ({ offers: [real({ image: undefined })] }), 'offers.0.image'],
    ['a region of hands', () => ({ offers: [{ ...byHand(), region: 'here' }] }), 'offers.0.region'],
    ['the same twice', () => ({ offers: [real(), byHand(), real()] }), 'offers.2'],
    [
      'a site of one word',
      () => ({ offers: [real({ reality_server_name: 'localhost' })] }),
      'offers.0.reality_server_name',
    ],
    [
      'a site that is an address',
      () => ({ offers: [real({ reality_server_name: '203.0.113.5' })] }),
      'offers.0.reality_server_name',
    ],
    [
      'half a rouble',
      () => ({ tariffs: [{ days: 30, prices: [{ payment_method_id: 1, price: 0.5 }] }] }),
      'tariffs.0.prices.0.price',
    ],
    ['a length twice', () => ({ tariffs: [...tariffs, ...tariffs] }), 'tariffs'],
    ['an empty title', () => ({ title_ru: ' ' }), 'title_ru'],
  ])('%s is refused, and nothing is made', async (_name, wrong, path) => {
    const before = await listed()
    const answer = await post(wrong())
    expect([answer.status, answer.body.errorCode, answer.body.details[0].path]).toEqual([400, 3, path])
    const changed = await change(before[0].id, wrong())
    expect([changed.status, changed.body.details[0].path]).toEqual([400, path])
    expect(await listed()).toEqual(before)
  })

  test('every change is in the audit log', async () => {
    const made = await create()
    const { id } = made
    await change(id, { is_active: false })
    const { body } = await service.operator('GET', `/audit?subject=cloud_configuration:${id}`)
    expect(
      body.data.map(({ action, details }: { action: string; details: object }) => [action, details]),
    ).toEqual([
      ['changeCloudConfiguration', { before: { is_active: true }, after: { is_active: false } }],
      ['createCloudConfiguration', { after: made }],
    ])
  })
})

describe('offers', () => {
  test('come in their order at each location, and change places', async () => {
    const { id, offers } = await create({
      offers: [real(), byHand(2), byHand(), real({ location_id: 2, region: 'nbg1' })],
    })
    expect(brief(offers)).toEqual([
      [1, hetzner, 'fsn1'],
      [1, hands, ''],
      [2, hands, ''],
      [2, hetzner, 'nbg1'],
    ])
    const [first, second, third, fourth] = offers
    const { body } = await change(id, {
      offers: [
        real({ location_id: 2, region: 'nbg1' }),
        byHand(2),
        byHand(),
        real({ region: 'hel1' }),
        real(),
      ],
    })
    const numbers = body.data.offers.map((offer: { id: number }) => offer.id)
    expect(numbers).toEqual([second.id, expect.any(Number), first.id, fourth.id, third.id])
    expect((await change(id, { offers: [] })).body.data.offers).toEqual([])
  })

  test('those that stay keep what is known of their stock', async () => {
    const { id, offers } = await create({ offers: [real(), byHand()] })
    const known = { is_in_stock: false, monthly_cost: 349, cost_currency: 'EUR', looked_at: 1000 }
    await service.db.updateTable('cloud_offers').set(known).where('id', '=', offers[0].id).execute()
    const { body } = await change(id, { offers: [byHand(), real({ reality_server_name: 'Example.ORG' })] })
    expect(body.data.offers[1]).toEqual({
      ...offers[0],
      ...known,
      monthly_cost: 3.49,
      reality_server_name: 'example.org',
    })
    const { body: other } = await change(id, { offers: [real({ image: 'ubuntu-24.04' })] })
    expect(other.data.offers[0]).toMatchObject({ is_in_stock: true, monthly_cost: null })
    expect(other.data.offers[0].id).not.toBe(offers[0].id)
  })

  test('changes at once come one after another', async () => {
    const { id } = await create()
    const lists = [[byHand(), real()], [real(), byHand()], [real()], [byHand(), byHand(2), real()]]
    const answers = await Promise.all(lists.map((offers) => change(id, { offers })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })
})
