import { cloudProtocols } from '@sallyport/contract/customer/cloud-servers/shapes'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CloudTests } from '../../../../test/support/cloud-servers.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
let clouds: CloudTests
let user: TestUser
let id: number
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, hasIdleRounds: true })
  clouds = new CloudTests(service)
  user = await service.createUser({ balance: 10_000 })
  id = (await clouds.active(user)).id
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const on = (method: string, path: string, body?: unknown, who = user) =>
  clouds.call(who, method, `/${id}${path}`, body)
const made = async (body: object, path = '/configs') => {
  const answer = await on('POST', path, body)
  expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status)
  return answer.body.data
}
const configs = async () => (await on('GET', '/configs')).body.data
const usedSlots = async (): Promise<number> => {
  const rows = await service.db
    .selectFrom('servers')
    .select('used_slots')
    .where('owner_term_id', 'is not', null)
    .execute()
  return rows.reduce((sum, row) => sum + row.used_slots, 0)
}

const schemes: Record<string, RegExp> = {
  vless: /^vless:/,
  'vless-2410': /^vless:/,
  trojan: /^trojan:/,
  'trojan-2901': /^trojan:/,
  outline: /^ss:/,
  'shadowsocks-2022': /^ss:/,
  hysteria2: /^hysteria2:/,
  wg: /^wireguard:/,
  'amnezia-wg-2': /^vpn:/,
  mtproto: /^tg:/,
}

describe('configurations', () => {
  test.each(cloudProtocols)('of %s', async (protocol) => {
    const config = await made({ protocol, title: `My ${protocol}` })
    expect(config).toMatchObject({
      id: expect.any(Number),
      title: `My ${protocol}`,
      protocol,
      connection_url: expect.stringMatching(schemes[protocol] as RegExp),
      is_extended_settings_enabled: false,
      created_at: expect.any(Number),
    })
    expect(await configs()).toContainEqual(config)
    expect(await clouds.placed(config.id)).toBe(true)
    const gone = await on('DELETE', `/configs/${config.id}`)
    expect(gone.body.data).toBe(true)
    expect(await clouds.placed(config.id)).toBe(false)
    expect((await on('DELETE', `/configs/${config.id}`)).body).toMatchObject({
      statusCode: 404,
      errorCode: 1,
    })
  })

  test('the rules of options hold here too', async () => {
    const refused = async (body: object) => (await on('POST', '/configs', body)).body
    expect(await refused({ protocol: 'vless', use_warp: true })).toMatchObject({
      statusCode: 400,
      errorCode: 3,
    })
    expect(await refused({ protocol: 'mtproto', use_extended_settings: true })).toMatchObject({
      errorCode: 3,
    })
    expect(await refused({ protocol: 'vless', title: '' })).toMatchObject({ statusCode: 400 })
    expect(await refused({ protocol: 'http' })).toMatchObject({ statusCode: 400 })
  })

  test('another protocol, from and to everything', async () => {
    const { id: config } = await made({ protocol: 'mtproto' })
    const change = (body: object) => on('PATCH', `/configs/${config}/protocol`, body)
    for (const protocol of ['vless', 'amnezia-wg-2', 'wg', 'hysteria2'] as const) {
      const { status, body } = await change({ protocol })
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body.data.connection_url).toMatch(schemes[protocol] as RegExp)
      expect(body.data).not.toHaveProperty('server_id')
    }
    expect((await change({ protocol: 'mtproto' })).status).toBe(400)
    const extended = await change({ protocol: 'vless', use_extended_settings: true, use_grpc: true })
    expect(extended.body.data).toMatchObject({
      xray_config: expect.stringContaining('grpc'),
      options: ['use_extended_settings', 'use_grpc'],
    })
    await on('DELETE', `/configs/${config}`)
  })

  test('AmneziaWG is tuned, Xray is reset, titles are changed', async () => {
    const awg = await made({ protocol: 'amnezia-wg-2' })
    const tuned = await on('PATCH', `/configs/${awg.id}/awg`, { port: 41_000, jc: 7 })
    expect(tuned.body.data.awg_config).toMatch(/Jc = 7/)
    expect(tuned.body.data.awg_config).toMatch(/:41000/)
    expect((await on('PATCH', `/configs/${awg.id}/awg`, { jc: 0 })).status).toBe(400)
    expect((await on('POST', `/configs/${awg.id}/resetXrayConfig`)).body).toMatchObject({ errorCode: 3 })
    const vless = await made({ protocol: 'vless', use_extended_settings: true })
    const reset = await on('POST', `/configs/${vless.id}/resetXrayConfig`)
    expect(reset.body.data).toEqual({
      connection_url: vless.connection_url,
      xray_config: vless.xray_config,
    })
    expect((await on('PATCH', `/configs/${vless.id}/title`, { title: 'Home' })).body.data).toBe(true)
    expect((await configs()).find((one: { id: number }) => one.id === vless.id).title).toBe('Home')
    expect((await on('PATCH', `/configs/${vless.id}/title`, { title: null })).body.data).toBe(true)
    expect((await on('PATCH', `/configs/${vless.id}/title`, { title: 'x'.repeat(65) })).status).toBe(400)
    const wrong = await on('PATCH', `/configs/${vless.id}/xray`, { xray_config: '{}' })
    expect(wrong.body).toMatchObject({ statusCode: 400, errorCode: 3 })
    for (const config of [awg, vless]) await on('DELETE', `/configs/${config.id}`)
  })

  test.each(cloudProtocols)('%s gets new credentials where it stands', async (protocol) => {
    const config = await made({ protocol })
    const { status, body } = await on('POST', `/configs/${config.id}/resetCredentials`)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.data).not.toHaveProperty('server_id')
    expect(body.data.connection_url).toMatch(schemes[protocol] as RegExp)
    expect(body.data.connection_url).not.toBe(config.connection_url)
    expect(await configs()).toContainEqual({ ...config, ...body.data })
    const stranger = await service.createUser()
    expect((await on('POST', `/configs/${config.id}/resetCredentials`, undefined, stranger)).status).toBe(404)
    await on('DELETE', `/configs/${config.id}`)
  })

  test('another protocol and back never brings an old secret back, of a proxy neither', async () => {
    const [config, proxy] = [
      await made({ protocol: 'mtproto' }),
      await made({ protocol: 'http' }, '/proxies'),
    ]
    const became = await on('PATCH', `/configs/${config.id}/protocol`, { protocol: 'vless' })
    await on('PATCH', `/configs/${config.id}/protocol`, { protocol: 'trojan' })
    const back = await on('PATCH', `/configs/${config.id}/protocol`, { protocol: 'vless' })
    const userOf = ({ body }: { body: { data: { connection_url: string } } }) =>
      new URL(body.data.connection_url).username
    expect(userOf(back)).not.toBe(userOf(became))
    const there = await on('PATCH', `/proxies/${proxy.id}/protocol`, { protocol: 'socks5' })
    expect(there.status, JSON.stringify(there.body)).toBe(200)
    const again = await on('PATCH', `/proxies/${proxy.id}/protocol`, { protocol: 'http' })
    expect(userOf(again)).not.toBe(new URL(proxy.connection_url).username)
    await on('DELETE', `/configs/${config.id}`)
    await on('DELETE', `/proxies/${proxy.id}`)
  })

  test('before the machine is ready there is nothing to put them on', async () => {
    const { id: early } = await clouds.order(user)
    // However soon it would come.
    const waiting = { status: 'ordered', next_step_at: null } as const
    await service.db.updateTable('machines').set(waiting).where('id', '=', early).execute()
    const answer = await clouds.call(user, 'POST', `/${early}/configs`, { protocol: 'vless' })
    expect(answer.body).toMatchObject({ statusCode: 400, details: [{ problem: /not ready/ }] })
    expect((await clouds.call(user, 'GET', `/${early}/configs`)).body.data).toEqual([])
  })
})

describe('proxies', () => {
  test('any number of each, with titles', async () => {
    const proxies = []
    for (const protocol of ['http', 'socks5', 'mtproto', 'http'])
      proxies.push(await made({ protocol }, '/proxies'))
    expect((await on('GET', '/proxies')).body.data).toEqual(proxies)
    expect(proxies[0]).toEqual({
      id: expect.any(Number),
      title: null,
      protocol: 'http',
      connection_url: expect.stringMatching(/^http:\/\/u\w+:\w+@127\.0\.0\.1:\d+$/),
      created_at: expect.any(Number),
    })
    const [first, second] = proxies
    const changed = await on('PATCH', `/proxies/${first.id}/protocol`, { protocol: 'mtproto' })
    expect(changed.body.data).toEqual({
      id: first.id,
      protocol: 'mtproto',
      connection_url: expect.stringMatching(/^tg:/),
    })
    const title = 'x'.repeat(100)
    expect((await on('PATCH', `/proxies/${second.id}/title`, { title })).body.data).toBe(true)
    expect((await on('PATCH', `/proxies/${second.id}/title`, { title: `${title}x` })).status).toBe(400)
    expect((await on('GET', '/proxies')).body.data[1].title).toBe(title)
    for (const { id: proxy } of proxies)
      expect((await on('DELETE', `/proxies/${proxy}`)).body.data).toBe(true)
    expect((await on('GET', '/proxies')).body.data).toEqual([])
    expect((await on('PATCH', `/proxies/${first.id}/title`, { title: null })).status).toBe(404)
  })

  test('are no configurations, and configurations are no proxies', async () => {
    const proxy = await made({ protocol: 'http' }, '/proxies')
    const config = await made({ protocol: 'mtproto' })
    const refused = async (method: string, path: string, body?: object) =>
      expect((await on(method, path, body)).body, path).toMatchObject({ statusCode: 404, errorCode: 1 })
    await refused('PATCH', `/configs/${proxy.id}/protocol`, { protocol: 'vless' })
    await refused('PATCH', `/configs/${proxy.id}/title`, { title: 'x' })
    await refused('DELETE', `/configs/${proxy.id}`)
    await refused('PATCH', `/proxies/${config.id}/protocol`, { protocol: 'http' })
    await refused('PATCH', `/proxies/${config.id}/title`, { title: 'x' })
    await refused('DELETE', `/proxies/${config.id}`)
    await on('DELETE', `/proxies/${proxy.id}`)
    await on('DELETE', `/configs/${config.id}`)
  })
})

describe('the machine is its owner’s alone', () => {
  test('what others buy is never placed there', async () => {
    const own = await service.db
      .selectFrom('servers')
      .select('id')
      .where('owner_term_id', 'is not', null)
      .execute()
    const other = await service.createUser({ balance: 10_000 })
    const bought = await service.buy(other, { server_id: 1 })
    expect(own.map((server) => server.id)).not.toContain(bought.server_id)
    const wished = await service.customer(other, 'POST', '/configs', {
      location_id: 1,
      protocol: 'vless',
      server_id: own[0]?.id,
      payment_method_id: 1,
      tariff_id: 1,
    })
    expect(wished.body).toMatchObject({ statusCode: 409, errorCode: 22 })
    const listed = await service.customer(
      other,
      'GET',
      '/configs/available-servers?location_id=1&protocol=vless',
    )
    expect(listed.body.data.map((server: { id: number }) => server.id)).not.toContain(own[0]?.id)
  })

  test('strangers find nothing', async () => {
    const stranger = await service.createUser({ balance: 1000 })
    const config = await made({ protocol: 'vless' })
    for (const [method, path, body] of [
      ['GET', '/configs'],
      ['POST', '/configs', { protocol: 'vless' }],
      ['DELETE', `/configs/${config.id}`],
      ['GET', '/proxies'],
      ['POST', '/proxies', { protocol: 'http' }],
    ] as const) {
      expect((await on(method, path, body, stranger)).body).toMatchObject({ statusCode: 404, errorCode: 1 })
    }
    await on('DELETE', `/configs/${config.id}`)
  })

  test('slots are given back', async () => {
    const before = await usedSlots()
    const config = await made({ protocol: 'vless' })
    const proxy = await made({ protocol: 'http' }, '/proxies')
    expect(await usedSlots()).toBe(before + 2)
    await on('DELETE', `/configs/${config.id}`)
    await on('DELETE', `/proxies/${proxy.id}`)
    expect(await usedSlots()).toBe(before)
  })
})

describe('bridges of type cloud', () => {
  test('in both directions with a configuration and an option', async () => {
    const rich = user
    await service.customer(rich, 'POST', '/paid-options', {
      paid_option_id: 1,
      payment_method_id: 1,
      tariff_id: 11,
    })
    const [option] = (await service.customer(rich, 'GET', '/paid-options')).body.data
    const bought = await service.buy(rich)
    const cloud = await made({ protocol: 'vless' })
    const ends = [
      ['config', bought.id],
      ['paid_option', option.configs[0].id],
    ] as const
    for (const [type, other] of ends) {
      for (const [first, second] of [
        [
          { t: 'cloud', i: cloud.id },
          { t: type, i: other },
        ],
        [
          { t: type, i: other },
          { t: 'cloud', i: cloud.id },
        ],
      ] as const) {
        const answer = await service.customer(rich, 'POST', '/configs/makeBridge', {
          first_config_id: first.i,
          first_type: first.t,
          second_config_id: second.i,
          second_type: second.t,
        })
        expect(answer.status, JSON.stringify(answer.body)).toBe(201)
        const { body } = await service.customer(rich, 'GET', '/configs/bridges')
        expect(body.data).toEqual([
          expect.objectContaining({
            first_config_id: first.i,
            first_type: first.t,
            second_config_id: second.i,
            second_type: second.t,
          }),
        ])
        await service.customer(rich, 'DELETE', `/configs/bridges/${body.data[0].id}`)
      }
    }
    const kept = { first_config_id: bought.id, second_config_id: cloud.id, second_type: 'cloud' }
    await service.customer(rich, 'POST', '/configs/makeBridge', kept)
    await on('DELETE', `/configs/${cloud.id}`)
    expect((await service.customer(rich, 'GET', '/configs/bridges')).body.data).toEqual([])
  })
})

describe('delivery', () => {
  test('the account’s link carries what is on its machines, until they end', async () => {
    const owner = await service.createUser({ balance: 10_000 })
    const server = await clouds.active(owner)
    const config = await clouds.call(owner, 'POST', `/${server.id}/configs`, {
      protocol: 'vless',
      title: 'Mine',
    })
    const fetched = async () => {
      const { body } = await service.call('GET', `/sub/${owner.subscription_key}`)
      return Buffer.from(String(body), 'base64').toString()
    }
    expect(await fetched()).toContain(config.body.data.connection_url)
    await clouds.pass(31 * 86_400)
    expect(await fetched()).not.toContain(config.body.data.connection_url)
  })
})

test('in location 12 a configuration has no Telegram proxy and a cloud server has, as the location says', async () => {
  const other = await service.createUser({ balance: 10_000 })
  const locations = (await service.customer(other, 'GET', '/locations')).body.data
  const { description } = locations.find((location: { id: number }) => location.id === 12)
  expect(description).toBe('Стамбул; прокси MTProto — только на своём сервере')
  const config = await service.buy(other, { location_id: 12 })
  const path = `/configs/${config.id}/subconfig`
  const refused = await service.customer(other, 'POST', path, { protocol: 'mtproto' })
  expect([refused.status, refused.body.details]).toEqual([
    400,
    [
      {
        path: 'protocol',
        problem: 'mtproto is not available for configurations in location 12; a cloud server there takes it',
      },
    ],
  ])
  const machine = await clouds.active(other, { location_id: 12 })
  const proxy = await clouds.call(other, 'POST', `/${machine.id}/proxies`, { protocol: 'mtproto' })
  expect([proxy.status, proxy.body.data.connection_url]).toEqual([200, expect.stringMatching(/^tg:/)])
})
