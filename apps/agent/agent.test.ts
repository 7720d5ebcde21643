import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DesiredState } from '@sallyport/contract/agent/agent'
import { stateHash } from '@sallyport/domain/vpn/engine/state-hash'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../test/support/ports.ts'
import { type AgentOptions, type RunningAgent, runAgent } from './agent.ts'
import { FakeService } from './testing/fake-service.ts'
import { access, inboundOn, until } from './testing/fixtures.ts'

let directory: string
let service: FakeService
let agent: RunningAgent | null
let messages: string[]

const start = async (options: Partial<AgentOptions> = {}): Promise<void> => {
  agent = await runAgent({
    serviceUrl: service.url,
    stateDir: directory,
    enrolmentToken: service.enrolmentToken,
    reportIntervalMs: 100,
    meterIntervalMs: 100,
    log: (message) => messages.push(message),
    locate: async (name) => ({
      state: 'missing',
      version: null,
      reason: `${name} is not installed. Install it so.`,
    }),
    ...options,
  })
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sallyport-agent-'))
  service = new FakeService(await freePort())
  service.inbounds = [inboundOn(1, 2)]
  await service.start()
  agent = null
  messages = []
})
afterEach(async () => {
  await agent?.stop()
  await service.stop().catch(() => {})
  await rm(directory, { recursive: true })
})

const last = () => service.reports.at(-1)

test('without an engine it says so once, keeps the state and goes on reporting', async () => {
  service.put(access('c1'))
  await start()
  await until(() => last()?.applied_revision === 1 && service.reports.length > 5)
  expect(last()).toMatchObject({
    applied_hash: service.hash,
    apply_error: null,
    refused: [],
    engines: ['xray', 'amneziawg', 'mtg'].map((name) => ({
      name,
      state: 'missing',
      version: null,
      detail: expect.stringContaining('Install'),
    })),
    traffic: [],
  })
  expect(messages.filter((message) => message.includes('not installed'))).toHaveLength(3)
})

test('follows changes by long polling and reports each at once', async () => {
  service.put(access('c1'))
  await start({ reportIntervalMs: 60_000 })
  await until(() => last()?.applied_revision === 1)
  service.put(access('c2'))
  await until(() => last()?.applied_revision === 2)
  service.remove('c1')
  await until(() => last()?.applied_revision === 3)
  expect(last()?.applied_hash).toBe(service.hash)
  expect(service.asked.slice(0, 3)).toEqual([0, 1, 2])
})

test('an answer that does not add up leads to a snapshot', async () => {
  service.put(access('c1'))
  await start()
  await until(() => last()?.applied_revision === 1)
  const hash = stateHash([{ id: 'nobody', revision: 9 }])
  const wrong: DesiredState = {
    kind: 'delta',
    revision: 9,
    hash,
    inbounds: [],
    accesses: [],
    removed: [],
    trials: [],
  }
  service.wrongAnswer = wrong
  service.put(access('c2'))
  await until(() => service.asked.includes(2))
  service.wrongAnswer = wrong
  service.put(access('c3'))
  await until(() => last()?.applied_revision === 3 && last()?.applied_hash === service.hash)
  expect(service.asked.filter((since) => since === 0).length).toBeGreaterThan(1)
})

test('a service that goes away and comes back is caught up with', async () => {
  service.put(access('c1'))
  await start()
  await until(() => last()?.applied_revision === 1)
  await service.stop()
  await until(() => messages.some((message) => message.includes('cannot be reached')))
  service.put(access('c2'))
  await service.start()
  await until(() => last()?.applied_revision === 2)
  expect(messages.filter((message) => message.includes('can be reached again'))).toHaveLength(1)
  const lost = messages.find((message) => message.includes('cannot be reached'))
  expect(lost).toMatch(/ \(request agent-[0-9a-f]{8}-\w+\)$/)
})

test('every call has a name, and what is applied names who wanted it', async () => {
  service.causedBy = ['purchase-1', 'purchase-2']
  service.put(access('c1'))
  await start()
  await until(() => last()?.applied_revision === 1)
  expect(messages).toContain('applied revision 1 caused by purchase-1, purchase-2')
  const ids = service.requestIds
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^agent-[0-9a-f]{8}-\w+$/)
})

test('enrols once; afterwards the key on disk is enough', async () => {
  service.put(access('c1'))
  await start()
  await agent?.stop()
  const options = { enrolmentToken: 'no longer needed' }
  await start(options)
  await until(() => last()?.applied_revision === 1)
  expect(messages.filter((message) => message.includes('enrolled'))).toHaveLength(1)
})

test('a service set up afresh is enrolled with anew', async () => {
  await start()
  await agent?.stop()
  await service.stop()
  service = new FakeService(await freePort())
  await service.start()
  service.put(access('c7'))
  await start()
  await until(() => last()?.applied_hash === service.hash)
})

test('whoever installed it learns that it was heard, and that it is no longer known', async () => {
  const readyFile = join(directory, 'run', 'ready')
  const tokenFile = join(directory, 'enrolment-token')
  await writeFile(tokenFile, service.enrolmentToken)
  await start({ readyFile })
  await until(() => existsSync(readyFile))
  expect(await readFile(readyFile, 'utf8')).toBe(`${process.pid}\n`)
  expect(existsSync(tokenFile)).toBe(false)
  await service.stop()
  service = new FakeService(Number(new URL(service.url).port))
  await service.start()
  await until(() => !existsSync(readyFile))
})

test('a refused token and a damaged identity end it with a sentence', async () => {
  await expect(start({ enrolmentToken: 'wrong' })).rejects.toThrow(/enrolment was refused: .*401/)
  await writeFile(join(directory, 'identity.json'), 'x')
  await expect(start()).rejects.toThrow(/identity\.json is damaged/)
})

test('nothing it logs contains the token or a key', async () => {
  const customer = access('c1')
  service.put(customer)
  await start()
  await until(() => last()?.applied_revision === 1)
  const said = messages.join('\n')
  expect(said).not.toContain(service.enrolmentToken)
  expect(said).not.toContain(customer.account.uuid)
})

test('a trial without an engine is left open, and the service is not asked without pause', async () => {
  service.put(access('c1'))
  await start()
  await until(() => last()?.applied_revision === 1)
  const before = service.asked.length
  service.ask({ id: 5, config: '{}' })
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect(service.verdicts).toEqual([])
  expect(service.asked.length - before).toBeGreaterThan(1)
  expect(service.asked.length - before).toBeLessThan(8)
})

test.each([
  'state',
  'report',
] as const)('told to ask for %s later, it does, and then catches up', async (what) => {
  service.put(access('c1'))
  await start()
  await until(() => last()?.applied_revision === 1)
  const from = service.askedAtMs.length
  service.busyFor[what] = 1
  service.put(access('c2'))
  const times = () => service.askedAtMs.slice(from).flatMap((one) => (one.what === what ? [one.at] : []))
  await until(() => service.busyFor[what] < 1 && times().length > 1)
  await until(() => last()?.applied_revision === 2)
  const pauses = times().map((at, index, all) => at - (all[index - 1] ?? Number.NEGATIVE_INFINITY))
  expect(Math.max(...pauses.slice(1))).toBeGreaterThanOrEqual(990)
})

test('its release is told to services that read it, and to no others', async () => {
  await start()
  await until(() => service.reports.length > 3)
  expect(service.reports.some((report) => 'agent_release' in report || 'upgrade' in report)).toBe(false)
  await agent?.stop()
  const { hash, revision } = service
  const wish = { id: '0b7c1f52-6c1e-4f0e-9d3b-2a4f8f5f6c11', release: 'c63b81e457a32398' }
  service.wrongAnswer = {
    kind: 'snapshot',
    revision,
    hash,
    inbounds: [],
    accesses: [],
    removed: [],
    trials: [],
    reads: ['agent_release'],
    upgrade_to: wish,
  }
  await start()
  await until(() => service.reports.some((report) => report.upgrade?.wish_id === wish.id))
  const told = service.reports.find((report) => report.upgrade?.wish_id === wish.id)
  // Nobody installed this one.
  expect(told).toMatchObject({ agent_release: null, upgrade: { is_possible: false, failure: null } })
})
