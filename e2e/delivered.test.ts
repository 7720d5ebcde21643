import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { unzip } from '../packages/domain/delivery/formats/testing/unzip.ts'
import {
  amneziawgPath,
  describeWith,
  mihomoPath,
  oldSingBoxPath,
  singBoxPath,
  xrayPath,
} from '../test/support/engines/engines.ts'
import { amneziawg, mihomo, mtg, namespaces, oldSingBox, singBox, xray } from '../test/support/pieces.ts'
import type { TestUser } from '../test/support/service.ts'
import { startAmneziaWg } from './support/lab/clients/amnezia-wg.ts'
import type { Client } from './support/lab/clients/client.ts'
import { type ChoosingClient, runMihomo, runSingBox, runXray } from './support/lab/clients/delivered.ts'
import { Internet, siteNames, sitePort } from './support/lab/internet.ts'
import { type Link, parseLink } from './support/lab/links.ts'
import { addresses, Lab, type Place } from './support/lab/namespaces.ts'
import { type BoughtConfig, type LabServer, Vpn } from './support/lab/vpn.ts'
import { confFromAmneziaLink, parseConf } from './support/lab/wireguard-conf.ts'

interface Offer {
  readonly title: string
  readonly protocol: string
  readonly options?: object
}

const extended = { use_extended_settings: true }
const tls = { ...extended, disable_reality: true }
const offers: readonly Offer[] = [
  { title: 'VLESS', protocol: 'vless' },
  { title: 'VLESS without a name', protocol: 'vless', options: { disable_sni: true } },
  { title: 'VLESS xhttp', protocol: 'vless', options: { ...extended, use_xhttp: true } },
  { title: 'VLESS grpc', protocol: 'vless', options: { ...extended, use_grpc: true } },
  { title: 'VLESS TLS', protocol: 'vless', options: tls },
  { title: 'VLESS TLS without a name', protocol: 'vless', options: { ...tls, disable_sni: true } },
  { title: 'VLESS TLS xhttp', protocol: 'vless', options: { ...tls, use_xhttp: true } },
  { title: 'VLESS TLS grpc', protocol: 'vless', options: { ...tls, use_grpc: true } },
  { title: 'VLESS 2410', protocol: 'vless-2410' },
  { title: 'Trojan', protocol: 'trojan' },
  { title: 'Trojan 2901', protocol: 'trojan-2901' },
  { title: 'Outline', protocol: 'outline' },
  { title: 'Shadowsocks 2022', protocol: 'shadowsocks-2022' },
  { title: 'Hysteria 2', protocol: 'hysteria2' },
  { title: 'WireGuard', protocol: 'wg' },
  { title: 'AmneziaWG', protocol: 'amnezia-wg-2' },
]
const titles = offers.map(({ title }) => title)
const without = (...left: string[]) => titles.filter((title) => !left.includes(title))

const home = 1
const testTimeoutMs = 600_000
const site = { host: addresses.site, port: sitePort }
/** Where apps look names up by default, through the tunnel. */
const publicResolvers = ['1.1.1.1', '8.8.8.8']
const size = { downBytes: 256 * 1024, upBytes: 64 * 1024 }

interface XrayConfig {
  readonly remarks: string
  readonly outbounds: readonly { readonly tag: string }[]
}
interface SingBoxConfig {
  readonly outbounds: readonly { readonly outbounds?: readonly string[] }[]
}
interface ClashConfig {
  readonly 'proxy-groups': readonly { readonly proxies: readonly string[] }[]
}

const secretOf = (link: Link): string => {
  switch (link.protocol) {
    case 'vless':
      return link.uuid
    case 'hysteria2':
      return link.auth
    case 'wireguard':
      return link.privateKey
    default:
      return link.password
  }
}

/** What customers buy, fetched as their apps fetch it, and given to the apps' engines as it came. */
describeWith([namespaces, xray, amneziawg, mtg, singBox, oldSingBox, mihomo], 'delivered files', () => {
  const engines = {
    xray: xrayPath() ?? '',
    singBox: singBoxPath() ?? '',
    oldSingBox: oldSingBoxPath() ?? '',
    mihomo: mihomoPath() ?? '',
    awg: amneziawgPath() ?? '',
  }
  let lab: Lab
  let vpn: Vpn
  let server: LabServer
  let user: TestUser
  let place: Place
  const bought: BoughtConfig[] = []

  const fetched = async (userAgent: string, query = '', key = user.subscription_key): Promise<Buffer> => {
    const url = `${vpn.service.running.url}/sub/${key}${query}`
    const response = await fetch(url, { headers: { 'user-agent': userAgent, accept: '*/*' } })
    expect(response.status).toBe(200)
    return Buffer.from(await response.arrayBuffer())
  }

  const openResolvers = async (): Promise<void> => {
    const internet = lab.place('internet')
    for (const address of publicResolvers) await lab.ip(internet, 'address', 'add', address, 'dev', 'bridge')
    const names = { [siteNames[0]]: addresses.site }
    const resolver = lab.program(internet, 'dns', { addresses: publicResolvers, names, otherwise: null })
    await resolver.until(/listening/)
  }

  const isTunnel = (what: string): boolean => what === 'WireGuard' || what === 'AmneziaWG'
  /** Bytes both ways, a datagram, and a site by its name, which all leave from the server. */
  const carries = async (client: Client, what: string): Promise<void> => {
    const failed = (error: Error) => {
      throw new Error(`${what} in ${client.name}: ${error.message}\n${client.log().slice(-2000)}`)
    }
    // WireGuard repeats a handshake that was lost after five seconds, and mihomo waits for a connection no longer than that.
    // sing-box notes what it asked with after it has asked: an answer that is quicker is refused, and its apps ask again.
    const isTooQuick = () => what === 'Shadowsocks 2022' && client.log().includes('bad request salt')
    const again = (error: Error) => (isTunnel(what) || isTooQuick() ? client.tcp(site, size) : failed(error))
    const tcp = await client.tcp(site, size).catch(again).catch(failed)
    expect([what, tcp.bytes, tcp.peer]).toEqual([what, size.downBytes, addresses.entry])
    const udp = await client.udp?.(site, what).catch(failed)
    expect([udp?.peer, udp?.payload]).toEqual([addresses.entry, what])
    // sing-box looks names up over HTTPS, with a certificate for 1.1.1.1 that nobody has here.
    if (client.name === 'sing-box') return
    const named = await client.tcp({ ...site, host: siteNames[0] }, { downBytes: 1 }).catch(failed)
    expect([what, named.peer]).toEqual([what, addresses.entry])
  }
  /** Takes the client away again, whatever came of it. */
  const used = async <C extends Client>(client: C, work: (client: C) => Promise<void>): Promise<void> => {
    try {
      await work(client)
    } finally {
      await client.close()
    }
  }
  const carriesEach = (client: ChoosingClient, chosen: readonly string[]): Promise<void> =>
    used(client, async () => {
      for (const title of chosen) {
        await client.choose(title)
        await carries(client, title)
      }
    })
  const carriesAll = (client: Client, what: string): Promise<void> =>
    used(client, () => carries(client, what))

  beforeAll(async () => {
    lab = await Lab.open()
    await Internet.open(lab, engines.xray)
    await openResolvers()
    vpn = await Vpn.open(lab)
    server = await vpn.addServer('entry', home)
    user = await vpn.service.createUser({ balance: 1_000_000 })
    place = await lab.addClient()
    for (const { title, protocol, options } of offers) {
      const { id } = await vpn.buy(user, server, protocol, options)
      await vpn.ask(user, 'PATCH', `/configs/title/${id}`, { title })
    }
    bought.push(...(await vpn.ask<BoughtConfig[]>(user, 'GET', '/configs')).sort((a, b) => a.id - b.id))
    await vpn.applied(server)
  })
  afterAll(async () => {
    await vpn?.close()
    await lab?.close()
  })

  test('Xray takes each config of the list', { timeout: testTimeoutMs }, async () => {
    const list = JSON.parse(String(await fetched('Happ/3.4.1', '?format=xray'))) as XrayConfig[]
    expect(list.map(({ remarks }) => remarks)).toEqual(without('AmneziaWG'))
    for (const config of list) {
      await carriesAll(await runXray(lab, engines.xray, place, JSON.stringify(config)), config.remarks)
    }
  })

  test('Xray takes all of them in one config', { timeout: testTimeoutMs }, async () => {
    const config = String(await fetched('v2rayN/7.3.6', '?format=xray&variant=single'))
    await carriesAll(await runXray(lab, engines.xray, place, config), 'all in one')
  })

  test.each([
    ['1.11', 'SFA/1.11.15 (Build 1; sing-box 1.11.15)', engines.oldSingBox],
    ['1.13', 'SFI/1.13.2 (Build 1; sing-box 1.13.2)', engines.singBox],
  ])(
    'sing-box %s takes what it is given',
    { timeout: testTimeoutMs },
    async (_version, userAgent, engine) => {
      const text = String(await fetched(userAgent))
      const [selector] = (JSON.parse(text) as SingBoxConfig).outbounds
      const listed = ['Auto', ...without('AmneziaWG', 'VLESS xhttp', 'VLESS TLS xhttp')]
      expect(selector?.outbounds).toEqual(listed)
      await carriesEach(await runSingBox(lab, engine, text), listed)
    },
  )

  test('mihomo takes what its apps are given', { timeout: testTimeoutMs }, async () => {
    const text = String(await fetched('clash-verge/v2.4.2'))
    const [group] = (parse(text) as ClashConfig)['proxy-groups']
    expect(group?.proxies).toEqual(['Auto', ...titles])
    await carriesEach(await runMihomo(lab, engines.mihomo, text), ['Auto', ...titles])
  })

  test('mihomo takes what apps of the old Clash are given', { timeout: testTimeoutMs }, async () => {
    const text = String(await fetched('ClashX/1.118.0'))
    const [group] = (parse(text) as ClashConfig)['proxy-groups']
    expect(group?.proxies).toEqual(['Auto', 'Outline'])
    await carriesEach(await runMihomo(lab, engines.mihomo, text), ['Auto', 'Outline'])
  })

  test('files of the archive are tunnels of WireGuard and AmneziaWG', {
    timeout: testTimeoutMs,
  }, async () => {
    const files = unzip(await fetched('AmneziaVPN/4.8.10'))
    expect(files.map(({ name }) => name)).toEqual(['WireGuard.conf', 'AmneziaWG.conf'])
    for (const { name, text } of files) {
      await carriesAll(await startAmneziaWg(lab, engines.awg, text), name)
    }
  })

  test("Outline's key leads to a server of Shadowsocks", { timeout: testTimeoutMs }, async () => {
    const {
      server: address,
      server_port: port,
      method,
      password,
    } = JSON.parse(String(await fetched('Outline/1.15.0'))) as {
      server: string
      server_port: number
      method: string
      password: string
    }
    // Outline has no engine that could be had here; Xray speaks its protocol from the same four values.
    const servers = [{ address, port, method, password }]
    const config = {
      inbounds: [{ listen: '127.0.0.1', port: 10_808, protocol: 'socks', settings: { udp: true } }],
      outbounds: [{ protocol: 'shadowsocks', settings: { servers } }],
    }
    await carriesAll(await runXray(lab, engines.xray, place, JSON.stringify(config)), 'Outline')
  })

  test('links say the same as the files', async () => {
    const links = Buffer.from(String(await fetched('Shadowrocket/2.2.62')), 'base64')
      .toString()
      .split('\n')
    expect(links.length).toBe(offers.length)
    const plain = links.slice(0, -1)
    expect(plain.map((link) => decodeURIComponent(new URL(link).hash.slice(1)))).toEqual(without('AmneziaWG'))
    const own = bought.slice(0, -1).map(({ connection_url: link }) => link)
    expect(plain.map(parseLink)).toEqual(own.map(parseLink))
    const list = JSON.parse(String(await fetched('Happ/3.4.1', '?format=xray'))) as XrayConfig[]
    for (const [at, link] of plain.map(parseLink).entries()) {
      const outbound = JSON.stringify(list[at]?.outbounds.find(({ tag }) => tag === 'proxy'))
      for (const said of [link.host, String(link.port), secretOf(link)]) expect(outbound).toContain(said)
    }
    const file = unzip(await fetched('AmneziaVPN/4.8.10')).at(-1)?.text ?? ''
    expect(parseConf(confFromAmneziaLink(links.at(-1) ?? ''))).toEqual(parseConf(file))
  })

  test('Xray takes the template of a subscription that was put together', {
    timeout: testTimeoutMs,
  }, async () => {
    const items = ['Hysteria 2', 'VLESS'].map((title) => ({
      item_type: 'user_config',
      item_reference_id: bought[titles.indexOf(title)]?.id,
    }))
    const path = '/profile/custom-subscriptions'
    const made = await vpn.ask<{ id: number; subscription_key: string }>(user, 'POST', path, {
      title: 'Family',
      items,
    })
    const template = JSON.stringify({
      log: { loglevel: 'warning' },
      inbounds: [{ listen: '127.0.0.1', port: 20_808, protocol: 'socks', settings: { udp: true } }],
      outbounds: [{ tag: 'proxy' }, { tag: 'nowhere', protocol: 'blackhole' }],
      routing: { rules: [{ ip: [addresses.otherSite], outboundTag: 'nowhere' }] },
    })
    await vpn.ask(user, 'PUT', `${path}/${made.id}/xray-template`, { template })
    await vpn.ask(user, 'PATCH', `${path}/${made.id}/xray-template/settings`, { enabled: true })
    const list = JSON.parse(String(await fetched('Happ/3.4.1', '', made.subscription_key))) as XrayConfig[]
    expect(list.map(({ remarks }) => remarks)).toEqual(['Hysteria 2', 'VLESS'])
    for (const config of list) {
      await used(await runXray(lab, engines.xray, place, JSON.stringify(config)), async (client) => {
        await carries(client, config.remarks)
        const shut = client.tcp({ ...site, host: addresses.otherSite }, { downBytes: 1, timeoutMs: 3000 })
        await expect(shut).rejects.toThrow()
      })
    }
  })
})
