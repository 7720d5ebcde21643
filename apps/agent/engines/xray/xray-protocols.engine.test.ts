import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Certificate } from '@sallyport/contract/agent/agent'
import type { XrayInbound } from '@sallyport/domain/vpn/engine/xray-accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { describeWith, xrayPath } from '../../../../test/support/engines/engines.ts'
import { startTlsSite, type TlsSite } from '../../../../test/support/engines/tls-site.ts'
import {
  type Download,
  isOver,
  startDownload,
  startXrayClient,
  type XrayClient,
} from '../../../../test/support/engines/xray-client.ts'
import { xray } from '../../../../test/support/pieces.ts'
import { freePort } from '../../../../test/support/ports.ts'
import {
  certificateFrom,
  customer,
  outboundFor,
  proxy,
  proxyOutbound,
  sharedInbound,
  until,
} from '../../testing/fixtures.ts'
import { OwnSite } from '../net/site.ts'
import { whySocketsCannotBeDestroyed } from '../net/sockets.ts'
import { XrayEngine } from './xray.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
const whyNotCut = await whySocketsCannotBeDestroyed()

describeWith(xray, 'every protocol of the shared Xray', () => {
  const binary = xrayPath() ?? ''
  const ownSite = new OwnSite()
  const clients: XrayClient[] = []
  let site: TlsSite
  let certificate: Certificate
  let directory: string
  let engine: XrayEngine

  const connect = async (outbound: object): Promise<XrayClient> => {
    const client = await startXrayClient(binary, directory, outbound)
    clients.push(client)
    return client
  }
  const fetchBytes = async (outbound: object, size: number): Promise<number> => {
    const download = await startDownload(await connect(outbound), site.port, `/bytes/${size}`)
    const timer = setTimeout(() => download.close(), 5000)
    return download.ended.finally(() => clearTimeout(timer))
  }
  const drip = async (outbound: object): Promise<Download> => {
    const download = await startDownload(await connect(outbound), site.port, '/drip')
    await until(() => download.bytes() > 300_000)
    return download
  }
  const counted = async (id: string): Promise<number> =>
    (await engine.traffic()).flatMap(({ users }) => users).find((user) => user.id === id)?.down ?? 0

  beforeAll(async () => {
    site = await startTlsSite(binary)
    certificate = certificateFrom(binary)
    directory = await mkdtemp(join(tmpdir(), 'sallyport-protocols-'))
    const options = { binary, version: '', directory, allowPrivateTargets: true, log: () => {} }
    engine = await XrayEngine.create({ ...options, siteTarget: ownSite.target })
  })
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()))
    await engine.stop()
  })
  afterAll(async () => {
    await site.close()
    await ownSite.close()
    await rm(directory, { recursive: true })
  })

  describe.each([
    'vless',
    'vless-2410',
    'trojan',
    'trojan-2901',
    'outline',
    'shadowsocks-2022',
    'hysteria2',
  ] as const)('%s', (protocol) => {
    test.skipIf(whyNotCut !== null)('users come and go while Xray and their neighbours stay', async () => {
      const inbound: XrayInbound = sharedInbound(protocol, {
        port: await freePort(),
        sitePort: site.port,
        certificate,
      })
      const [alice, bob] = [customer('c1', inbound), customer('c12', inbound)]
      const inbounds = [inbound]
      expect(await engine.apply({ inbounds, accesses: [alice] })).toEqual([])
      const pid = engine.pid
      const kept = await drip(outboundFor(inbound, alice))
      expect(await fetchBytes(outboundFor(inbound, bob), 1000)).toBe(0)

      expect(await engine.apply({ inbounds, accesses: [alice, bob] })).toEqual([])
      expect(await fetchBytes(outboundFor(inbound, bob), 2_000_000)).toBeGreaterThan(2_000_000)
      expect(await counted('c12')).toBeGreaterThan(1_990_000)
      expect(await counted('c12')).toBeLessThan(2_100_000)
      const cut = await drip(outboundFor(inbound, bob))

      expect(await engine.apply({ inbounds, accesses: [alice] })).toEqual([])
      expect(await isOver(cut)).toBe(true)
      expect(await fetchBytes(outboundFor(inbound, bob), 1000)).toBe(0)
      expect(await isOver(kept)).toBe(false)
      expect(engine.pid).toBe(pid)
      expect(engine.health()).toMatchObject({ state: 'running', detail: null })
    })
  })

  test.each(['http', 'socks5'] as const)('an %s proxy is an inbound of its own', async (protocol) => {
    const ports = [await freePort(), await freePort()] as const
    const [mine, other] = [proxy('s1', protocol, ports[0]), proxy('s12', protocol, ports[1])]
    expect(await engine.apply({ inbounds: [], accesses: [mine] })).toEqual([])
    const pid = engine.pid
    const kept = await drip(proxyOutbound(mine))
    expect(await engine.apply({ inbounds: [], accesses: [mine, other] })).toEqual([])
    expect(await fetchBytes(proxyOutbound(other), 1_000_000)).toBeGreaterThan(1_000_000)
    expect(await counted('s12')).toBeGreaterThan(990_000)
    expect(await fetchBytes(proxyOutbound({ ...other, password: 'wrong' }), 1000)).toBe(0)
    const cut = await drip(proxyOutbound(other))
    expect(await engine.apply({ inbounds: [], accesses: [mine] })).toEqual([])
    if (whyNotCut === null) expect(await isOver(cut)).toBe(true)
    expect(await fetchBytes(proxyOutbound(other), 1000)).toBe(0)
    expect(await isOver(kept)).toBe(false)
    expect(engine.pid).toBe(pid)
  })
})
