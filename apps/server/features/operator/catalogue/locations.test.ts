import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enrolNode } from '../../../../../test/support/node.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const sweden = { code: 'SE', title_ru: 'Швеция', title_en: 'Sweden' }
const list = async () => (await service.operator('GET', '/locations')).body.data
const create = async (body: object = {}) =>
  (await service.operator('POST', '/locations', { ...sweden, ...body })).body.data
const change = (id: number, body: object) => service.operator('PATCH', `/locations/${id}`, body)
const remove = (id: number) => service.operator('DELETE', `/locations/${id}`)
const shownToCustomers = async () => {
  const user = await service.createUser()
  return (await service.customer(user, 'GET', '/locations')).body.data
}

test('the list shows every location with how full it is', async () => {
  const user = await service.createUser({ balance: 1000 })
  await service.buy(user)
  const [first] = await list()
  expect(first).toEqual({
    id: 1,
    code: 'NL',
    title_ru: 'Нидерланды',
    title_en: 'Netherlands',
    description_ru: 'Амстердам, быстрый канал по Европе',
    description_en: 'Amsterdam, fast across Europe',
    caption_ru: 'Демо',
    caption_en: 'Demo',
    ping_ip: '127.0.0.1',
    is_active: true,
    home_domains: [],
    home_networks: [],
    servers: 2,
    capacity: 400,
    used_slots: 1,
    problem: null,
    version: 1,
  })
})

describe('a new one', () => {
  test('takes the next number, also past one that was deleted, and says what it lacks', async () => {
    const made = await service.operator('POST', '/locations', sweden)
    expect(made.status).toBe(201)
    expect(made.body.data).toEqual({
      id: 19,
      ...sweden,
      description_ru: '',
      description_en: '',
      caption_ru: '',
      caption_en: '',
      ping_ip: null,
      is_active: true,
      home_domains: [],
      home_networks: [],
      servers: 0,
      capacity: 0,
      used_slots: 0,
      problem: 'cannot be sold, because it has no servers, and cloud servers are not offered there',
      version: 1,
    })
    expect((await remove(19)).status).toBe(200)
    expect((await create()).id).toBe(20)
    const taken = await service.operator('POST', '/locations', { ...sweden, id: 19 })
    expect([taken.status, taken.body.details[0].path]).toEqual([409, 'id'])
    expect((await create({ id: 40 })).id).toBe(40)
    expect((await create()).id).toBe(41)
  })

  test('is made once for a key, and ten at once have ten numbers', async () => {
    const keyed = () =>
      service.call('POST', '/operator/v1/locations', {
        token: service.operatorToken,
        body: sweden,
        headers: { 'idempotency-key': 'one-location' },
      })
    const [one, again] = [await keyed(), await keyed()]
    expect(again.body).toEqual(one.body)
    const made = await Promise.all(Array.from({ length: 10 }, () => create()))
    expect(new Set(made.map(({ id }) => id)).size).toBe(10)
  })

  test.each([
    ['code', { code: 'не код' }],
    ['title_ru', { title_ru: '' }],
    ['description_en', { description_en: 'a\u202eb' }],
    ['ping_ip', { ping_ip: 'example.com' }],
    ['home_domains.1', { home_domains: ['ru', '.su'] }],
    ['home_networks.0', { home_networks: ['5.255.192.0/33'] }],
    ['home_networks.0', { home_networks: ['5.255.192.0'] }],
    ['id', { id: 0 }],
    ['servers', { servers: 3 }],
  ])('is refused for its %s', async (path, body) => {
    const answer = await service.operator('POST', '/locations', { ...sweden, ...body })
    expect(answer.status).toBe(400)
    expect(answer.body.details[0].path).toMatch(new RegExp(`^(${path})?$`))
  })
})

describe('a change', () => {
  test('keeps what it does not name, and is told customers and the log', async () => {
    const { id, ...before } = await create()
    const changes = {
      code: 'se',
      description_ru: 'Стокгольм',
      ping_ip: '192.0.2.7',
      home_domains: ['se'],
      home_networks: ['192.0.2.0/24', '2001:db8::/32'],
    }
    const { status, body } = await change(id, changes)
    expect([status, body.data]).toEqual([200, { id, ...before, ...changes, version: 2 }])
    expect(await shownToCustomers()).toContainEqual(
      expect.objectContaining({ id, code: 'se', description: 'Стокгольм', ping_ip: '192.0.2.7' }),
    )
    expect((await change(id, { ping_ip: null, description_ru: '' })).body.data).toMatchObject({
      ping_ip: null,
      description_ru: '',
    })
    const log = await service.operator('GET', `/audit?action=changeLocation&subject=location:${id}`)
    expect(log.body.data[1].details).toEqual({
      before: { code: 'SE', description_ru: '', ping_ip: null, home_domains: [], home_networks: [] },
      after: changes,
    })
  })

  test('of what somebody else has changed meanwhile shows the row as it is', async () => {
    const { id } = await create()
    expect((await change(id, { title_en: 'First', version: 1 })).body.data.version).toBe(2)
    const late = await change(id, { title_en: 'Late', version: 1 })
    expect([late.status, late.body.details[0].path]).toEqual([409, 'version'])
    expect(late.body.data).toMatchObject({ id, title_en: 'First', version: 2 })
    expect((await change(id, { title_en: 'First' })).body.data.version).toBe(2)
  })

  test('of what is not there is 404', async () => {
    expect((await change(99_999, { title_en: 'Nowhere' })).status).toBe(404)
  })
})

test('one whose servers are all closed cannot be sold, and says so', async () => {
  const { id } = await create()
  const shown = async () => (await list()).find((row: { id: number }) => row.id === id)
  const { serverId } = await enrolNode(service, id)
  expect(await shown()).toMatchObject({ servers: 1, problem: null })
  const state = async (wanted: string) =>
    expect((await service.operator('PATCH', `/servers/${serverId}`, { state: wanted })).status).toBe(200)
  await state('closed')
  expect(await shown()).toMatchObject({
    servers: 1,
    problem:
      'cannot be sold, because none of its servers takes new customers, and cloud servers are not offered there',
  })
  await state('selling')
  expect((await shown()).problem).toBe(null)
})

describe('deleting', () => {
  test('is refused with numbers while something is there', async () => {
    const { rows } = await sql<{ used: number; customers: number }>`
      select count(*)::int as used, count(distinct t.user_id)::int as customers
      from accesses a join servers s on s.id = a.server_id join terms t on t.id = a.term_id
      where s.location_id = 2`.execute(service.db)
    const { used, customers } = rows[0] as { used: number; customers: number }
    const user = await service.createUser({ balance: 1000 })
    for (let n = 0; n < 2; n++) await service.buy(user, { location_id: 2 })
    await service.buy(await service.createUser({ balance: 1000 }), { location_id: 2 })
    const answer = await remove(2)
    expect(answer.status).toBe(409)
    const what = `still has 2 servers, ${used + 3} configurations, 2 cloud offers; they have to go first`
    expect(answer.body.details).toEqual([
      { path: 'id', problem: `${customers + 2} customers depend on it: it ${what}` },
    ])
  })

  test('takes it from every list, and twice is 404', async () => {
    const { id } = await create()
    const answer = await remove(id)
    expect([answer.status, answer.body.data]).toEqual([200, true])
    expect((await remove(id)).status).toBe(404)
    expect((await change(id, { title_en: 'Back' })).status).toBe(404)
    const ids = [...(await list()), ...(await shownToCustomers())].map((row: { id: number }) => row.id)
    expect(ids).not.toContain(id)
    const log = await service.operator('GET', `/audit?action=deleteLocation&subject=location:${id}`)
    expect(log.body.data[0].details).toMatchObject({ before: { code: 'SE' }, after: null })
  })

  test('leaves nowhere to put a server or an offer', async () => {
    const { id } = await create()
    await remove(id)
    const server = { node_id: 1, location_id: id, capacity: 1 }
    const names = { reality_target: 'www.example.com:443', reality_server_name: 'www.example.com' }
    const refused = await service.operator('POST', '/servers', { ...server, ...names })
    expect([refused.status, refused.body.details]).toEqual([
      400,
      [{ path: 'location_id', problem: 'does not exist' }],
    ])
    const offered = await service.operator('PATCH', '/cloud-configurations/1', {
      offers: [{ location_id: id, cloud_id: 1 }],
    })
    expect([offered.status, offered.body.details[0].path]).toEqual([400, 'offers.0.location_id'])
    const user = await service.createUser({ balance: 1000 })
    const order = { location_id: id, protocol: 'vless', payment_method_id: 1, tariff_id: 1 }
    const bought = await service.customer(user, 'POST', '/configs', order)
    expect(bought.body).toMatchObject({ errorCode: 22, details: [{ path: 'location_id' }] })
  })
})

test('owners change locations, everybody who works here sees them', async () => {
  const { id } = await create()
  const paths = [
    ['GET', '/locations', undefined],
    ['POST', '/locations', sweden],
    ['PATCH', `/locations/${id}`, { title_en: 'Again' }],
    ['DELETE', `/locations/${id}`, undefined],
  ] as const
  const expected = {
    technician: [200, 403, 403, 403],
    support: [200, 403, 403, 403],
    finance: [200, 403, 403, 403],
  }
  for (const [role, statuses] of Object.entries(expected)) {
    const now = service.clock.now()
    const token = await createOperator(service.db, { name: role, role: role as 'support', now })
    const answers = []
    for (const [method, path, body] of paths) {
      answers.push((await service.call(method, `/operator/v1${path}`, { token, body })).status)
    }
    expect(answers, role).toEqual(statuses)
  }
})
