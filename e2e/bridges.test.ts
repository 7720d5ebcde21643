import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { amneziawgPath, describeWith, xrayPath } from '../test/support/engines/engines.ts'
import { amneziawg, namespaces, xray } from '../test/support/pieces.ts'
import type { TestUser } from '../test/support/service.ts'
import type { Client } from './support/lab/clients/client.ts'
import { startXray } from './support/lab/clients/xray.ts'
import { Internet, sitePort } from './support/lab/internet.ts'
import { addresses, Lab } from './support/lab/namespaces.ts'
import { type BoughtConfig, type LabServer, Vpn } from './support/lab/vpn.ts'

const timeout = 300_000
const site = { host: addresses.site, port: sitePort }

/** Entry and exit are two servers; the site tells from which of them traffic came. */
describeWith([namespaces, xray, amneziawg], 'bridges', () => {
  const binary = xrayPath() ?? ''
  const clients: Client[] = []
  let lab: Lab
  let vpn: Vpn
  let entry: LabServer
  let exit: LabServer
  let user: TestUser

  const connect = async ({ connection_url: link }: BoughtConfig): Promise<Client> => {
    const client = await startXray(lab, binary, link)
    clients.push(client)
    return client
  }
  const applied = () => Promise.all([vpn.applied(entry), vpn.applied(exit)])
  const bridge = async (first: BoughtConfig, second: BoughtConfig): Promise<void> => {
    const body = { first_config_id: first.id, second_config_id: second.id }
    await vpn.ask(user, 'POST', '/configs/makeBridge', body)
    await applied()
  }
  const settle = async (config: BoughtConfig, server: LabServer, body: object): Promise<void> => {
    const { locationId: location_id, serverId: server_id } = server
    await vpn.ask(user, 'PATCH', `/configs/${config.id}/settings`, { location_id, server_id, ...body })
    await applied()
  }
  const peers = async (client: Client): Promise<(string | undefined)[]> => [
    (await client.tcp(site, { downBytes: 500_000, upBytes: 100_000 })).peer,
    (await client.udp?.(site, 'hello'))?.peer,
  ]
  const fromEntry = [addresses.entry, addresses.entry]
  const fromExit = [addresses.exit, addresses.exit]

  beforeAll(async () => {
    expect(amneziawgPath()).not.toBeNull()
    lab = await Lab.open()
    await Internet.open(lab, binary)
    vpn = await Vpn.open(lab)
    entry = await vpn.addServer('entry', 1)
    exit = await vpn.addServer('exit', 2)
    user = await vpn.service.createUser({ balance: 1_000_000 })
  })
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()))
  })
  afterAll(async () => {
    await vpn?.close()
    await lab?.close()
  })

  test.each([
    'vless',
    'vless-2410',
    'trojan',
    'trojan-2901',
    'outline',
    'shadowsocks-2022',
    'hysteria2',
    'wg',
  ])('vless goes on through %s and leaves from the exit', { timeout }, async (protocol) => {
    const first = await vpn.buy(user, entry, 'vless')
    const neighbour = await vpn.buy(user, entry, 'vless')
    const second = await vpn.buy(user, exit, protocol)
    await bridge(first, second)
    expect(await peers(await connect(first))).toEqual(fromExit)
    expect(await peers(await connect(neighbour))).toEqual(fromEntry)
  })

  test.each([
    ['trojan', {}],
    ['hysteria2', {}],
    ['shadowsocks-2022', {}],
    ['vless', { use_extended_settings: true, block_bittorrent: true }],
    ['vless-2410', { use_extended_settings: true, use_grpc: true }],
  ])('%s %j begins a bridge', { timeout }, async (protocol, options) => {
    const first = await vpn.buy(user, entry, protocol, options)
    await bridge(first, await vpn.buy(user, exit, 'vless'))
    expect(await peers(await connect(first))).toEqual(fromExit)
  })

  test('a bridge follows its exit, ends with it, and can be taken away', { timeout }, async () => {
    const first = await vpn.buy(user, entry, 'vless')
    const second = await vpn.buy(user, exit, 'vless')
    await bridge(first, second)
    const client = await connect(first)
    expect(await peers(client)).toEqual(fromExit)
    await settle(second, exit, { protocol: 'trojan' })
    expect(await peers(client)).toEqual(fromExit)
    await settle(second, exit, { protocol: 'amnezia-wg-2' })
    expect(await peers(client)).toEqual(fromEntry)
    const notices = await vpn.ask<{ content: string }[]>(user, 'GET', '/profile/notifications')
    expect(notices.map(({ content }) => content)).toEqual([expect.stringContaining('Мост снят')])
    await settle(second, exit, { protocol: 'outline' })
    await bridge(first, second)
    expect(await peers(client)).toEqual(fromExit)
    await vpn.ask(user, 'POST', `/configs/${first.id}/resetXrayConfig`)
    await applied()
    expect(await peers(client)).toEqual(fromEntry)
  })

  test('two bridges in a row', { timeout }, async () => {
    const [first, second, third] = [
      await vpn.buy(user, exit, 'vless'),
      await vpn.buy(user, entry, 'trojan'),
      await vpn.buy(user, exit, 'outline'),
    ]
    await bridge(first, second)
    expect(await peers(await connect(first))).toEqual(fromEntry)
    await bridge(second, third)
    expect(await peers(await connect(first))).toEqual(fromExit)
  })
})
