import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Answer,
  startTestService,
  type TestService,
  type TestUser,
} from '../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const white = { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 }
const call = (user: TestUser, method: string, path = '', body?: unknown) =>
  service.customer(user, method, `/paid-options${path}`, body)

const customer = async () => {
  const user = await service.createUser({ balance: 10_000 })
  const { body } = await call(user, 'POST', '', white)
  return { user, option: body.data }
}
const add = async (user: TestUser, body: object = {}) => {
  const answer = await call(user, 'POST', '/1/configs', { protocol: 'vless', ...body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data
}
const listed = async (user: TestUser) => (await call(user, 'GET')).body.data[0].configs

describe('POST /paid-options/:id/configs', () => {
  test('on a server of the option, listed after its own', async () => {
    const { user, option } = await customer()
    const servers = option.configs.map((config: { server_id: number }) => config.server_id)
    const added = await add(user, { title: 'ТВ', protocol: 'trojan' })
    expect(servers).toContain(added.server_id)
    expect(added).toEqual({
      id: expect.any(Number),
      server_id: expect.any(Number),
      connection_url: expect.stringMatching(/^trojan:/),
      title: 'ТВ',
      protocol: 'trojan',
      created_at: service.clock.now(),
      is_extended_settings_enabled: false,
      is_online: true,
      index: 3,
    })
    expect((await listed(user)).at(-1)).toMatchObject({
      ...added,
      index: 3,
      custom_title: 'ТВ',
      is_added: true,
    })
  })

  test.each([
    ['amnezia-wg-2', /^vpn:/],
    ['wg', /^wireguard:/],
    ['hysteria2', /^hysteria2:/],
    ['shadowsocks-2022', /^ss:/],
  ])('%s', async (protocol, link) => {
    const { user } = await customer()
    expect((await add(user, { protocol })).connection_url).toMatch(link)
  })

  test('where the customer wants it', async () => {
    const { user, option } = await customer()
    const wish = option.configs[2].server_id
    expect((await add(user, { server_id: wish })).server_id).toBe(wish)
    const elsewhere = await service.db
      .selectFrom('servers')
      .select('id')
      .where(
        'id',
        'not in',
        option.configs.map((config: { server_id: number }) => config.server_id),
      )
      .executeTakeFirstOrThrow()
    const refused = await call(user, 'POST', '/1/configs', { protocol: 'vless', server_id: elsewhere.id })
    expect(refused.body.errorCode).toBe(22)
  })

  test('twenty at most, also at once', async () => {
    const { user } = await customer()
    // On a busy machine the last of so many wait too long, and are asked to come again.
    const insist = async (): Promise<Answer> => {
      const answer = await call(user, 'POST', '/1/configs', { protocol: 'vless' })
      return answer.status === 503 ? insist() : answer
    }
    const answers = await Promise.all(Array.from({ length: 24 }, insist))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(20)
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(4)
    expect(await listed(user)).toHaveLength(23)
  })

  test.each([
    [{ use_warp: true }],
    [{ use_extended_settings: true, use_grpc: true, use_xhttp: true }],
    [{ protocol: 'trojan', use_extended_settings: true }],
    [{ use_extended_settings: true, pass_all_traffic_through_vpn: true }],
    [{ title: '' }],
    [{ protocol: 'mtproto' }],
  ])('%j breaks a rule', async (body) => {
    const { user } = await customer()
    const answer = await call(user, 'POST', '/1/configs', { protocol: 'vless', ...body })
    expect([answer.status, answer.body.errorCode]).toEqual([400, 3])
    expect(await listed(user)).toHaveLength(3)
  })
})

describe('what was added', () => {
  test('has settings, an Xray of its own, a title, stats and a proxy', async () => {
    const { user, option } = await customer()
    const { id } = await add(user)
    const path = `/1/configs/${id}`
    const settings = {
      protocol: 'vless',
      use_extended_settings: true,
      server_id: option.configs[1].server_id,
    }
    const settled = await call(user, 'PATCH', `${path}/settings`, settings)
    expect([settled.status, settled.body.data.server_id]).toEqual([200, option.configs[1].server_id])
    const { xray_config: json } = settled.body.data
    expect(JSON.parse(json).inbounds).toHaveLength(1)
    const reset = await call(user, 'POST', `${path}/resetXrayConfig`)
    expect(reset.body.data.xray_config).toBe(json)
    expect((await call(user, 'PATCH', `${path}/title`, { title: 'TV' })).body.data).toBe(true)
    expect((await call(user, 'GET', `${path}/stats`)).body.data.status).toBe('up')
    expect((await call(user, 'GET', `${path}/subconfig`)).status).toBe(404)
    const proxy = await call(user, 'POST', `${path}/subconfig`, { protocol: 'socks5' })
    expect(proxy.body.data).toMatchObject({ protocol: 'socks5', connection_url: expect.any(String) })
    const changed = await call(user, 'PATCH', `${path}/subconfig`, { protocol: 'http' })
    expect(changed.body.data.id).toBe(proxy.body.data.id)
    expect((await call(user, 'DELETE', `${path}/subconfig`)).body.data).toBe(true)
    expect((await listed(user)).at(-1)).toMatchObject({ id, title: 'TV', is_extended_settings_enabled: true })
  })

  test('gets new credentials, and so does what came with the option', async () => {
    const { user, option } = await customer()
    const added = await add(user, { protocol: 'trojan' })
    const before = await listed(user)
    for (const { id, connection_url: link } of [added, option.configs[1]]) {
      const { status, body } = await call(user, 'POST', `/1/configs/${id}/resetCredentials`)
      expect([status, Object.keys(body.data)]).toEqual([200, ['connection_url', 'server_id']])
      expect(body.data.connection_url).not.toBe(link)
      const present = (await listed(user)).find((config: { id: number }) => config.id === id)
      expect(present).toMatchObject(body.data)
    }
    const links = (configs: { connection_url: string }[]) => configs.map((config) => config.connection_url)
    const kept = new Set(links(before)).intersection(new Set(links(await listed(user))))
    expect(kept.size).toBe(before.length - 2)
  })

  test('stays on servers of the option', async () => {
    const { user } = await customer()
    const { id } = await add(user)
    const elsewhere = await call(user, 'PATCH', `/1/configs/${id}/settings`, {
      protocol: 'vless',
      server_id: 9,
    })
    expect(elsewhere.body.errorCode).toBe(22)
    const free = await call(user, 'GET', '/1/configs/available-servers?protocol=vless')
    expect(free.body.data).toHaveLength(3)
  })

  test('is its owner’s; what came with the option is not changed like it', async () => {
    const { user, option } = await customer()
    const { user: other } = await customer()
    const { id } = await add(user)
    for (const [method, path, body] of [
      ['PATCH', 'settings', { protocol: 'vless' }],
      ['PATCH', 'title', { title: 'mine' }],
      ['PATCH', 'xray', { xray_config: '{}' }],
      ['POST', 'resetXrayConfig', undefined],
      ['POST', 'resetCredentials', undefined],
      ['GET', 'stats', undefined],
      ['POST', 'subconfig', { protocol: 'http' }],
    ] as const) {
      expect((await call(other, method, `/1/configs/${id}/${path}`, body)).status).toBe(404)
    }
    const own = `/1/configs/${option.configs[0].id}`
    const refused = await call(user, 'PATCH', `${own}/settings`, { protocol: 'trojan' })
    expect(refused.body.details[0].problem).toMatch(/came with the option/)
    expect((await call(user, 'POST', `${own}/subconfig`, { protocol: 'http' })).status).toBe(200)
  })
})
