import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Exit, InboundOf } from '@sallyport/contract/agent/agent'
import type { SharedAccess } from '@sallyport/domain/vpn/engine/xray-accounts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWith, xrayPath } from '../../../../test/support/engines/engines.ts'
import { startTlsSite, type TlsSite } from '../../../../test/support/engines/tls-site.ts'
import {
  startDownload,
  startXrayClient,
  type XrayClient,
} from '../../../../test/support/engines/xray-client.ts'
import { xray } from '../../../../test/support/pieces.ts'
import { freePort } from '../../../../test/support/ports.ts'
import { access, inboundOn, outboundFor, until } from '../../testing/fixtures.ts'
import { OwnSite } from '../net/site.ts'
import { whySocketsCannotBeDestroyed } from '../net/sockets.ts'
import { XrayEngine } from './xray.ts'
import { XrayApi } from './xray-api.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
const whyNotCut = await whySocketsCannotBeDestroyed()

describeWith(xray, 'bridges of the shared Xray', () => {
  const binary = xrayPath() ?? ''
  // The second name begins with the first: rules must not take one for the other.
  const [alice, bob, exitUser] = [access('c1'), access('c12'), access('x1')]
  const clients: XrayClient[] = []
  let site: TlsSite
  let directory: string
  let entryInbound: InboundOf<'vless'>
  let exitInbound: InboundOf<'vless'>
  let entry: XrayEngine
  let exit: XrayEngine

  const createEngine = async (name: string): Promise<XrayEngine> => {
    const at = await mkdtemp(join(directory, name))
    const options = { binary, version: '', directory: at, allowPrivateTargets: true, log: () => {} }
    return XrayEngine.create({ ...options, siteTarget: new OwnSite().target })
  }
  const fetchBytes = async (of: SharedAccess, size = 100_000): Promise<number> => {
    const client = await startXrayClient(binary, directory, outboundFor(entryInbound, of))
    clients.push(client)
    const download = await startDownload(client, site.port, `/bytes/${size}`)
    const timer = setTimeout(() => download.close(), 5000)
    return download.ended.finally(() => clearTimeout(timer))
  }
  const drip = async (of: SharedAccess) => {
    const client = await startXrayClient(binary, directory, outboundFor(entryInbound, of))
    clients.push(client)
    const download = await startDownload(client, site.port, '/drip')
    await until(() => download.bytes() > 300_000)
    return download
  }
  const through = async (): Promise<number> => (await exit.traffic())[0]?.users[0]?.down ?? 0
  /** How many bytes of a download by this customer went over the bridge. */
  const bridgedBytes = async (of: SharedAccess): Promise<number> => {
    const before = await through()
    expect(await fetchBytes(of)).toBeGreaterThan(100_000)
    return (await through()) - before
  }
  const exitVia = (fields: Partial<Exit> = {}): Exit => ({
    outbound: JSON.stringify(outboundFor(exitInbound, exitUser)),
    direct_domains: [],
    direct_networks: [],
    ...fields,
  })
  const serve = (...accesses: SharedAccess[]) => entry.apply({ inbounds: [entryInbound], accesses })

  beforeAll(async () => {
    site = await startTlsSite(binary)
    directory = await mkdtemp(join(tmpdir(), 'sallyport-bridge-'))
    entryInbound = inboundOn(await freePort(), site.port)
    exitInbound = inboundOn(await freePort(), site.port)
    entry = await createEngine('entry')
    exit = await createEngine('exit')
    await exit.apply({ inbounds: [exitInbound], accesses: [exitUser] })
  })
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()))
  })
  afterAll(async () => {
    await entry?.stop()
    await exit?.stop()
    await site.close()
    await rm(directory, { recursive: true })
  })

  test('a bridge comes, changes and goes, for one customer and while all others stay', async () => {
    expect(await serve(alice, bob)).toEqual([])
    const pid = entry.pid
    const kept = await drip(bob)
    const mine = await drip(alice)
    expect(await bridgedBytes(alice)).toBe(0)

    expect(await serve({ ...alice, exit: exitVia() }, bob)).toEqual([])
    if (whyNotCut === null) await mine.ended
    expect(await bridgedBytes(alice)).toBeGreaterThan(99_000)
    expect(await bridgedBytes(bob)).toBe(0)

    expect(await serve({ ...alice, exit: exitVia({ direct_networks: ['127.0.0.0/8'] }) }, bob)).toEqual([])
    expect(await bridgedBytes(alice)).toBe(0)
    expect(await serve({ ...alice, exit: exitVia({ direct_domains: ['localhost'] }) }, bob)).toEqual([])
    expect(await bridgedBytes(alice)).toBe(0)
    expect(await serve({ ...alice, exit: exitVia({ direct_domains: ['host'] }) }, bob)).toEqual([])
    expect(await bridgedBytes(alice)).toBeGreaterThan(99_000)

    expect(await serve(alice, bob)).toEqual([])
    expect(await bridgedBytes(alice)).toBe(0)
    const before = kept.bytes()
    await until(() => kept.bytes() > before + 500_000)
    kept.close()
    expect(entry.pid).toBe(pid)
    const api = new XrayApi(entry.apiPort ?? 0)
    expect(await api.listRules()).toEqual([])
    api.close()
  })

  test('bridges are there after a fresh start', async () => {
    await entry.stop()
    expect(await serve({ ...alice, exit: exitVia() }, bob)).toEqual([])
    expect(await bridgedBytes(alice)).toBeGreaterThan(99_000)
    expect(await bridgedBytes(bob)).toBe(0)
  })

  test('with a bridge that Xray refuses the customer is refused too, rather than sent another way', async () => {
    const broken = { ...alice, exit: exitVia({ outbound: '{"protocol":"vless","settings":{"vnext":[]}}' }) }
    const isRefused = [{ id: 'c1', revision: 1, reason: expect.stringMatching(/^access c1: /) }]
    expect(await serve(broken, bob)).toEqual(isRefused)
    expect(await fetchBytes(alice)).toBe(0)
    expect(await fetchBytes(bob)).toBeGreaterThan(100_000)
    await entry.stop()
    expect(await serve(broken, bob)).toEqual(isRefused)
    expect(await fetchBytes(alice)).toBe(0)
    expect(await fetchBytes(bob)).toBeGreaterThan(100_000)
    expect(await serve(alice, bob)).toEqual([])
    expect(await fetchBytes(alice)).toBeGreaterThan(100_000)
  })
})
