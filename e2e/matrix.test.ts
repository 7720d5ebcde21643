import { afterAll, beforeAll, expect, test } from 'vitest'
import { amneziawgPath, describeWith, singBoxPath, xrayPath } from '../test/support/engines/engines.ts'
import { amneziawg, mtg, namespaces, singBox, xray } from '../test/support/pieces.ts'
import type { TestUser } from '../test/support/service.ts'
import { until } from './support/agent.ts'
import { startAmneziaWg } from './support/lab/clients/amnezia-wg.ts'
import type { Client } from './support/lab/clients/client.ts'
import { copyWithCurl, startCurl } from './support/lab/clients/curl.ts'
import { startMtproto, startTelegram } from './support/lab/clients/mtproto.ts'
import { startSingBox } from './support/lab/clients/sing-box.ts'
import { speaksSingBox } from './support/lab/clients/sing-box-outbound.ts'
import { startXray } from './support/lab/clients/xray.ts'
import { Internet, sitePort } from './support/lab/internet.ts'
import { parseLink } from './support/lab/links.ts'
import { formatMatrix, isGood, type MatrixRow, probe } from './support/lab/matrix.ts'
import { addresses, Lab } from './support/lab/namespaces.ts'
import { megabitsPerSecond, Traffic } from './support/lab/traffic.ts'
import { type BoughtConfig, type LabServer, Vpn } from './support/lab/vpn.ts'
import { Warp } from './support/lab/warp.ts'

interface Offer {
  readonly protocol: string
  /** What is bought, when the protocol is that of a proxy beside it. */
  readonly besides?: string
  readonly options?: readonly string[]
  readonly leavesFrom?: string
}

const extended = 'use_extended_settings'
const variants: readonly (readonly string[])[] = [
  [],
  ['disable_flow_reality'],
  ['disable_sni'],
  [extended],
  [extended, 'use_xhttp'],
  [extended, 'use_grpc'],
  [extended, 'disable_reality'],
  [extended, 'disable_flow_reality'],
  [extended, 'change_sni'],
  [extended, 'disable_sni'],
  [extended, 'disable_reality', 'disable_sni'],
  [extended, 'disable_reality', 'use_xhttp'],
  [extended, 'disable_reality', 'use_grpc'],
]
const linkOffers: readonly Offer[] = [
  ...variants.map((options) => ({ protocol: 'vless', options })),
  { protocol: 'vless', options: [extended, 'use_warp'], leavesFrom: addresses.warp },
  { protocol: 'vless-2410' },
  { protocol: 'vless-2410', options: [extended, 'use_xhttp'] },
  { protocol: 'trojan' },
  { protocol: 'trojan-2901' },
  { protocol: 'outline' },
  { protocol: 'shadowsocks-2022' },
  { protocol: 'hysteria2' },
  { protocol: 'wg' },
]

const usualBytes = 32 * 1024 * 1024
/** Through Xray's own WireGuard, which runs in user space. */
const slowBytes = 4 * 1024 * 1024
/** mtg imitates the pace of a web site and is slow on purpose. */
const telegramBytes = 2 * 1024 * 1024
const home = 1
const rowTimeoutMs = 600_000

const variantOf = ({ options = [] }: Offer): string =>
  options.map((name) => (name === extended ? 'extended' : name)).join('+') || 'usual'

/** Everything that is sold, in real clients that know nothing but what the service answered. */
describeWith([namespaces, xray, amneziawg, mtg, singBox], 'the matrix of protocols and clients', () => {
  const engines = { xray: xrayPath() ?? '', singBox: singBoxPath() ?? '', awg: amneziawgPath() ?? '' }
  const rows: MatrixRow[] = []
  const plain = { node: 0, curl: 0 }
  let lab: Lab
  let warp: Warp
  let vpn: Vpn
  let server: LabServer
  let user: TestUser

  const found = async (id: number): Promise<BoughtConfig> => {
    const listed = await vpn.ask<BoughtConfig[]>(user, 'GET', '/configs')
    const config = listed.find((row) => row.id === id)
    if (!config) throw new Error(`Configuration ${id} is not listed`)
    return config
  }
  /** WARP learns of a node a moment after the purchase. */
  const registered = (id: number): Promise<void> =>
    until('WARP to know the node', async () => {
      const { xray_config: config = '' } = await found(id)
      return config.includes(warp.keys.publicKey)
    })
  const buy = async ({ protocol, besides, options = [] }: Offer): Promise<BoughtConfig> => {
    const chosen = Object.fromEntries(options.map((name) => [name, true]))
    const bought = await vpn.buy(user, server, besides ?? protocol, chosen)
    if (options.includes('use_warp')) await registered(bought.id)
    await vpn.applied(server)
    return found(bought.id)
  }
  const noteFailure = (offer: Offer, client: string, error: unknown): void => {
    const tcp = error instanceof Error ? error.message : String(error)
    const none = { udp: 'none', isolation: 'none', megabitsPerSecond: null, ratioToPlain: null }
    rows.push({ protocol: offer.protocol, variant: variantOf(offer), client, tcp, ...none })
  }
  /** Runs one client, notes what came of it, and takes it away again. */
  const note = async (offer: Offer, name: string, start: () => Promise<Client>): Promise<void> => {
    const { protocol, leavesFrom = addresses.entry } = offer
    const client = await start().catch((error) => noteFailure(offer, name, error))
    if (!client) return
    const isSlow = protocol === 'wg' || leavesFrom === addresses.warp
    const fullBytes = isSlow ? slowBytes : usualBytes
    const downBytes = client.goesAnywhere ? fullBytes : telegramBytes
    const plainMegabitsPerSecond = client.name === 'curl' ? plain.curl : plain.node
    const about = { protocol, variant: variantOf(offer), client, leavesFrom, downBytes }
    const row = { ...(await probe({ ...about, plainMegabitsPerSecond })), client: name }
    rows.push(row)
    if (!isGood(row)) console.log(`${protocol} ${about.variant} ${name} says:\n${client.log().slice(-2000)}`)
    await client.close()
  }
  /** Buys something and tries it; fails when any of its rows is bad. */
  const trial = async (offer: Offer, work: (bought: BoughtConfig) => Promise<void>): Promise<void> => {
    const from = rows.length
    try {
      await work(await buy(offer))
    } catch (error) {
      noteFailure(offer, 'service', error)
    }
    expect(rows.length).toBeGreaterThan(from)
    expect(rows.slice(from).filter((row) => !isGood(row))).toEqual([])
  }

  beforeAll(async () => {
    lab = await Lab.open()
    await Internet.open(lab, engines.xray)
    await startTelegram(lab)
    warp = await Warp.open(lab, engines.xray)
    vpn = await Vpn.open(lab, { WARP_URL: warp.url })
    server = await vpn.addServer('entry', home)
    user = await vpn.service.createUser({ balance: 1_000_000 })
    const target = { host: addresses.site, port: sitePort }
    const size = { downBytes: usualBytes }
    plain.node = megabitsPerSecond(await new Traffic(lab, lab.place('client')).tcp(target, size))
    plain.curl = megabitsPerSecond(await copyWithCurl(lab, target, size))
  })
  afterAll(async () => {
    console.log(formatMatrix(rows))
    await vpn?.close()
    await warp?.close()
    await lab?.close()
  })

  test('what must not be reached is there to be reached', async () => {
    const inside = new Traffic(lab, lab.place('entry'))
    for (const host of [addresses.home, addresses.entryAtHome, '127.0.0.1']) {
      expect(await inside.tcp({ host, port: sitePort }, { downBytes: 1 })).toMatchObject({ bytes: 1 })
    }
  })

  test.each(linkOffers.map((offer) => [offer.protocol, variantOf(offer), offer] as const))(
    '%s %s in Xray, and in sing-box where it knows the transport',
    { timeout: rowTimeoutMs },
    (_, __, offer) =>
      trial(offer, async ({ connection_url: link }) => {
        await note(offer, 'xray', () => startXray(lab, engines.xray, link))
        if (!speaksSingBox(parseLink(link))) return
        await note(offer, 'sing-box', () => startSingBox(lab, engines.singBox, link))
      }),
  )

  test('WireGuard by its configuration file', { timeout: rowTimeoutMs }, () => {
    const offer = { protocol: 'wg' }
    return trial(offer, ({ awg_config: file = '' }) =>
      note(offer, 'wireguard .conf', () => startAmneziaWg(lab, engines.awg, file)),
    )
  })

  test('AmneziaWG by its configuration file and by its link', { timeout: rowTimeoutMs }, () => {
    const offer = { protocol: 'amnezia-wg-2' }
    return trial(offer, async ({ awg_config: file = '', connection_url: link }) => {
      await note(offer, 'amneziawg .conf', () => startAmneziaWg(lab, engines.awg, file))
      await note(offer, 'amneziawg vpn://', () => startAmneziaWg(lab, engines.awg, link))
    })
  })

  test('AmneziaWG with other parameters and another port', { timeout: rowTimeoutMs }, () => {
    const offer = { protocol: 'amnezia-wg-2', options: ['tuned'] }
    return trial({ protocol: 'amnezia-wg-2' }, async ({ id, awg_config: before = '' }) => {
      const tuned = await vpn.ask<BoughtConfig>(user, 'PATCH', `/configs/${id}/awgConfig`, {
        ...{ port: 45_000, jc: 128, jmin: 1, jmax: 1280, s1: 1132, s2: 1187, s3: 0, s4: 864 },
        ...{ h1: 4_294_967_295, h2: 1, h3: 77, h4: 2 },
      })
      await vpn.applied(server)
      await note(offer, 'amneziawg .conf', () => startAmneziaWg(lab, engines.awg, tuned.awg_config ?? ''))
      const stale = await startAmneziaWg(lab, engines.awg, before)
      const size = { downBytes: 1, timeoutMs: 5000 }
      await expect(stale.tcp({ host: addresses.site, port: sitePort }, size)).rejects.toThrow()
      await stale.close()
    })
  })

  test.each([
    ['http', 'curl', startCurl],
    ['socks5', 'curl', startCurl],
    ['mtproto', 'telegram', startMtproto],
  ] as const)('the proxy %s', { timeout: rowTimeoutMs }, (protocol, name, start) => {
    const offer = { protocol, besides: 'vless' }
    return trial(offer, async ({ id }) => {
      const proxy = await vpn.ask<BoughtConfig>(user, 'POST', `/configs/${id}/subconfig`, { protocol })
      await vpn.applied(server)
      await note(offer, name, () => start(lab, proxy.connection_url))
    })
  })
})
