import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Certificate } from '@sallyport/contract/agent/agent'
import type { SharedAccess } from '@sallyport/domain/vpn/engine/xray-accounts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWith, xrayPath } from '../../../../test/support/engines/engines.ts'
import { startTlsSite, type TlsSite } from '../../../../test/support/engines/tls-site.ts'
import {
  type Download,
  isOver,
  startDownload,
  startSocksClient,
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
import { XrayApi } from './xray-api.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
const whyNotCut = await whySocketsCannotBeDestroyed()

/** Sends datagrams through a SOCKS5 port until one comes back. */
const echoedOverUdp = async (socksPort: number, target: number): Promise<void> => {
  const control = connectTcp(socksPort, '127.0.0.1')
  control.write(Buffer.from([5, 1, 0]))
  await once(control, 'data')
  control.write(Buffer.from([5, 3, 0, 1, 0, 0, 0, 0, 0, 0]))
  const [answer] = (await once(control, 'data')) as [Buffer]
  const relay = answer.readUInt16BE(8)
  const socket = createSocket('udp4')
  let heard = 0
  socket.on('message', () => {
    heard += 1
  })
  const head = Buffer.from([0, 0, 0, 1, 127, 0, 0, 1, target >> 8, target & 255])
  await until(() => {
    socket.send(Buffer.concat([head, Buffer.from('hello')]), relay, '127.0.0.1')
    return heard > 0
  })
  socket.close()
  control.destroy()
}

const startEcho = async () => {
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => socket.send(message, port, address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { port: (socket.address() as AddressInfo).port, close: () => socket.close() }
}

/** The same access under the same name, as the service sends it when its credentials were renewed. */
const renewed = <T extends { readonly revision: number }>(access: T, fresh: T): T => ({
  ...fresh,
  revision: access.revision + 1,
})

describeWith(xray, 'other credentials of the same access', () => {
  const binary = xrayPath() ?? ''
  const ownSite = new OwnSite()
  const clients: XrayClient[] = []
  let site: TlsSite
  let certificate: Certificate
  let directory: string
  let engine: XrayEngine

  const connect = async (outbound: object) => {
    let port = 0
    const configAt = (socksPort: number) => {
      port = socksPort
      const inbound = { listen: '127.0.0.1', port, protocol: 'socks', settings: { udp: true } }
      return { log: { loglevel: 'none' }, inbounds: [inbound], outbounds: [outbound] }
    }
    const client = await startSocksClient({ binary, directory, configAt })
    clients.push(client)
    return { client, port }
  }
  const fetchThrough = async (client: XrayClient, size = 1000): Promise<number> => {
    const download = await startDownload(client, site.port, `/bytes/${size}`)
    const timer = setTimeout(() => download.close(), 5000)
    return download.ended.finally(() => clearTimeout(timer))
  }
  const fetchBytes = async (outbound: object, size?: number) =>
    fetchThrough((await connect(outbound)).client, size)
  const drip = async (outbound: object): Promise<Download> => {
    const download = await startDownload((await connect(outbound)).client, site.port, '/drip')
    await until(() => download.bytes() > 300_000)
    return download
  }
  const inboundOf = async (protocol: Parameters<typeof sharedInbound>[0]) =>
    sharedInbound(protocol, { port: await freePort(), sitePort: site.port, certificate })
  const countedOf = async (id: string) =>
    (await engine.traffic()).flatMap(({ users }) => users).filter((user) => user.id === id)

  beforeAll(async () => {
    site = await startTlsSite(binary)
    certificate = certificateFrom(binary)
    directory = await mkdtemp(join(tmpdir(), 'sallyport-renewal-'))
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

  test
    .skipIf(whyNotCut !== null)
    .each(['vless', 'trojan', 'outline', 'shadowsocks-2022', 'hysteria2'] as const)(
    '%s: the old connection ends, the old are refused, the new are taken, all is counted',
    async (protocol) => {
      const inbound = await inboundOf(protocol)
      const inbounds = [inbound]
      const [alice, bob] = [customer('c1', inbound), customer('c2', inbound)]
      expect(await engine.apply({ inbounds, accesses: [alice, bob] })).toEqual([])
      const pid = engine.pid
      const [cut, kept] = [await drip(outboundFor(inbound, alice)), await drip(outboundFor(inbound, bob))]
      const [before] = await countedOf('c1')
      const other = renewed<SharedAccess>(alice, customer('c1', inbound))
      expect(await engine.apply({ inbounds, accesses: [other, bob] })).toEqual([])
      expect(await isOver(cut)).toBe(true)
      expect(await fetchBytes(outboundFor(inbound, alice))).toBe(0)
      expect(await fetchBytes(outboundFor(inbound, other), 500_000)).toBeGreaterThan(500_000)
      expect(await isOver(kept)).toBe(false)
      expect(engine.pid).toBe(pid)
      const after = await countedOf('c1')
      expect(after).toHaveLength(1)
      expect(after[0]?.down).toBeGreaterThan((before?.down ?? 0) + 490_000)
      kept.close()
    },
  )

  test.skipIf(whyNotCut !== null).each(['http', 'socks5'] as const)('a proxy: %s', async (protocol) => {
    const mine = proxy('s1', protocol, await freePort())
    await engine.apply({ inbounds: [], accesses: [mine] })
    const cut = await drip(proxyOutbound(mine))
    const other = { ...renewed(mine, proxy('s1', protocol, mine.port)), user: 'u-other' }
    expect(await engine.apply({ inbounds: [], accesses: [other] })).toEqual([])
    expect(await isOver(cut)).toBe(true)
    expect(await fetchBytes(proxyOutbound(mine))).toBe(0)
    expect(await fetchBytes(proxyOutbound(other), 100_000)).toBeGreaterThan(100_000)
  })

  test('a Hysteria session that has shown in no log begins nothing new with the old ones', async () => {
    const inbound = await inboundOf('hysteria2')
    const inbounds = [inbound]
    const alice = customer('c1', inbound)
    await engine.apply({ inbounds, accesses: [alice] })
    const { client, port } = await connect(outboundFor(inbound, alice))
    // Only datagrams so far, of which Xray's access log does not speak.
    const echo = await startEcho()
    await echoedOverUdp(port, echo.port)
    const other = renewed<SharedAccess>(alice, customer('c1', inbound))
    expect(await engine.apply({ inbounds, accesses: [other] })).toEqual([])
    expect(await fetchThrough(client)).toBe(0)
    expect(await fetchBytes(outboundFor(inbound, other), 100_000)).toBeGreaterThan(100_000)
    echo.close()
  })

  test('what could not be removed is removed before the new is added', async () => {
    const inbound = await inboundOf('hysteria2')
    const inbounds = [inbound]
    const alice = customer('c1', inbound)
    await engine.apply({ inbounds, accesses: [alice] })
    const other = renewed<SharedAccess>(alice, customer('c1', inbound))
    const failing = vi
      .spyOn(XrayApi.prototype, 'removeUser')
      .mockRejectedValueOnce(new Error('no answer in time'))
    const troubles = await engine.apply({ inbounds, accesses: [other] })
    failing.mockRestore()
    expect(troubles).toMatchObject([{ id: 'c1', reason: /no answer in time/ }])
    const api = new XrayApi(engine.apiPort ?? 0)
    expect(await api.listUsers(inbound.tag)).toHaveLength(1)
    api.close()
    expect(await fetchBytes(outboundFor(inbound, alice))).toBe(0)
    expect(await fetchBytes(outboundFor(inbound, other))).toBeGreaterThan(1000)
  })
})
