import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { amneziawgPath, describeWith, xrayPath } from '../test/support/engines/engines.ts'
import { amneziawg, mtg, namespaces, xray } from '../test/support/pieces.ts'
import type { TestUser } from '../test/support/service.ts'
import { until } from './support/agent.ts'
import { startAmneziaWg } from './support/lab/clients/amnezia-wg.ts'
import type { Client, SteadyClient } from './support/lab/clients/client.ts'
import { startCurl } from './support/lab/clients/curl.ts'
import { startMtproto, startTelegram } from './support/lab/clients/mtproto.ts'
import { startXray } from './support/lab/clients/xray.ts'
import { Internet, sitePort } from './support/lab/internet.ts'
import { addresses, Lab } from './support/lab/namespaces.ts'
import type { Steady } from './support/lab/steady.ts'
import { type BoughtConfig, type LabServer, Vpn } from './support/lab/vpn.ts'

const timeout = 300_000
const site = { host: addresses.site, port: sitePort }
/** More than a machine sends to itself while a test goes on. */
const endless = 10_000_000_000_000

const small = { downBytes: 1000, timeoutMs: 5000 }
const calm = { bytes: 10_000, everyMs: 200 }
const silentMs = 5000
const aMinuteMs = 60_000
const extended = { use_extended_settings: true }

const reaches = (client: Client): Promise<boolean> =>
  client.tcp(site, small).then(
    () => true,
    () => false,
  )

/** Real clients with what the service gave out, before and after it gave out something else. */
describeWith([namespaces, xray, amneziawg, mtg], 'new credentials', () => {
  const engines = { xray: xrayPath() ?? '', awg: amneziawgPath() ?? '' }
  const clients: Client[] = []
  let lab: Lab
  let vpn: Vpn
  let entry: LabServer
  let exit: LabServer
  let user: TestUser

  const connect = async ({ connection_url: link, awg_config: file }: BoughtConfig): Promise<SteadyClient> => {
    const isAmnezia = link.startsWith('vpn:')
    const client = isAmnezia
      ? await startAmneziaWg(lab, engines.awg, file ?? '')
      : await startXray(lab, engines.xray, link)
    clients.push(client)
    return client
  }
  const reset = (id: number): Promise<BoughtConfig> =>
    vpn.ask<BoughtConfig>(user, 'POST', `/configs/${id}/resetCredentials`)
  const opened = async (client: SteadyClient): Promise<Steady> => {
    const steady = client.steady(site, calm)
    await until('the connection to carry something', () => steady.bytes >= 5 * calm.bytes)
    return steady
  }
  const isReached = (what: BoughtConfig): Promise<boolean> => connect(what).then(reaches)
  const untilReached = (what: BoughtConfig): Promise<void> =>
    until('the new credentials to be taken', () => isReached(what))

  beforeAll(async () => {
    lab = await Lab.open()
    await Internet.open(lab, engines.xray)
    await startTelegram(lab)
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
    ['vless', {}],
    ['vless-2410', {}],
    ['trojan', {}],
    ['trojan-2901', {}],
    ['outline', {}],
    ['shadowsocks-2022', {}],
    ['hysteria2', {}],
    ['wg', {}],
    ['vless', extended],
    ['amnezia-wg-2', {}],
  ])(
    '%s %j: what is open ends within a minute, the old is refused, the new is taken',
    {
      timeout,
    },
    async (protocol, options) => {
      const before = await vpn.buy(user, entry, protocol, options)
      const neighbour = await vpn.buy(user, entry, protocol, options)
      await vpn.applied(entry)
      const [old, other] = [await connect(before), await connect(neighbour)]
      const [ending, kept] = [await opened(old), await opened(other)]
      const resetAtMs = Date.now()
      const after = { ...before, ...(await reset(before.id)) }
      await until('the open connection to end', () => ending.isOver(silentMs))
      expect(ending.lastAtMs - resetAtMs).toBeLessThan(aMinuteMs)
      await vpn.applied(entry)
      expect(await reaches(old)).toBe(false)
      expect(await isReached(before)).toBe(false)
      await untilReached(after)
      const carried = kept.bytes
      await until("the neighbour's to go on", () => kept.bytes > carried)
      await Promise.all([ending.stop(), kept.stop()])
    },
  )

  test.each([
    ['http', startCurl],
    ['socks5', startCurl],
    ['mtproto', startMtproto],
  ] as const)('the proxy %s beside a configuration', { timeout }, async (protocol, start) => {
    const { id } = await vpn.buy(user, entry, 'vless')
    const path = `/configs/${id}/subconfig`
    const before = await vpn.ask<BoughtConfig>(user, 'POST', path, { protocol })
    await vpn.applied(entry)
    const old = await start(lab, before.connection_url)
    expect(await reaches(old)).toBe(true)
    const download = old.tcp(site, { downBytes: endless, timeoutMs: timeout })
    const ended = download.then(
      () => 'all of it came',
      () => 'broken',
    )
    const open = new Promise((resolve) => setTimeout(() => resolve('open'), 3000))
    expect(await Promise.race([ended, open]), entry.agent.output).toBe('open')
    const resetAtMs = Date.now()
    await reset(id)
    expect(await ended).toBe('broken')
    expect(Date.now() - resetAtMs).toBeLessThan(aMinuteMs)
    await vpn.applied(entry)
    expect(await reaches(old)).toBe(false)
    const after = await vpn.ask<BoughtConfig>(user, 'GET', path)
    const fresh = await start(lab, after.connection_url)
    await until('the new credentials to be taken', () => reaches(fresh))
  })

  test('a bridge goes on through an exit whose credentials are others now', { timeout }, async () => {
    const first = await vpn.buy(user, entry, 'vless')
    const second = await vpn.buy(user, exit, 'trojan')
    const ends = { first_config_id: first.id, second_config_id: second.id }
    await vpn.ask(user, 'POST', '/configs/makeBridge', ends)
    await Promise.all([vpn.applied(entry), vpn.applied(exit)])
    const client = await connect(first)
    const peer = async () => (await client.tcp(site, small)).peer
    expect(await peer()).toBe(addresses.exit)
    const [direct, renewed] = [await isReached(second), await reset(second.id)]
    expect(direct).toBe(true)
    await Promise.all([vpn.applied(entry), vpn.applied(exit)])
    expect(await peer()).toBe(addresses.exit)
    expect(await isReached(second)).toBe(false)
    expect(await isReached({ ...second, ...renewed })).toBe(true)
  })
})
