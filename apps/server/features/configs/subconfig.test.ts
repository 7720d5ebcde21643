import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { enrolNode } from '../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const buy = async (user: TestUser, body?: object): Promise<number> => (await service.buy(user, body)).id
const customer = () => service.createUser({ balance: 100_000 })
const proxy = (user: TestUser, method: string, id: number, body?: object) =>
  service.customer(user, method, `/configs/${id}/subconfig`, body)
const settle = (user: TestUser, id: number, body: object) =>
  service.customer(user, 'PATCH', `/configs/${id}/settings`, body)

test.each([
  ['http', /^http:\/\/u[0-9a-f]{12}:[0-9a-f]{32}@127\.0\.0\.1:\d+$/],
  ['socks5', /^socks5:\/\/u[0-9a-f]{12}:[0-9a-f]{32}@127\.0\.0\.1:\d+$/],
  ['mtproto', /^tg:\/\/proxy\?server=127\.0\.0\.1&port=\d+&secret=ee[0-9a-f]{32}7777772e/],
])('%s: made, shown, deleted', async (protocol, url) => {
  const user = await customer()
  const id = await buy(user)
  expect((await proxy(user, 'GET', id)).body).toMatchObject({ statusCode: 404, errorCode: 1 })
  const made = await proxy(user, 'POST', id, { protocol })
  expect([made.status, Object.keys(made.body.data).sort()]).toEqual([
    200,
    ['connection_url', 'id', 'protocol'],
  ])
  expect(made.body.data.connection_url).toMatch(url)
  const seen = (await proxy(user, 'GET', id)).body.data
  expect(seen).toEqual({
    ...made.body.data,
    ...(protocol === 'mtproto' && { tls_domain: 'www.google.com' }),
  })
  expect((await proxy(user, 'POST', id, { protocol })).status).toBe(409)
  expect((await proxy(user, 'DELETE', id)).body.data).toBe(true)
  expect((await proxy(user, 'DELETE', id)).status).toBe(404)
  expect((await proxy(user, 'GET', id)).status).toBe(404)
  const ports = await service.db
    .selectFrom('node_ports')
    .select('port')
    .where('access_id', '=', made.body.data.id)
    .execute()
  expect(ports).toEqual([])
})

test('the protocol is changed, and the domain is remembered', async () => {
  const user = await customer()
  const id = await buy(user)
  expect((await proxy(user, 'PATCH', id, { protocol: 'http' })).status).toBe(404)
  await proxy(user, 'POST', id, { protocol: 'mtproto', tls_domain: 'Cdn.Example.com' })
  const domain = Buffer.from('cdn.example.com').toString('hex')
  expect((await proxy(user, 'GET', id)).body.data.tls_domain).toBe('cdn.example.com')
  const changed = await proxy(user, 'PATCH', id, { protocol: 'socks5' })
  expect(changed.body.data).toMatchObject({ protocol: 'socks5' })
  expect((await proxy(user, 'GET', id)).body.data).not.toHaveProperty('tls_domain')
  const back = await proxy(user, 'PATCH', id, { protocol: 'mtproto' })
  expect(back.body.data.connection_url).toContain(domain)
})

test.each([
  '127.0.0.1',
  'localhost',
  'router.local',
  '169.254.169.254',
  '0x7f000001',
  '2130706433',
  'a b.com',
  'host',
  '-x.com',
  '[::1]',
  'metadata.google.internal',
  `${'a'.repeat(250)}.com`,
])('tls_domain %s is refused', async (tls_domain) => {
  const user = await customer()
  const id = await buy(user)
  const { body } = await proxy(user, 'POST', id, { protocol: 'mtproto', tls_domain })
  expect(body).toMatchObject({ statusCode: 400, errorCode: 3, details: [{ path: 'tls_domain' }] })
  expect((await proxy(user, 'GET', id)).status).toBe(404)
})

test('a server that cannot keep a domain off its private network fronts only for its own', async () => {
  const user = await customer()
  const node = await enrolNode(service, 7)
  const engine = { state: 'running', version: '1', detail: null } as const
  const report = (isOwnOnly: boolean) =>
    node.report({
      engines: [
        { ...engine, name: 'xray' },
        { ...engine, name: 'mtg', ...(isOwnOnly && { own_sites_only: true }) },
      ],
    })
  await report(true)
  const id = await buy(user, { location_id: 7, server_id: node.serverId })
  const ask = (tls_domain?: string) => proxy(user, 'POST', id, { protocol: 'mtproto', tls_domain })
  const { body } = await ask('cdn.example.com')
  expect(body).toMatchObject({ statusCode: 400, errorCode: 3, details: [{ path: 'tls_domain' }] })
  expect(body.details[0].problem).toMatch(/leave it out, or name .*www\.google\.com/)
  for (const domain of [undefined, 'www.google.com', 'www.example.com', 'WWW.Example.com']) {
    expect((await ask(domain)).status, domain).toBe(200)
    await proxy(user, 'DELETE', id)
  }
  await report(false)
  expect((await ask('cdn.example.com')).status).toBe(200)
  await proxy(user, 'PATCH', id, { protocol: 'http' })
  await report(true)
  const back = await proxy(user, 'PATCH', id, { protocol: 'mtproto' })
  expect(back.body).toMatchObject({ statusCode: 400, details: [{ path: 'protocol' }] })
})

test('a Telegram proxy is not moved to where its domain cannot be fronted', async () => {
  const user = await customer()
  const [from, to] = [await enrolNode(service, 7), await enrolNode(service, 7)]
  const engines = (own_sites_only?: true) => {
    const engine = { state: 'running', version: '1', detail: null } as const
    return [
      { ...engine, name: 'xray' as const },
      { ...engine, name: 'mtg' as const, ...(own_sites_only && { own_sites_only }) },
    ]
  }
  await from.report({ engines: engines() })
  await to.report({ engines: engines(true) })
  const id = await buy(user, { location_id: 7, server_id: from.serverId })
  await proxy(user, 'POST', id, { protocol: 'mtproto', tls_domain: 'cdn.example.com' })
  const move = () =>
    service.customer(user, 'PATCH', `/configs/${id}/settings`, {
      location_id: 7,
      protocol: 'vless',
      server_id: to.serverId,
    })
  expect((await move()).body).toMatchObject({ statusCode: 400, details: [{ path: 'location_id' }] })
  await to.report({ engines: engines() })
  expect((await move()).body.data.server_id).toBe(to.serverId)
})

test('tls_domain is only for mtproto', async () => {
  const user = await customer()
  const id = await buy(user)
  const { body } = await proxy(user, 'POST', id, { protocol: 'http', tls_domain: 'www.example.com' })
  expect(body.details).toEqual([{ path: 'tls_domain', problem: 'is only for mtproto' }])
})

test('location 12 has no mtproto: not by POST, not by PATCH, not by moving there', async () => {
  const user = await customer()
  const there = await buy(user, { location_id: 12 })
  expect((await proxy(user, 'POST', there, { protocol: 'mtproto' })).body.errorCode).toBe(3)
  await proxy(user, 'POST', there, { protocol: 'http' })
  expect((await proxy(user, 'PATCH', there, { protocol: 'mtproto' })).body.errorCode).toBe(3)
  const here = await buy(user)
  await proxy(user, 'POST', here, { protocol: 'mtproto' })
  const move = { location_id: 12, protocol: 'vless' }
  expect((await settle(user, here, move)).body).toMatchObject({
    errorCode: 3,
    details: [{ path: 'location_id' }],
  })
  await proxy(user, 'PATCH', here, { protocol: 'socks5' })
  expect((await settle(user, here, move)).status).toBe(200)
})

test('a proxy ends with its configuration and comes back with it', async () => {
  const user = await customer()
  const id = await buy(user)
  await proxy(user, 'POST', id, { protocol: 'http' })
  const before = (await proxy(user, 'GET', id)).body.data
  const present = async () =>
    (
      await service.db
        .selectFrom('placements')
        .select('access_id')
        .where('access_id', 'in', [id, before.id])
        .where('is_present', '=', true)
        .execute()
    )
      .map((row) => row.access_id)
      .sort((one, other) => one - other)
  expect(await present()).toEqual([id, before.id])
  service.clock.advance(30 * 86_400)
  await service.heartbeat()
  await service.running.runJobs()
  expect(await present()).toEqual([])
  expect((await proxy(user, 'PATCH', id, { protocol: 'socks5' })).body.details[0].problem).toContain('renew')
  await service.customer(user, 'POST', `/configs/renewal/${id}`, { payment_method_id: 1 })
  expect(await present()).toEqual([id, before.id])
  expect((await proxy(user, 'GET', id)).body.data).toEqual(before)
})

test('of 20 proxies asked for at once, one is made', async () => {
  const user = await customer()
  const id = await buy(user)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => proxy(user, 'POST', id, { protocol: 'http' })),
  )
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(19).fill(409)])
})

test('a proxy is not taken for a configuration by its number', async () => {
  const user = await customer()
  const id = await buy(user)
  const { id: proxyId } = (await proxy(user, 'POST', id, { protocol: 'socks5' })).body.data
  const asConfig = [
    service.customer(user, 'PATCH', `/configs/title/${proxyId}`, { title: 'x' }),
    service.customer(user, 'GET', `/configs/${proxyId}/serverStats`),
    service.customer(user, 'POST', `/configs/renewal/${proxyId}`, { payment_method_id: 1 }),
    service.customer(user, 'PATCH', `/configs/${proxyId}/settings`, { location_id: 1, protocol: 'vless' }),
    service.customer(user, 'POST', '/configs/makeBridge', { first_config_id: id, second_config_id: proxyId }),
    proxy(user, 'GET', proxyId),
    proxy(user, 'POST', proxyId, { protocol: 'http' }),
    proxy(user, 'DELETE', proxyId),
  ]
  expect((await Promise.all(asConfig)).map((answer) => answer.status)).toEqual(asConfig.map(() => 404))
})

test('what a deleted proxy has carried stays counted', async () => {
  const user = await customer()
  const id = await buy(user)
  const { id: proxyId } = (await proxy(user, 'POST', id, { protocol: 'socks5' })).body.data
  const carried = { up: 5, down: 7 }
  await service.db.updateTable('meters').set(carried).where('access_id', 'in', [id, proxyId]).execute()
  await proxy(user, 'DELETE', id)
  const meters = () =>
    service.db
      .selectFrom('meters')
      .select(['access_id', 'up', 'down'])
      .where('access_id', 'in', [id, proxyId])
      .orderBy('access_id')
      .execute()
  // Its node may still tell of it.
  expect(await meters()).toEqual([
    { access_id: id, ...carried },
    { access_id: proxyId, ...carried },
  ])
  await service.db.updateTable('node_status').set({ applied_revision: 1_000_000 }).execute()
  await service.running.runJobs()
  expect(await meters()).toEqual([{ access_id: id, up: 10, down: 14 }])
  await service.db.updateTable('node_status').set({ applied_revision: 0 }).execute()
})
