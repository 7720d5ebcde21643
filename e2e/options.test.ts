import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeWith, xrayPath } from '../test/support/engines/engines.ts'
import { namespaces, xray } from '../test/support/pieces.ts'
import type { TestUser } from '../test/support/service.ts'
import { until } from './support/agent.ts'
import type { Client } from './support/lab/clients/client.ts'
import { startXray } from './support/lab/clients/xray.ts'
import {
  Internet,
  makeCertificate,
  rebindingName,
  siteNames,
  sitePort,
  tlsPort,
} from './support/lab/internet.ts'
import { addresses, Lab } from './support/lab/namespaces.ts'
import { Traffic } from './support/lab/traffic.ts'
import { type BoughtConfig, type LabServer, Vpn } from './support/lab/vpn.ts'
import { Warp } from './support/lab/warp.ts'

const extended = { use_extended_settings: true }
const site = { host: addresses.site, port: sitePort }
const bittorrent = `\x13BitTorrent protocol${'\0'.repeat(8)}${'i'.repeat(20)}${'p'.repeat(20)}`
const timeout = 300_000

/** What options promise, seen from where it can be seen; and what nobody gets, whatever they write. */
describeWith([namespaces, xray], 'options of personal instances', () => {
  const binary = xrayPath() ?? ''
  const clients: Client[] = []
  let lab: Lab
  let internet: Internet
  let warp: Warp
  let vpn: Vpn
  /** Keeps customers off private networks, as servers do. */
  let guarded: LabServer
  /** In location 18, and with private networks open, so that only the option can close them. */
  let open: LabServer
  let user: TestUser

  const connect = async (link: string): Promise<Client> => {
    const client = await startXray(lab, binary, link)
    clients.push(client)
    return client
  }
  const buy = async (server: LabServer, options: object): Promise<BoughtConfig> => {
    const bought = await vpn.buy(user, server, 'vless', { ...extended, ...options })
    await vpn.applied(server)
    return bought
  }
  const clientWith = async (server: LabServer, options: object): Promise<Client> =>
    connect((await buy(server, options)).connection_url)
  const peerOf = async (client: Client, host: string): Promise<string> =>
    (await client.tcp({ host, port: sitePort }, { downBytes: 1000 })).peer
  const isReached = (client: Client, host: string, port = sitePort): Promise<boolean> =>
    client.tcp({ host, port }, { downBytes: 1, timeoutMs: 3000 }).then(
      () => true,
      () => false,
    )

  beforeAll(async () => {
    lab = await Lab.open()
    internet = await Internet.open(lab, binary)
    warp = await Warp.open(lab, binary)
    vpn = await Vpn.open(lab, { WARP_URL: warp.url })
    guarded = await vpn.addServer('entry', 1)
    open = await vpn.addServer('exit', 18, { env: { SALLYPORT_ALLOW_PRIVATE_TARGETS: 'true' } })
    user = await vpn.service.createUser({ balance: 1_000_000 })
  })
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()))
  })
  afterAll(async () => {
    await vpn?.close()
    await warp?.close()
    await lab?.close()
  })

  test('block_bittorrent stops a handshake and nothing else', { timeout }, async () => {
    const [without, withOption] = [
      await clientWith(guarded, {}),
      await clientWith(guarded, { block_bittorrent: true }),
    ]
    expect(await without.raw?.(site, bittorrent)).toBeGreaterThan(0)
    expect(await withOption.raw?.(site, bittorrent)).toBe(0)
    expect(await peerOf(withOption, addresses.site)).toBe(addresses.entry)
  })

  test('block_local_network closes what the server itself leaves open', { timeout }, async () => {
    const neighbour = createServer((socket) => socket.end('hello'))
    neighbour.listen(0, lab.managementAddress('exit'))
    await once(neighbour, 'listening')
    const { port } = neighbour.address() as { port: number }
    const target = { host: lab.managementAddress('exit'), port }
    try {
      const [without, withOption] = [
        await clientWith(open, {}),
        await clientWith(open, { block_local_network: true }),
      ]
      expect(await without.raw?.(target, 'x')).toBeGreaterThan(0)
      expect(await withOption.raw?.(target, 'x')).toBe(0)
      expect(await peerOf(withOption, addresses.site)).toBe(addresses.exit)
    } finally {
      neighbour.close()
    }
  })

  test('enable_family_filter asks the family resolver, whomever the customer asks', { timeout }, async () => {
    const family: readonly string[] = addresses.familyResolvers
    const askedFamily = (name: string) =>
      internet.questions.some((question) => question.name === name && family.includes(question.resolver))
    const without = await clientWith(guarded, {})
    expect(await peerOf(without, 'plain.example')).toBe(addresses.entry)
    expect(await without.resolve?.(addresses.resolver, 'plain-question.example')).toBe(addresses.site)
    expect(askedFamily('plain.example') || askedFamily('plain-question.example')).toBe(false)
    const filtered = await clientWith(guarded, { enable_family_filter: true })
    expect(await peerOf(filtered, 'family.example')).toBe(addresses.entry)
    expect(askedFamily('family.example')).toBe(true)
    expect(await filtered.resolve?.(addresses.resolver, 'question.example')).toBe(addresses.site)
    expect(askedFamily('question.example')).toBe(true)
    const asked = internet.questions.filter((question) => question.name === 'question.example')
    expect(asked.every((question) => family.includes(question.resolver))).toBe(true)
  })

  test('location 18: its own names leave directly, the rest by WARP, and all of it if so wished', {
    timeout,
  }, async () => {
    const usual = await buy(open, { use_warp: true })
    const all = await buy(open, { use_warp: true, pass_all_traffic_through_vpn: true })
    await until('WARP to know both accounts', async () => {
      const listed = await vpn.ask<BoughtConfig[]>(user, 'GET', '/configs')
      const knows = ({ xray_config: config = '' }: BoughtConfig) => config.includes(warp.keys.publicKey)
      return listed.filter(knows).length === 2
    })
    await vpn.applied(open)
    const [byDefault, everything] = [await connect(usual.connection_url), await connect(all.connection_url)]
    expect(await peerOf(byDefault, 'www.home.ru')).toBe(addresses.exit)
    expect(await peerOf(byDefault, addresses.site)).toBe(addresses.warp)
    expect(await peerOf(everything, 'www.home.ru')).toBe(addresses.warp)
  })

  test('an edited instance runs as edited, and still reaches nothing it should not', {
    timeout,
  }, async () => {
    const bought = await buy(guarded, {})
    const json = JSON.parse(bought.xray_config ?? '')
    json.routing.rules.push({ ip: ['10.0.0.0/8', '127.0.0.0/8'], outboundTag: 'direct' })
    json.routing.rules.push({ domain: ['full:www.blocked.example'], outboundTag: 'block' })
    json.inbounds[0].settings.clients = [
      { id: '11111111-2222-4333-8444-555555555555', flow: 'xtls-rprx-vision' },
    ]
    const edited = await vpn.ask<BoughtConfig>(user, 'PATCH', `/configs/${bought.id}/XrayConfig`, {
      xray_config: JSON.stringify(json),
    })
    await vpn.applied(guarded)
    const [before, after] = [await connect(bought.connection_url), await connect(edited.connection_url)]
    expect(await isReached(before, addresses.site)).toBe(false)
    expect(await peerOf(after, addresses.site)).toBe(addresses.entry)
    expect(await isReached(after, 'www.blocked.example')).toBe(false)
    for (const host of [addresses.home, addresses.entryAtHome, '127.0.0.1', 'localhost', rebindingName]) {
      expect(await isReached(after, host), host).toBe(false)
    }
    for (const port of await loopbackPorts(lab)) {
      expect(
        await after.raw?.({ host: '127.0.0.1', port }, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
        `port ${port}`,
      ).toBe(0)
    }
  })

  test('a key in standard Base64 is read, kept as Xray reads it, and stands in the link', {
    timeout,
  }, async () => {
    const bought = await buy(guarded, {})
    const { d = '', x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
    const [privateKey, publicKey] = [d, x].map((key) => Buffer.from(key, 'base64url').toString('base64'))
    const json = JSON.parse(bought.xray_config ?? '')
    json.inbounds[0].streamSettings.realitySettings.privateKey = privateKey
    const edited = await vpn.ask<BoughtConfig>(user, 'PATCH', `/configs/${bought.id}/XrayConfig`, {
      xray_config: JSON.stringify(json),
      public_key: publicKey,
    })
    expect(edited.xray_config).toContain(`"privateKey": "${d}"`)
    expect(new URL(edited.connection_url).searchParams.get('pbk')).toBe(x)
    await vpn.applied(guarded)
    expect(await peerOf(await connect(edited.connection_url), addresses.site)).toBe(addresses.entry)
  })

  test('a borrowed site with a private address is not visited for strangers', { timeout }, async () => {
    const bought = await buy(guarded, {})
    const borrow = (name: string) => {
      const json = JSON.parse(bought.xray_config ?? '')
      Object.assign(json.inbounds[0].streamSettings.realitySettings, {
        target: `${name}:${tlsPort}`,
        serverNames: [name],
      })
      const body = { xray_config: JSON.stringify(json) }
      return vpn.service.customer(user, 'PATCH', `/configs/${bought.id}/XrayConfig`, body)
    }
    const secret = await makeCertificate(lab, binary, [rebindingName])
    const hidden = { addresses: ['0.0.0.0'], port: 8443, tls: { port: tlsPort, ...secret } }
    const canary = lab.program(lab.place('home'), 'site', hidden)
    await canary.until(/listening/)
    const stranger = new Traffic(lab, lab.place('client'))
    const fromServer = new Traffic(lab, lab.place('entry'))
    const seen = await fromServer.certificate({ host: addresses.home, port: tlsPort }, rebindingName)
    expect(seen.name).toBe(rebindingName)
    const refused = await borrow(rebindingName)
    expect(refused.body).toMatchObject({
      statusCode: 400,
      details: [{ path: 'xray_config', problem: expect.stringContaining('not public') }],
    })
    const edited = await borrow(siteNames[0])
    expect(edited.status).toBe(200)
    // By the name in what the customer sees, by an address in what runs.
    expect(edited.body.data.xray_config).toContain(`"target": "${siteNames[0]}:${tlsPort}"`)
    expect(new URL(edited.body.data.connection_url).searchParams.get('sni')).toBe(siteNames[0])
    await vpn.applied(guarded)
    const place = { host: addresses.entry, port: Number(new URL(edited.body.data.connection_url).port) }
    expect((await stranger.certificate(place, siteNames[0])).name).toBe(siteNames[0])
    await expect(stranger.certificate(place, rebindingName)).resolves.not.toMatchObject({
      name: rebindingName,
    })
    await canary.stop()
  })
})

/** Everything that listens on the server's loopback, the engines' control ports among it. */
const loopbackPorts = async (lab: Lab): Promise<number[]> => {
  const listing = await lab.run(lab.place('entry'), 'ss', ['-Htln', 'src', '127.0.0.1']).answer()
  const ports = [...listing.matchAll(/127\.0\.0\.1:(\d+)/g)].map((match) => Number(match[1]))
  expect(ports.length).toBeGreaterThan(1)
  return ports
}
