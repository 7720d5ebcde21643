import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
import { until } from '../../testing/fixtures.ts'
import { type Instance, instanceOn, refusedBy } from '../../testing/personal-fixtures.ts'
import { PersonalEngine, type PersonalOptions } from './personal.ts'
import type { InstanceAccess } from './personal-instance.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

describeWith(xray, 'personal Xrays on loopback', () => {
  const binary = xrayPath() ?? ''
  const clients: XrayClient[] = []
  const log: string[] = []
  let site: TlsSite
  let directory: string
  let engine: PersonalEngine
  let alice: Instance
  let bob: Instance
  let lastCountOfAlice = 0

  const create = (siteTarget: PersonalOptions['siteTarget'] = async () => 'unused') =>
    PersonalEngine.create({
      binary,
      version: '1.2.3',
      directory,
      allowPrivateTargets: true,
      siteTarget,
      log: (line) => log.push(line),
      beforeStop: async () => {
        lastCountOfAlice = await bytesOf('c1')
      },
    })
  const serve = (...accesses: InstanceAccess[]) => engine.apply({ inbounds: [], accesses })
  const connect = async ({ outbound }: Instance): Promise<XrayClient> => {
    const client = await startXrayClient(binary, directory, outbound)
    clients.push(client)
    return client
  }
  const fetchBytes = async (instance: Instance, size: number): Promise<number> => {
    const download = await startDownload(await connect(instance), site.port, `/bytes/${size}`)
    const timer = setTimeout(() => download.close(), 15_000)
    return download.ended.finally(() => clearTimeout(timer))
  }
  const bytesOf = async (id: string): Promise<number> => {
    const counted = (await engine.traffic()).flatMap(({ users }) => users)
    return counted.filter((user) => user.id === id).reduce((sum, { down }) => sum + down, 0)
  }

  beforeAll(async () => {
    site = await startTlsSite(binary)
    directory = await mkdtemp(join(tmpdir(), 'sallyport-personal-'))
    engine = await create()
    alice = instanceOn('c1', await freePort(), site.port)
    bob = instanceOn('c2', await freePort(), site.port)
  })
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()))
  })
  afterAll(async () => {
    await engine?.stop()
    await site.close()
    await rm(directory, { recursive: true })
  })

  test('each serves its customer and counts for it, and nothing lies on the disk', async () => {
    expect(engine.health().state).toBe('idle')
    expect(await serve(alice.access, bob.access)).toEqual([])
    expect(engine.health()).toMatchObject({ name: 'xray', state: 'running', version: '1.2.3' })
    expect(engine.count).toBe(2)
    expect(await fetchBytes(alice, 1_000_000)).toBeGreaterThan(1_000_000)
    const counted = await bytesOf('c1')
    expect(counted).toBeGreaterThan(1_000_000)
    expect(counted).toBeLessThan(1_050_000)
    expect(await bytesOf('c2')).toBe(0)
    expect(new Set((await engine.traffic()).map(({ bootId }) => bootId)).size).toBe(2)
    expect((await readdir(directory)).filter((name) => !name.startsWith('client-'))).toEqual([])
  })

  test.skipIf(process.getuid?.() !== 0)('each runs as a nobody of its own, with limits', async () => {
    const statuses = await Promise.all(
      ['c1', 'c2'].map((id) => readFile(`/proc/${engine.pidOf(id)}/status`, 'utf8')),
    )
    const uids = statuses.map((status) => Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]))
    expect(new Set(uids).size).toBe(2)
    for (const uid of uids) expect(uid).toBeGreaterThanOrEqual(200_000)
    for (const status of statuses) {
      expect(status).toMatch(/^Groups:\s*$/m)
      expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
      expect(status).toMatch(/^CapBnd:\s+0+$/m)
    }
    const limits = await readFile(`/proc/${engine.pidOf('c1')}/limits`, 'utf8')
    expect(limits).toMatch(/^Max data size\s+201326592 /m)
    expect(limits).toMatch(/^Max processes\s+64 /m)
    const environment = await readFile(`/proc/${engine.pidOf('c1')}/environ`, 'utf8')
    expect(environment).not.toContain('HOME=')
  })

  test('a configuration that Xray refuses leaves the old one serving', async () => {
    const pid = engine.pidOf('c1')
    const download = await startDownload(await connect(alice), site.port, '/drip')
    await until(() => download.bytes() > 500_000)
    const reason = expect.stringContaining('no-such-flow')
    const refused = [{ id: 'c1', revision: 2, reason, isUnfit: true }]
    expect(await serve(refusedBy(alice), bob.access)).toEqual(refused)
    expect(await serve(refusedBy(alice), bob.access)).toEqual(refused)
    expect(engine.pidOf('c1')).toBe(pid)
    expect(engine.problem()).toContain('no-such-flow')
    const before = download.bytes()
    await until(() => download.bytes() > before + 500_000)
    download.close()
    expect(await serve({ ...alice.access, revision: 3 }, bob.access)).toEqual([])
    expect(engine.pidOf('c1')).toBe(pid)
  })

  test('a changed one is replaced alone; its old credentials serve nobody', async () => {
    const [pid, neighbour] = [engine.pidOf('c1'), engine.pidOf('c2')]
    const changed = instanceOn('c1', alice.access.port, site.port)
    expect(await serve(changed.access, bob.access)).toEqual([])
    expect(engine.pidOf('c1')).not.toBe(pid)
    expect(engine.pidOf('c2')).toBe(neighbour)
    expect(await fetchBytes(changed, 100_000)).toBeGreaterThan(100_000)
    expect(await fetchBytes(alice, 100_000)).toBe(0)
    alice = changed
  })

  test('old credentials end with what is open, also when the new configuration is refused', async () => {
    const download = await startDownload(await connect(alice), site.port, '/drip')
    await until(() => download.bytes() > 500_000)
    const renewed = instanceOn('c1', alice.access.port, site.port)
    const reason = expect.stringContaining('no-such-flow')
    const refused = [{ id: 'c1', revision: 2, reason }]
    expect(await serve(refusedBy(renewed), bob.access)).toEqual(refused)
    await download.ended
    expect(await fetchBytes(alice, 1000)).toBe(0)
    expect(await serve({ ...renewed.access, revision: 3 }, bob.access)).toEqual([])
    expect(await fetchBytes(renewed, 100_000)).toBeGreaterThan(100_000)
    expect(await fetchBytes(alice, 1000)).toBe(0)
    alice = renewed
  })

  test('two may swap their ports', async () => {
    const swapped = [
      { ...alice.access, port: bob.access.port },
      { ...bob.access, port: alice.access.port },
    ]
    expect(await serve(...swapped)).toEqual([])
    expect(engine.health().state).toBe('running')
    expect(await serve(alice.access, bob.access)).toEqual([])
    expect(await fetchBytes(bob, 100_000)).toBeGreaterThan(100_000)
  })

  test('a taken port is said, and what ran before goes on', async () => {
    const pid = engine.pidOf('c1')
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    await until(() => other.listening)
    const carol = instanceOn('c3', port, site.port)
    const troubles = await serve({ ...alice.access, port }, bob.access, carol.access)
    expect(troubles.map(({ id }) => id)).toEqual(['c1', 'c3'])
    for (const { reason } of troubles) expect(reason).toContain(`port ${port} is taken`)
    expect(engine.pidOf('c1')).toBe(pid)
    other.close()
    await until(() => engine.pidOf('c3') !== undefined)
    expect(await serve(alice.access, bob.access)).toEqual([])
  })

  test('one that crashes comes back, and the others do not notice', async () => {
    const [pid, neighbour] = [engine.pidOf('c1'), engine.pidOf('c2')]
    process.kill(pid as number, 'SIGKILL')
    await until(() => engine.pidOf('c1') === undefined)
    expect(engine.problem()).toContain('killed by SIGKILL')
    await until(() => engine.pidOf('c1') !== undefined)
    expect(engine.problem()).toBeNull()
    expect(engine.pidOf('c2')).toBe(neighbour)
    expect(await fetchBytes(alice, 100_000)).toBeGreaterThan(100_000)
    expect(log.some((line) => line.includes('c1 does not run'))).toBe(true)
  })

  test("the agent's own site is the target where the access says so", async () => {
    const named: string[] = []
    const other = await create(async ({ server_name }) => {
      named.push(server_name)
      return `127.0.0.1:${site.port}`
    })
    // An agent that starts ends what an earlier one left behind, which is what runs here.
    await until(() => engine.pidOf('c1') === undefined && engine.pidOf('c2') === undefined)
    await engine.stop()
    engine = other
    const dave = instanceOn('c4', await freePort(), 1)
    const certificate = { server_name: 'vpn.example.com', certificate: '', key: '' }
    expect(await serve({ ...dave.access, site: certificate })).toEqual([])
    expect(named).toEqual(['vpn.example.com'])
    expect(await fetchBytes(dave, 100_000)).toBeGreaterThan(100_000)
  })

  test('a removed one takes its connections with it, after its last counters were read', async () => {
    await serve(alice.access, bob.access)
    const download = await startDownload(await connect(alice), site.port, '/drip')
    await until(() => download.bytes() > 500_000)
    lastCountOfAlice = 0
    await serve(bob.access)
    expect(lastCountOfAlice).toBeGreaterThan(450_000)
    await Promise.race([
      download.ended,
      new Promise((_, reject) => setTimeout(() => reject(new Error('it goes on')), 3000)),
    ])
    expect(engine.pidOf('c1')).toBeUndefined()
    expect(await fetchBytes(bob, 100_000)).toBeGreaterThan(100_000)
    expect(engine.count).toBe(1)
  })

  test('a trial gives the verdict of Xray without starting anything', async () => {
    expect(await engine.tryConfig(alice.access.config)).toEqual({ isAccepted: true, reason: null })
    const { isAccepted, reason } = await engine.tryConfig(refusedBy(alice).config)
    expect(isAccepted).toBe(false)
    expect(reason).toMatch(/^infra\/conf: failed to build inbound.*no-such-flow/)
    expect(await engine.tryConfig('{')).toMatchObject({ isAccepted: false })
    expect(await engine.tryConfig('{}')).toMatchObject({ isAccepted: false })
  })
})
