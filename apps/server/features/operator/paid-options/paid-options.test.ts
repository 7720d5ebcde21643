import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const words = {
  title_ru: 'Опция',
  title_en: 'Option',
  caption_ru: 'Слова',
  caption_en: 'Words',
  description_ru: 'Слова',
  description_en: 'Words',
}
let made = 0
const body = (change: object = {}) => ({
  key: `option_${made++}`,
  ...words,
  protocol: 'vless',
  server_ids: [1, 2],
  tariffs: [{ days: 30, prices: [{ payment_method_id: 1, price: 100, old_price: 150 }] }],
  ...change,
})
const create = async (change: object = {}) => {
  const answer = await service.operator('POST', '/paid-options', body(change))
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data
}
const change = (id: number, wish: object) => service.operator('PATCH', `/paid-options/${id}`, wish)
const buy = async (user: TestUser, option: { id: number; tariffs: { id: number }[] }) => {
  const order = { paid_option_id: option.id, payment_method_id: 1, tariff_id: option.tariffs[0]?.id }
  const answer = await service.customer(user, 'POST', '/paid-options', order)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data
}
const configsOf = async (user: TestUser) =>
  (await service.customer(user, 'GET', '/paid-options')).body.data[0].configs
const brief = (configs: { index: number; server_id: number; connection_url: string }[]) =>
  configs.map(({ index, server_id, connection_url }) => [index, server_id, connection_url.split('#')[0]])
const slots = async () =>
  (await service.db.selectFrom('servers').select(['id', 'used_slots']).orderBy('id').execute()).map(
    (server) => server.used_slots,
  )

describe('the catalogue', () => {
  test('an option is made, shown and sold', async () => {
    const option = await create({ device_limit: 3, most_devices: 5 })
    expect(option).toMatchObject({
      device_limit: 3,
      most_devices: 5,
      traffic_limit: 0,
      is_active: true,
      servers: [
        { server_id: 1, index: 0 },
        { server_id: 2, index: 1 },
      ],
      tariffs: [{ days: 30, prices: [{ payment_method_id: 1, price: 100, old_price: 150 }] }],
    })
    const all = await service.operator('GET', '/paid-options')
    expect(all.body.data).toContainEqual(option)
    const user = await service.createUser({ balance: 1000 })
    expect((await buy(user, option)).configs).toHaveLength(2)
  })

  test.each([
    ['a server that is not there', { server_ids: [1, 999] }],
    ['a server twice', { server_ids: [1, 1] }],
    [
      'a length twice',
      { tariffs: [1, 2].map(() => ({ days: 30, prices: [{ payment_method_id: 1, price: 1 }] })) },
    ],
    ['half a rouble', { tariffs: [{ days: 30, prices: [{ payment_method_id: 1, price: 0.5 }] }] }],
    ['no such method', { tariffs: [{ days: 30, prices: [{ payment_method_id: 99, price: 1 }] }] }],
    [
      'an old price below',
      { tariffs: [{ days: 30, prices: [{ payment_method_id: 1, price: 9, old_price: 8 }] }] },
    ],
    ['a key of other letters', { key: 'Белый' }],
    ['a negative limit', { traffic_limit: -1 }],
    ['no server', { server_ids: [] }],
    ['more devices than anywhere', { device_limit: 101 }],
    ['a most of more devices than anywhere', { most_devices: 2 ** 40 }],
    ['more devices than customers may set', { device_limit: 5, most_devices: 4 }],
    ['unlimited traffic where there is a most', { most_traffic: 100 }],
  ])('%s is refused', async (_name, wrong) => {
    const before = (await service.operator('GET', '/paid-options')).body.data.length
    const answer = await service.operator('POST', '/paid-options', body(wrong))
    expect([answer.status, answer.body.errorCode]).toEqual([400, 3])
    expect((await service.operator('GET', '/paid-options')).body.data).toHaveLength(before)
  })

  test('the limits that it is made with are the most that customers can set, unless another is said', async () => {
    const given = { device_limit: 3, traffic_limit: 1000 }
    const option = await create(given)
    expect(option).toMatchObject({ ...given, most_devices: 3, most_traffic: 1000 })
    const user = await service.createUser({ balance: 1000 })
    await buy(user, option)
    const limits = (wish: object) =>
      service.customer(user, 'PATCH', `/paid-options/${option.id}/limits`, wish)
    for (const wish of [
      { device_limit: 4 },
      { device_limit: 0 },
      { traffic_limit: 1001 },
      { traffic_limit: 0 },
    ]) {
      expect([wish, (await limits(wish)).status]).toEqual([wish, 400])
    }
    expect((await limits({ device_limit: 2, traffic_limit: 999 })).body.data).toBe(true)
    await change(option.id, { most_devices: 0, most_traffic: 2000 })
    expect((await limits({ device_limit: 0, traffic_limit: 2000 })).body.data).toBe(true)
    expect((await limits({ traffic_limit: 0 })).status).toBe(400)
    const free = await create({ ...given, most_devices: 0, most_traffic: 0 })
    expect(free).toMatchObject({ ...given, most_devices: 0, most_traffic: 0 })
    expect(await create()).toMatchObject({ device_limit: 0, most_devices: 0, most_traffic: 0 })
  })

  test.each([
    ['follows a new limit', {}, { device_limit: 5 }, [5, 5]],
    ['follows one that is less', {}, { device_limit: 2 }, [2, 2]],
    ['comes with the first limit', { device_limit: 0 }, { device_limit: 2 }, [2, 2]],
    ['goes with the limit', {}, { device_limit: 0 }, [0, 0]],
    ['stays when it was said', { most_devices: 8 }, { device_limit: 5 }, [5, 8]],
    ['stays when it was said to be anything', { most_devices: 0 }, { device_limit: 5 }, [5, 0]],
    ['is what is said now', {}, { device_limit: 5, most_devices: 9 }, [5, 9]],
    ['stays when something else changes', {}, { title_en: 'Other' }, [3, 3]],
  ])('the most %s', async (_name, first, then, [limit, most]) => {
    const option = await create({ device_limit: 3, ...first })
    const { body: answer } = await change(option.id, then)
    expect(answer.data).toMatchObject({ device_limit: limit, most_devices: most })
  })

  test('a key that is taken is a conflict; what is not there is not found', async () => {
    const option = await create()
    expect((await service.operator('POST', '/paid-options', body({ key: option.key }))).status).toBe(409)
    expect((await change(12_345, { device_limit: 1 })).status).toBe(404)
  })

  test('off sale it is bought by nobody, and prolonged by those who have it', async () => {
    const option = await create()
    const user = await service.createUser({ balance: 1000 })
    await buy(user, option)
    await change(option.id, { is_active: false })
    await buy(user, option)
    const late = await service.createUser({ balance: 1000 })
    const order = { paid_option_id: option.id, payment_method_id: 1, tariff_id: option.tariffs[0].id }
    expect((await service.customer(late, 'POST', '/paid-options', order)).status).toBe(404)
    const shop = await service.customer(late, 'GET', '/paid-options/tariffs')
    expect(shop.body.data.map((each: { id: number }) => each.id)).not.toContain(option.id)
  })

  test('without servers it is off sale and nobody’s, and comes back with servers only', async () => {
    const option = await create({ server_ids: [1] })
    const onSale = await change(option.id, { server_ids: [] })
    expect([onSale.status, onSale.body.details[0].path]).toEqual([409, 'server_ids'])
    const user = await service.createUser({ balance: 1000 })
    await buy(user, option)
    const had = await change(option.id, { is_active: false, server_ids: [] })
    expect([had.status, had.body.details[0]]).toEqual([
      409,
      { path: 'server_ids', problem: expect.stringMatching(/^1 customer depends on it: /) },
    ])
    const unused = await create({ server_ids: [1] })
    const emptied = await change(unused.id, { is_active: false, server_ids: [] })
    expect([emptied.status, emptied.body.data.servers]).toEqual([200, []])
    expect((await change(unused.id, { title_en: 'Other' })).status).toBe(200)
    for (const wish of [{ is_active: true }, { is_active: true, server_ids: [] }]) {
      const refused = await change(unused.id, wish)
      expect([refused.status, refused.body.details[0].path]).toEqual([409, 'is_active'])
    }
    const back = await change(unused.id, { is_active: true, server_ids: [3] })
    expect(back.body.data).toMatchObject({ is_active: true, servers: [{ server_id: 3, index: 0 }] })
    await buy(user, back.body.data)
  })

  test('who buys it while its servers are taken away has it with a server, or not at all', async () => {
    for (let round = 0; round < 8; round++) {
      const option = await create({ server_ids: [1] })
      const user = await service.createUser({ balance: 1000 })
      const order = { paid_option_id: option.id, payment_method_id: 1, tariff_id: option.tariffs[0].id }
      const [emptied, bought] = await Promise.all([
        change(option.id, { is_active: false, server_ids: [] }),
        service.customer(user, 'POST', '/paid-options', order),
      ])
      expect([
        [200, 404],
        [200, 409],
        [409, 201],
      ]).toContainEqual([emptied.status, bought.status])
      if (bought.status === 201) expect(bought.body.data.configs).toHaveLength(1)
    }
  })

  test('what keeps it from being sold is said, on sale or not', async () => {
    const option = await create({ server_ids: [1, 11] })
    expect(option.problem).toBe(null)
    const state = (to: string) => service.operator('PATCH', '/servers/11', { state: to })
    const shown = async () =>
      (await service.operator('GET', '/paid-options')).body.data.find(
        (row: { id: number }) => row.id === option.id,
      )
    await state('closed')
    const problem = 'cannot be sold, because its server 11 (closed) takes no new customers'
    expect(await shown()).toEqual({ ...option, problem })
    expect((await change(option.id, { is_active: false })).body.data).toMatchObject({ problem })
    await state('selling')
    expect(await shown()).toMatchObject({ is_active: false, problem: null })
    const { body: emptied } = await change(option.id, { server_ids: [] })
    expect(emptied.data.problem).toBe('cannot be sold, because it has no servers')
  })

  test('its version stays when nothing differs', async () => {
    const option = await create({ device_limit: 3 })
    const { title_en, server_ids, tariffs } = body()
    const same = { title_en, server_ids, tariffs, device_limit: 3, is_active: true }
    expect((await change(option.id, same)).body.data).toEqual(option)
    expect((await change(option.id, {})).body.data.version).toBe(option.version)
    const versions = []
    for (const wish of [
      { title_en: 'Other' },
      { server_ids: [1] },
      { tariffs: [{ ...tariffs[0], days: 60 }] },
    ]) {
      versions.push((await change(option.id, wish)).body.data.version)
    }
    expect(versions).toEqual([1, 2, 3].map((more) => option.version + more))
  })

  test('prices change for the length they are of', async () => {
    const option = await create()
    const prices = [{ payment_method_id: 1, price: 70 }]
    const { body: answer } = await change(option.id, { tariffs: [30, 60].map((days) => ({ days, prices })) })
    expect(answer.data.tariffs[0]).toMatchObject({ id: option.tariffs[0].id, prices })
    const { body: less } = await change(option.id, { tariffs: [{ days: 60, prices }] })
    expect(less.data.tariffs).toEqual([answer.data.tariffs[1]])
  })

  test('every change is in the audit log', async () => {
    const option = await create()
    await change(option.id, { device_limit: 7 })
    const { body: log } = await service.operator('GET', '/audit')
    expect(log.data[0]).toMatchObject({
      action: 'changeOption',
      subject: `paid_option:${option.id}`,
      details: { after: { device_limit: 7 } },
    })
  })
})

describe('servers that join and leave', () => {
  test('customers follow; what stays keeps credentials and index, and slots are right', async () => {
    const before = await slots()
    const option = await create({ server_ids: [1, 3, 5] })
    const user = await service.createUser({ balance: 1000 })
    const other = await service.createUser({ balance: 1000 })
    const bought = brief((await buy(user, option)).configs)
    await buy(other, option)
    const { body: answer } = await change(option.id, { server_ids: [5, 7, 9] })
    expect(answer.data.servers).toEqual([
      { server_id: 7, index: 0 },
      { server_id: 9, index: 1 },
      { server_id: 5, index: 2 },
    ])
    await service.running.runJobs()
    const now = brief(await configsOf(user))
    expect(now.map(([index, server]) => [index, server])).toEqual([
      [0, 7],
      [1, 9],
      [2, 5],
    ])
    expect(now[2]).toEqual(bought[2])
    expect(await configsOf(other)).toHaveLength(3)
    const after = await slots()
    expect(after.map((used, n) => used - (before[n] ?? 0))).toEqual([0, 0, 0, 0, 2, 0, 2, 0, 2, 0, 0, 0])
    const placed = await service.db
      .selectFrom('placements as p')
      .innerJoin('accesses as a', 'a.id', 'p.access_id')
      .innerJoin('terms as t', 't.id', 'a.term_id')
      .select('p.access_id')
      .where('t.user_id', '=', user.id)
      .where('p.is_present', '=', true)
      .execute()
    expect(placed).toHaveLength(3)
  })

  test('what a customer added moves to a server that stays, and keeps its name', async () => {
    const option = await create({ server_ids: [1, 3] })
    const user = await service.createUser({ balance: 1000 })
    await buy(user, option)
    const wish = { protocol: 'vless', server_id: 3, title: 'mine', use_extended_settings: true }
    const added = await service.customer(user, 'POST', `/paid-options/${option.id}/configs`, wish)
    expect(added.body.data.server_id).toBe(3)
    await change(option.id, { server_ids: [1] })
    await service.running.runJobs()
    const configs = await configsOf(user)
    expect(configs.at(-1)).toMatchObject({ id: added.body.data.id, server_id: 1, title: 'mine' })
    expect(configs).toHaveLength(2)
  })

  test('a proxy does not follow to where it is not allowed', async () => {
    const option = await create({ server_ids: [1] })
    const user = await service.createUser({ balance: 1000 })
    await buy(user, option)
    const path = `/paid-options/${option.id}/configs`
    const added = await service.customer(user, 'POST', path, { protocol: 'vless' })
    const beside = `${path}/${added.body.data.id}/subconfig`
    expect((await service.customer(user, 'POST', beside, { protocol: 'mtproto' })).status).toBe(200)
    await change(option.id, { server_ids: [9] })
    await service.running.runJobs()
    expect((await configsOf(user)).map((config: { server_id: number }) => config.server_id)).toEqual([9, 9])
    expect((await service.customer(user, 'GET', beside)).status).toBe(404)
  })

  test('a bridge ends with a protocol that cannot begin one, and the customer is told', async () => {
    const option = await create({ server_ids: [1, 3] })
    const user = await service.createUser({ balance: 1000 })
    const { configs } = await buy(user, option)
    const exit = await service.buy(user)
    const ends = { first_config_id: configs[0].id, first_type: 'paid_option', second_config_id: exit.id }
    expect((await service.customer(user, 'POST', '/configs/makeBridge', ends)).status).toBe(201)
    await change(option.id, { protocol: 'wg' })
    await service.running.runJobs()
    expect((await service.customer(user, 'GET', '/configs/bridges')).body.data).toEqual([])
    const notes = await service.customer(user, 'GET', '/profile/notifications')
    expect(JSON.stringify(notes.body.data)).toContain('Мост снят')
  })

  test('a change while others buy and follow reaches everybody', async () => {
    const option = await create({ server_ids: [1, 3] })
    const users = await Promise.all(Array.from({ length: 6 }, () => service.createUser({ balance: 1000 })))
    const sets = [[1], [1, 5], [5, 7], [3, 5]]
    const office = async () => {
      for (const server_ids of sets) {
        await Promise.all([change(option.id, { server_ids }), service.running.runJobs()])
      }
    }
    await Promise.all([office(), ...users.map((user) => buy(user, option))])
    await service.running.runJobs()
    for (const user of users) {
      const servers = (await configsOf(user)).map((config: { server_id: number }) => config.server_id)
      expect(servers.toSorted()).toEqual([3, 5])
    }
  })

  test('another protocol changes the links of the option’s own', async () => {
    const option = await create({ server_ids: [1, 3] })
    const user = await service.createUser({ balance: 1000 })
    const { configs } = await buy(user, option)
    await change(option.id, { protocol: 'trojan' })
    await service.running.runJobs()
    const now = await configsOf(user)
    expect(now.map((config: { id: number }) => config.id)).toEqual(
      configs.map((config: { id: number }) => config.id),
    )
    expect(now[0].connection_url).toMatch(/^trojan:/)
  })

  test('two who change the subscription of a customer at once: the later one is shown what it is', async () => {
    const option = await create({ server_ids: [1, 3] })
    const user = await service.createUser({ balance: 1000 })
    await buy(user, option)
    const list = async () => (await service.operator('GET', `/users/${user.id}/paid-options`)).body.data[0]
    const path = `/users/${user.id}/paid-options/${option.id}`
    const patch = (wish: object) => service.operator('PATCH', path, { reason: 'asked', ...wish })
    service.clock.advance(60)
    const { version } = await list()
    const [one, other] = await Promise.all([
      patch({ is_disabled: true, version }),
      patch({ reset_traffic: true, version }),
    ])
    expect([one.status, other.status].toSorted()).toEqual([200, 409])
    const late = one.status === 409 ? one : other
    expect(late.body.data).toEqual(await list())
    const now = (await list()).version
    expect(now).toBeGreaterThan(version)
    const idle = await patch({ is_disabled: (await list()).status === 'disabled', version: now })
    expect([idle.status, idle.body.data.version]).toEqual([200, now])
  })

  test('one that is off or has ended follows when it comes back', async () => {
    const option = await create({ server_ids: [1, 3] })
    const user = await service.createUser({ balance: 1000 })
    await buy(user, option)
    await service.operator('PATCH', `/users/${user.id}/paid-options/${option.id}`, {
      is_disabled: true,
      reason: 'abuse',
    })
    await change(option.id, { server_ids: [1, 5] })
    await service.running.runJobs()
    const present = async () =>
      (
        await service.db
          .selectFrom('placements as p')
          .innerJoin('accesses as a', 'a.id', 'p.access_id')
          .innerJoin('terms as t', 't.id', 'a.term_id')
          .select('p.server_id')
          .where('t.user_id', '=', user.id)
          .where('p.is_present', '=', true)
          .orderBy('p.server_id')
          .execute()
      ).map((row) => row.server_id)
    expect(await present()).toEqual([])
    await service.operator('PATCH', `/users/${user.id}/paid-options/${option.id}`, {
      is_disabled: false,
      reason: 'sorry',
    })
    expect(await present()).toEqual([1, 5])
    service.clock.advance(31 * 86_400)
    await service.heartbeat()
    await service.running.runJobs()
    await change(option.id, { server_ids: [7] })
    await service.running.runJobs()
    expect(await present()).toEqual([])
    await buy(user, option)
    expect(await present()).toEqual([7])
  })
})
