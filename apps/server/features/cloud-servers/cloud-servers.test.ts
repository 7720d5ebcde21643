import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const day = 86_400
const start = { location_id: 1, tariff_config_id: 1, payment_method_id: 1, tariff_id: 31 }

const call = (user: TestUser, method: string, path = '', body?: unknown) =>
  service.customer(user, method, `/cloud-servers${path}`, body)
const rich = () => service.createUser({ balance: 10_000 })
const order = async (user: TestUser, body: object = {}) => {
  const answer = await call(user, 'POST', '', { ...start, ...body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data
}
const listed = async (user: TestUser) => (await call(user, 'GET')).body.data
const pass = async (seconds = 0) => {
  service.clock.advance(seconds)
  await service.heartbeat()
  await service.running.runJobs()
}
const active = async (user: TestUser, body: object = {}) => {
  const { id } = await order(user, body)
  await pass()
  const server = (await listed(user)).find((one: { id: number }) => one.id === id)
  expect(server.status).toBe('active')
  return server
}

describe('POST /cloud-servers', () => {
  test('by balance: ordered at once, active in seconds', async () => {
    const user = await rich()
    const server = await order(user, { hostname: 'VPN.example.com' })
    expect(server).toEqual({
      id: expect.any(Number),
      location_id: 1,
      tariff_config_id: 1,
      status: 'ordered',
      expires_at: service.clock.now() + 30 * day,
      url: null,
      is_online: false,
      auto_renewal: false,
      auto_renewal_days: null,
      hostname: 'vpn.example.com',
    })
    await pass()
    expect(await listed(user)).toEqual([
      { ...server, status: 'active', url: expect.any(String), is_online: true },
    ])
  })

  test('a configuration of every protocol, and proxies', async () => {
    const user = await rich()
    const { id } = await active(user)
    const made = await call(user, 'POST', `/${id}/configs`, { protocol: 'vless', title: 'TV' })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const mtproto = await call(user, 'POST', `/${id}/configs`, { protocol: 'mtproto' })
    expect(mtproto.status, JSON.stringify(mtproto.body)).toBe(201)
    expect(mtproto.body.data.connection_url).toMatch(/^tg:/)
    const proxy = await call(user, 'POST', `/${id}/proxies`, { protocol: 'socks5' })
    expect(proxy.status, JSON.stringify(proxy.body)).toBe(200)
    expect((await call(user, 'GET', `/${id}/configs`)).body.data).toEqual([made.body.data, mtproto.body.data])
    expect((await call(user, 'GET', `/${id}/proxies`)).body.data).toEqual([proxy.body.data])
    const became = await call(user, 'PATCH', `/${id}/configs/${mtproto.body.data.id}/protocol`, { protocol: 'wg' })
    expect(became.status, JSON.stringify(became.body)).toBe(200)
    expect(became.body.data.connection_url).toMatch(/^wireguard:/)
  })
})
