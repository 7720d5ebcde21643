import type { Access } from '@sallyport/contract/agent/agent'
import { protocols } from '@sallyport/contract/shapes'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { enrolNode } from '../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { linksOf } from '../../../../test/support/subscription.ts'

/** New credentials in place of old ones, which nothing brings back. */

const engines = (['xray', 'amneziawg', 'mtg'] as const).map((name) => ({
  name,
  state: 'running' as const,
  version: '1',
  detail: null,
}))

let service: TestService
let node: Awaited<ReturnType<typeof enrolNode>>
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  node = await enrolNode(service, 2, { protocols })
  user = await service.createUser({ balance: 1_000_000 })
})
beforeEach(async () => {
  await service.heartbeat()
  await node.report({ engines })
})
afterAll(() => service.stop())

const buy = (body: object = {}) =>
  service.buy(user, { location_id: 2, server_id: node.serverId, protocol: 'vless', ...body })
const call = (method: string, path: string, body?: unknown, who = user) =>
  service.customer(who, method, path, body)
const reset = (id: number, who = user) => call('POST', `/configs/${id}/resetCredentials`, undefined, who)
const shown = async (id: number) =>
  (await call('GET', '/configs')).body.data.find((row: { id: number }) => row.id === id)
const told = async (id: number): Promise<Access> =>
  (await node.poll(0)).accesses.find((access) => access.id === `a${id}`) as Access

/** Everything in an access by which somebody is let in. */
const secretsOf = (access: Access): string[] => {
  switch (access.kind) {
    case 'shared': {
      const { protocol, flow, address, ...secrets } = access.account as Record<string, string>
      return Object.values(secrets)
    }
    case 'amnezia-wg':
      return [access.private_key, access.peer.public_key, access.peer.preshared_key]
    case 'proxy':
      return [access.user, access.password]
    case 'mtproto':
      return [access.secret.slice(2, 34)]
    case 'instance': {
      const { settings, streamSettings } = JSON.parse(access.config).inbounds[0]
      const { realitySettings: reality, xhttpSettings: xhttp, grpcSettings: grpc } = streamSettings
      const ids = settings.clients.map((client: { id: string }) => client.id)
      const paths = [xhttp?.path, grpc?.serviceName].filter(Boolean)
      return [...ids, ...(reality ? [reality.privateKey, ...reality.shortIds] : []), ...paths]
    }
  }
}
const expectOther = (before: Access, after: Access) => {
  expect(secretsOf(after)).toHaveLength(secretsOf(before).length)
  expect(new Set(secretsOf(before)).intersection(new Set(secretsOf(after)))).toEqual(new Set())
  expect(after.revision).toBeGreaterThan(before.revision)
}

const extended = { use_extended_settings: true }
const every: readonly (readonly [string, object])[] = [
  ...protocols.map((protocol) => [protocol, { protocol }] as const),
  ['a personal Xray', extended],
  ['XHTTP', { ...extended, use_xhttp: true }],
  ['gRPC over TLS', { ...extended, use_grpc: true, disable_reality: true }],
  ['vless-2410 by itself', { ...extended, protocol: 'vless-2410' }],
]

describe('POST /configs/:config_id/resetCredentials', () => {
  test.each(every)('%s: every secret is another, the place is the same', async (_name, body) => {
    const config = await buy(body)
    const before = await told(config.id)
    const { status, body: answer } = await reset(config.id)
    expect(status, JSON.stringify(answer)).toBe(200)
    const { title, ...rest } = await shown(config.id)
    expect(rest).toMatchObject(answer.data)
    expect(answer.data.server_id).toBe(config.server_id)
    expect(answer.data.connection_url).not.toBe(config.connection_url)
    const after = await told(config.id)
    expectOther(before, after)
    const places = [before, after].map((access) => 'port' in access && [access.listen, access.port])
    expect(places[1]).toEqual(places[0])
  })

  test.each(['http', 'socks5', 'mtproto'] as const)('the %s proxy beside it too', async (protocol) => {
    const config = await buy()
    const path = `/configs/${config.id}/subconfig`
    const proxy = (await call('POST', path, { protocol })).body.data
    const before = await told(proxy.id)
    expect((await reset(config.id)).status).toBe(200)
    expectOther(before, await told(proxy.id))
    const after = (await call('GET', path)).body.data
    expect(after).toMatchObject({ id: proxy.id, protocol })
    expect(after.connection_url).not.toBe(proxy.connection_url)
  })

  test('the link of the account is the same and delivers the new ones at once', async () => {
    const own = await service.createUser({ balance: 1000 })
    const config = await service.buy(own)
    const fetched = async () =>
      linksOf((await service.call('GET', `/sub/${own.subscription_key}`)).body)[0]?.split('#')[0]
    const plain = (url: string) => url.split('#')[0]
    expect(await fetched()).toBe(plain(config.connection_url))
    const { body } = await reset(config.id, own)
    expect(await fetched()).toBe(plain(body.data.connection_url))
  })

  test('a bridge that leads to it follows, one that begins at it stays, WARP stays', async () => {
    const [first, middle, last] = [await buy(), await buy({ ...extended, use_warp: true }), await buy()]
    for (const [from, to] of [
      [first, middle],
      [middle, last],
    ]) {
      const ends = { first_config_id: from.id, second_config_id: to.id }
      expect((await call('POST', '/configs/makeBridge', ends)).status).toBe(201)
    }
    const exitOf = async (id: number) => {
      const access = await told(id)
      return 'exit' in access ? (access.exit?.outbound ?? '') : ''
    }
    const [entry, through] = [await exitOf(first.id), await exitOf(middle.id)]
    const uuid = new URL(middle.connection_url).username
    expect(entry).toContain(uuid)
    const { body } = await reset(middle.id)
    expect(await exitOf(first.id)).toContain(new URL(body.data.connection_url).username)
    expect(await exitOf(first.id)).not.toContain(uuid)
    expect(await exitOf(middle.id)).toBe(through)
    const warp = (text: string) =>
      JSON.parse(text).outbounds.find((outbound: { tag: string }) => outbound.tag === 'warp')
    expect(warp(body.data.xray_config)).toEqual(warp(middle.xray_config))
  })

  test('what has ended gets them too, and comes back with them', async () => {
    const config = await buy()
    service.clock.advance(31 * 86_400)
    await service.heartbeat()
    await service.running.runJobs()
    expect(await told(config.id)).toBeUndefined()
    const { status, body } = await reset(config.id)
    expect([status, await told(config.id)]).toEqual([200, undefined])
    expect(body.data.connection_url).not.toBe(config.connection_url)
    await node.report({ engines })
    const renewed = await call('POST', `/configs/renewal/${config.id}`, { payment_method_id: 1 })
    expect(renewed.status).toBe(201)
    expect((await shown(config.id)).connection_url).toBe(body.data.connection_url)
    expect(secretsOf(await told(config.id))).toEqual([new URL(body.data.connection_url).username])
  })

  test('missing and foreign are the same', async () => {
    const config = await buy()
    const stranger = await service.createUser()
    for (const [id, who] of [
      [config.id, stranger],
      [999_999_999, user],
    ] as const) {
      expect((await reset(id, who)).body).toMatchObject({ statusCode: 404, errorCode: 1 })
    }
    expect((await shown(config.id)).connection_url).toBe(config.connection_url)
  })

  test('many at once, among other changes: all are done, and the last is what the node is told', async () => {
    const config = await buy()
    const settings = { location_id: 2, protocol: 'vless', server_id: node.serverId }
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => reset(config.id)),
      call('PATCH', `/configs/${config.id}/settings`, { ...settings, protocol: 'trojan' }),
      call('PATCH', `/configs/${config.id}/settings`, settings),
    ])
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
    // The last may have been asked before the protocol was changed, and then has nothing to do.
    const links = answers.slice(0, -1).map((answer) => answer.body.data.connection_url)
    expect(new Set(links).size).toBe(links.length)
    const { connection_url: link } = await shown(config.id)
    expect(secretsOf(await told(config.id))).toEqual([new URL(link).username])
  })
})

describe('an edited JSON', () => {
  const put = (id: number, json: object) =>
    call('PATCH', `/configs/${id}/XrayConfig`, { xray_config: JSON.stringify(json) })
  const own = {
    ids: ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'],
    shortIds: ['c0de', '', 'beef'],
    rule: { domain: ['domain:mine.example'], outboundTag: 'block' },
  }
  /** On a demo server, which nobody asks for a trial. */
  const buyEdited = async () => {
    const config = await service.buy(user, { ...extended })
    const json = JSON.parse(config.xray_config)
    const [{ settings, streamSettings }] = json.inbounds
    settings.clients = own.ids.map((id) => ({ id, flow: 'xtls-rprx-vision' }))
    streamSettings.realitySettings.shortIds = own.shortIds
    json.routing.rules.unshift(own.rule)
    const { status, body } = await put(config.id, json)
    expect(status, JSON.stringify(body)).toBe(200)
    return { id: config.id, link: body.data.connection_url, json }
  }

  test('keeps what was written, and every secret in it is another, whoever chose it', async () => {
    const { id, link, json } = await buyEdited()
    expect(link).toContain(own.ids[0])
    const { body } = await reset(id)
    const after = JSON.parse(body.data.xray_config)
    expect(after.routing).toEqual(json.routing)
    const [{ settings, streamSettings }] = after.inbounds
    const ids = settings.clients.map((client: { id: string }) => client.id)
    expect(new Set([...ids, ...own.ids]).size).toBe(4)
    const { privateKey, shortIds } = streamSettings.realitySettings
    expect(privateKey).not.toBe(json.inbounds[0].streamSettings.realitySettings.privateKey)
    expect(shortIds.map((one: string) => one.length)).toEqual([4, 0, 4])
    expect(shortIds).not.toEqual(own.shortIds)
    expect(new URL(body.data.connection_url).username).toBe(ids[0])
  })

  test('written from what was read before the reset is refused, or the old ones would come back', async () => {
    const tried = await enrolNode(service, 3, { protocols: ['vless'] })
    await tried.report({ engines })
    const config = await service.buy(user, { ...extended, location_id: 3, server_id: tried.serverId })
    const editing = put(config.id, JSON.parse(config.xray_config))
    const trial = async () => {
      for (;;) {
        const [open] = (await tried.poll(0, 1)).trials
        if (open) return open.id
      }
    }
    const id = await trial()
    const { body } = await reset(config.id)
    await tried.answerTrial(id, { is_accepted: true, reason: null })
    expect((await editing).body).toMatchObject({ statusCode: 409, errorCode: 6 })
    expect((await shown(config.id)).connection_url).toBe(body.data.connection_url)
  })
})

describe('another protocol and back', () => {
  const settle = (id: number, protocol: string) =>
    call('PATCH', `/configs/${id}/settings`, { location_id: 2, protocol, server_id: node.serverId })

  test('never brings an old secret back', async () => {
    const config = await buy()
    const before = await told(config.id)
    for (const protocol of ['trojan', 'vless-2410', 'vless']) await settle(config.id, protocol)
    const after = await told(config.id)
    expect(after).toMatchObject({ kind: 'shared', account: { protocol: 'vless' } })
    expectOther(before, after)
  })

  test('of a proxy neither', async () => {
    const config = await buy()
    const path = `/configs/${config.id}/subconfig`
    const proxy = (await call('POST', path, { protocol: 'http' })).body.data
    const before = await told(proxy.id)
    for (const protocol of ['socks5', 'http'])
      expect((await call('PATCH', path, { protocol })).status).toBe(200)
    expectOther(before, await told(proxy.id))
  })

  test('the same protocol with other options keeps them', async () => {
    const config = await buy()
    const { body } = await settle(config.id, 'vless')
    expect(body.data.connection_url).toBe(config.connection_url)
  })
})
