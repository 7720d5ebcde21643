import { type Protocol, protocols } from '@sallyport/contract/shapes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const buy = (user: TestUser, body: object) => service.buy(user, body)
const customer = () => service.createUser({ balance: 100_000 })

/** How the link of each protocol begins and what it must say. */
const links: Record<Protocol, RegExp> = {
  vless:
    /^vless:\/\/[0-9a-f-]{36}@127\.0\.0\.1:\d+\?.*flow=xtls-rprx-vision.*security=reality.*sni=www\.microsoft\.com/,
  'vless-2410': /^vless:\/\/.*security=reality.*sni=nl\d\.sallyport\.example/,
  trojan: /^trojan:\/\/[0-9a-f]{32}@.*security=tls.*sni=nl\d\.sallyport\.example/,
  'trojan-2901': /^trojan:\/\/.*security=reality.*sni=www\.microsoft\.com/,
  outline: /^ss:\/\/[A-Za-z0-9_-]+@127\.0\.0\.1:\d+\/\?outline=1#/,
  'shadowsocks-2022': /^ss:\/\/2022-blake3-aes-256-gcm:[^@]+@127\.0\.0\.1:\d+/,
  hysteria2:
    /^hysteria2:\/\/[0-9a-f]{32}@127\.0\.0\.1:\d+\/\?.*obfs=salamander.*sni=nl\d\.sallyport\.example/,
  wg: /^wireguard:\/\/.*publickey=.*address=100\.64\./,
  'amnezia-wg-2': /^vpn:\/\/[A-Za-z0-9_-]+$/,
}

describe('every protocol', () => {
  test.each(protocols)('%s is sold, shown and delivered', async (protocol) => {
    const user = await customer()
    const bought = await buy(user, { protocol })
    expect(bought.connection_url).toMatch(links[protocol])
    expect(bought).not.toHaveProperty('xray_config')
    const isWireguard = protocol === 'wg' || protocol === 'amnezia-wg-2'
    expect('awg_config' in bought).toBe(isWireguard)
    const [listed] = (await service.customer(user, 'GET', '/configs')).body.data
    expect(listed).toEqual(bought)
    const { body } = await service.call('GET', `/sub/${user.subscription_key}`)
    expect(Buffer.from(body, 'base64').toString()).toBe(bought.connection_url)
    const ask = `/configs/available-servers?location_id=1&protocol=${protocol}`
    expect((await service.customer(user, 'GET', ask)).body.data).toHaveLength(2)
  })

  test('two customers share nothing but the server', async () => {
    const [one, other] = [await customer(), await customer()]
    for (const protocol of protocols) {
      const [first, second] = [await buy(one, { protocol }), await buy(other, { protocol })]
      expect(first.connection_url, protocol).not.toBe(second.connection_url)
    }
  })

  test('the number of an AmneziaWG interface and its port belong to one configuration', async () => {
    const user = await customer()
    const confs: string[] = []
    for (let n = 0; n < 5; n++) confs.push((await buy(user, { protocol: 'amnezia-wg-2' })).awg_config)
    const endpoints = confs.map((conf) => /^Endpoint = (.+)$/m.exec(conf)?.[1])
    const addresses = confs.map((conf) => /^Address = (.+)$/m.exec(conf)?.[1])
    expect(new Set(endpoints).size).toBe(5)
    expect(new Set(addresses).size).toBe(5)
    expect(confs[0]).toMatch(/^Jc = \d+$/m)
    expect(confs[0]).toMatch(/^H4 = \d+$/m)
  })
})

const extended = { protocol: 'vless', use_extended_settings: true }

describe('extended settings', () => {
  const instanceOf = async (options: object) => {
    const bought = await buy(await customer(), { ...extended, ...options })
    return { link: bought.connection_url as string, json: JSON.parse(bought.xray_config), bought }
  }

  test('a personal instance has a port and keys of its own', async () => {
    const { link, json, bought } = await instanceOf({})
    expect(bought.is_extended_settings_enabled).toBe(true)
    const [inbound] = json.inbounds
    expect(inbound.port).toBe(Number(new URL(link).port))
    expect(inbound.port).toBeGreaterThanOrEqual(10_000)
    expect(inbound.settings.clients[0]).toEqual({ id: new URL(link).username, flow: 'xtls-rprx-vision' })
    const shared = await buy(await customer(), { protocol: 'vless' })
    const keyOf = (text: string) => new URL(text).searchParams.get('pbk')
    expect(keyOf(link)).not.toBe(keyOf(shared.connection_url))
  })

  test.each([
    ['use_xhttp', /type=xhttp/, (json: Json) => json.inbounds[0].streamSettings.xhttpSettings],
    ['use_grpc', /type=grpc/, (json: Json) => json.inbounds[0].streamSettings.grpcSettings],
    ['disable_reality', /security=tls/, (json: Json) => json.inbounds[0].streamSettings.tlsSettings],
    ['change_sni', /sni=www\.cloudflare\.com/, (json: Json) => json.inbounds[0].streamSettings],
    ['disable_sni', /fp=qq/, (json: Json) => json.inbounds[0].streamSettings],
    ['disable_flow_reality', /^(?!.*flow=)/, (json: Json) => json.inbounds[0]],
    ['use_warp', /^vless/, (json: Json) => json.outbounds.find((row: Json) => row.tag === 'warp')],
    ['block_bittorrent', /^vless/, (json: Json) => ruleWith(json, 'protocol')],
    ['block_local_network', /^vless/, (json: Json) => ruleWith(json, 'ip')],
    ['enable_family_filter', /^vless/, (json: Json) => json.dns],
  ])('%s shows in the link and in the JSON', async (option, link, part) => {
    const plain = await instanceOf({})
    const chosen = await instanceOf({ [option]: true })
    expect(chosen.link).toMatch(link)
    expect(part(chosen.json)).toBeTruthy()
    expect(part(chosen.json)).not.toEqual(part(plain.json))
  })

  test('location 18 sends its own addresses out directly, unless all traffic is to pass', async () => {
    const usual = await instanceOf({ location_id: 18, use_warp: true })
    const all = await instanceOf({ location_id: 18, use_warp: true, pass_all_traffic_through_vpn: true })
    const direct = (json: Json) => json.routing.rules.filter((rule: Json) => rule.outboundTag === 'direct')
    expect(direct(usual.json)).toHaveLength(2)
    expect(direct(all.json)).toEqual([])
  })

  test('no secret of the server is shown to customers', async () => {
    const { bought } = await instanceOf({ disable_reality: true })
    expect(bought.xray_config).not.toContain('PRIVATE KEY')
    expect(JSON.parse(bought.xray_config).inbounds[0].streamSettings.tlsSettings).not.toHaveProperty(
      'certificates',
    )
  })
})

// biome-ignore lint/suspicious/noExplicitAny: the tests look into JSON of every shape.
type Json = any

const ruleWith = (json: Json, matcher: string) =>
  json.routing.rules.find((rule: Json) => rule[matcher] !== undefined)

describe('WARP', () => {
  test('each configuration has an account of its own, and keeps it when it moves', async () => {
    const user = await customer()
    const [first, second] = [
      await buy(user, { ...extended, use_warp: true }),
      await buy(user, { ...extended, use_warp: true }),
    ]
    const warpOf = (config: Json) =>
      JSON.parse(config.xray_config).outbounds.find((row: Json) => row.tag === 'warp').settings
    expect(warpOf(first).secretKey).toMatch(/^[A-Za-z0-9+/]{43}=$/)
    expect(warpOf(first).secretKey).not.toBe(warpOf(second).secretKey)
    const row = await service.db
      .selectFrom('warp_accounts')
      .select('private_key_sealed')
      .where('access_id', '=', first.id)
      .executeTakeFirstOrThrow()
    expect(Buffer.from(row.private_key_sealed).toString('latin1')).not.toContain(warpOf(first).secretKey)
    const moved = await service.customer(user, 'PATCH', `/configs/${first.id}/settings`, {
      location_id: 2,
      ...extended,
      use_warp: true,
    })
    expect(warpOf(moved.body.data)).toEqual(warpOf(first))
  })
})
