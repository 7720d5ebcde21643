import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { InboundOf } from '@sallyport/contract/agent/agent'
import type { SharedAccess } from '@sallyport/domain/vpn/engine/xray-accounts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { describeWith, xrayPath } from '../../test/support/engines/engines.ts'
import { startTlsSite, type TlsSite } from '../../test/support/engines/tls-site.ts'
import { startDownload, startXrayClient, type XrayClient } from '../../test/support/engines/xray-client.ts'
import { xray } from '../../test/support/pieces.ts'
import { freePort } from '../../test/support/ports.ts'
import { FakeService } from './testing/fake-service.ts'
import { access, inboundOn, outboundFor, until } from './testing/fixtures.ts'

const run = promisify(execFile)

/** Loaded before the agent: each SIGUSR2 is a minute of its clock. */
const movableClock = `data:text/javascript,${encodeURIComponent(`
  const now = Date.now
  let laterMs = 0
  Date.now = () => now() + laterMs
  process.on('SIGUSR2', () => { laterMs += 60_000 })`)}`
/** How long the service is away by the clock on the wall, which is moved an hour meanwhile. */
const outageMs = 1000 * Number(process.env.SALLYPORT_OUTAGE_SECONDS || 3)
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** A killed process whose new parent has not taken note yet is a zombie, and dead. */
type KeptTraffic = { down: number; acknowledgedDown: number }

const isAlive = async (pid: number): Promise<boolean> => {
  const { stdout } = await run('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z')
}

describeWith(xray, 'the agent as a process', () => {
  const [alice, bob] = [access('c1'), access('c2')]
  let service: FakeService
  const binary = xrayPath() ?? ''
  let site: TlsSite
  let directory: string
  let inbound: InboundOf<'vless'>
  let agent: ChildProcess
  let output = ''
  const clients: XrayClient[] = []

  const startAgent = (): void => {
    agent = fork(join(import.meta.dirname, 'main.ts'), {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: [...process.execArgv, '--import', movableClock],
      env: {
        ...process.env,
        SALLYPORT_URL: service.url,
        SALLYPORT_AGENT_DIR: directory,
        SALLYPORT_ENROL_TOKEN: service.enrolmentToken,
        SALLYPORT_ALLOW_PRIVATE_TARGETS: 'true',
        SALLYPORT_REPORT_INTERVAL_MS: '300',
        SALLYPORT_METER_INTERVAL_MS: '200',
      },
    })
    for (const stream of [agent.stdout, agent.stderr]) {
      stream?.on('data', (text) => {
        output += text
      })
    }
  }
  const xrayPid = async () => Number(await readFile(join(directory, 'xray.pid'), 'utf8').catch(() => '0'))
  const fetchBytes = async (customer: typeof alice, size: number): Promise<number> => {
    const client = await startXrayClient(binary, directory, outboundFor(inbound, customer))
    clients.push(client)
    return (await startDownload(client, site.port, `/bytes/${size}`)).ended
  }
  const isServed = async (customer: typeof alice) => (await fetchBytes(customer, 1000)) > 1000
  const last = () => service.reports.at(-1)
  /** What is on disk of a customer's traffic that the service has not heard of. */
  const keptOf = async (id: string): Promise<number> => {
    const text = await readFile(join(directory, 'traffic.json'), 'utf8').catch(() => '{}')
    const runs = Object.values(JSON.parse(text) as Record<string, Record<string, KeptTraffic>>)
    return runs.reduce((sum, { [id]: row }) => sum + (row ? row.down - row.acknowledgedDown : 0), 0)
  }

  beforeAll(async () => {
    site = await startTlsSite(binary)
    directory = await mkdtemp(join(tmpdir(), 'sallyport-agent-'))
    inbound = inboundOn(await freePort(), site.port)
    service = new FakeService(await freePort())
    service.inbounds = [inbound]
    await service.start()
    startAgent()
    service.put(alice, bob)
    await until(() => last()?.engines[0]?.state === 'running' && last()?.applied_revision === 1)
  })
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()))
  })
  afterAll(async () => {
    if (agent?.exitCode === null && agent.signalCode === null) {
      agent.kill('SIGTERM')
      await once(agent, 'exit')
    }
    await service.stop()
    await site.close()
    await rm(directory, { recursive: true })
  })

  test('puts customers on the engine and reports their traffic', async () => {
    expect(await fetchBytes(alice, 2_000_000)).toBeGreaterThan(2_000_000)
    await until(() => service.traffic('c1').down > 1_900_000)
    expect(service.traffic('c1').down / 2_000_000).toBeLessThan(1.05)
    expect(last()?.host.ram_percent).toBeGreaterThan(0)
  })

  test('tries configurations in the background and answers each once', async () => {
    const personal = {
      inbounds: [{ protocol: 'vless', settings: { clients: [], decryption: 'none' }, streamSettings: {} }],
      outbounds: [{ protocol: 'freedom' }],
      routing: { domainStrategy: 'AsIs', rules: [] },
    }
    const broken = { ...personal, outbounds: [{ protocol: 'no-such-protocol' }] }
    service.ask({ id: 7, config: JSON.stringify(personal) })
    service.ask({ id: 8, config: JSON.stringify(broken) })
    await until(() => service.verdicts.length === 2)
    expect(service.verdicts.toSorted((left, right) => left.id - right.id)).toEqual([
      { id: 7, is_accepted: true, reason: null },
      { id: 8, is_accepted: false, reason: expect.stringContaining('no-such-protocol') },
    ])
  })

  test('reports every engine, and an access that one would not take', async () => {
    expect(last()?.engines.map(({ name }) => name)).toEqual(['xray', 'amneziawg', 'mtg'])
    const unfit: SharedAccess = { ...access('c9'), account: { protocol: 'trojan', password: 'p' } }
    service.put(unfit)
    await until(() => last()?.refused.length === 1)
    expect(last()).toMatchObject({
      apply_error: 'access c9: a trojan account cannot be on vless',
      refused: [{ id: 'c9', revision: service.revision }],
    })
    expect(await isServed(alice)).toBe(true)
    service.remove('c9')
    await until(() => last()?.refused.length === 0 && last()?.applied_revision === service.revision)
  })

  test('traffic of a removed customer is reported although reports were refused meanwhile', async () => {
    service.refuseReports = true
    await fetchBytes(bob, 1_000_000)
    service.remove('c2')
    await until(async () => !(await isServed(bob)))
    expect(service.traffic('c2').down).toBe(0)
    service.refuseReports = false
    await until(() => service.traffic('c2').down > 950_000, 5000)
  })

  test('check 42: while the service is away for an hour, customers are served, and what they used is told afterwards', {
    timeout: outageMs + 60_000,
  }, async () => {
    const before = service.traffic('c1').down
    const pid = await xrayPid()
    const client = await startXrayClient(binary, directory, outboundFor(inbound, alice))
    clients.push(client)
    await service.stop()
    let sum = 0
    for (let minute = 0; minute < 60; minute++) {
      agent.kill('SIGUSR2')
      await sleep(outageMs / 60)
      // Over a connection that was there before, and every few minutes over a new one.
      const size = await (await startDownload(client, site.port, '/bytes/20000')).ended
      expect(size, `minute ${minute}`).toBeGreaterThan(20_000)
      sum += size
      if (minute % 10 === 5) sum += await fetchBytes(alice, 20_000)
    }
    expect(await xrayPid()).toBe(pid)
    await service.start()
    await until(() => service.traffic('c1').down >= before + 0.95 * sum)
    expect(service.traffic('c1').down - before).toBeLessThan(1.15 * sum)
  })

  test('killed while the service is down, it comes back and serves from disk; counters survive', async () => {
    const before = service.traffic('c1').down
    await service.stop()
    await fetchBytes(alice, 1_000_000)
    await until(async () => (await keptOf('c1')) > 950_000)
    const orphan = await xrayPid()
    agent.kill('SIGKILL')
    await once(agent, 'exit')
    startAgent()
    await until(async () => ![0, orphan].includes(await xrayPid()))
    await until(() => isServed(alice))
    expect(await isAlive(orphan)).toBe(false)
    await service.start()
    await until(() => service.traffic('c1').down > before + 950_000)
    expect(service.traffic('c1').down - before).toBeLessThan(1_150_000)
  })

  test('SIGTERM stops the engine and exits 0', async () => {
    const pid = await xrayPid()
    agent.kill('SIGTERM')
    expect(await once(agent, 'exit')).toEqual([0, null])
    expect(await isAlive(pid)).toBe(false)
    expect(last()?.engines[0]?.state).toBe('idle')
  })

  test('it ends when the process that started it disconnects', async () => {
    startAgent()
    await until(async () => (await xrayPid()) > 0 && last()?.engines[0]?.state === 'running')
    const pid = await xrayPid()
    agent.disconnect()
    expect(await once(agent, 'exit')).toEqual([0, null])
    expect(await isAlive(pid)).toBe(false)
  })

  test('its log names no secret and no customer', () => {
    expect(output).toContain('enrolled as node 42')
    for (const secret of [
      alice.account.uuid,
      inbound.reality.private_key,
      service.enrolmentToken,
      'accepted',
    ]) {
      expect(output).not.toContain(secret)
    }
  })
})
