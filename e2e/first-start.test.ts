import { execFile } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from './support/call.ts'
import { credentialsFile, expectWholeDemo, readCredentials } from './support/demo.ts'
import { beginRequest } from './support/half-request.ts'
import { KeptAlive } from './support/kept-alive.ts'
import { type Env, makePlace, type Place } from './support/process.ts'

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** A first start that nobody disturbed, stopped again: later tests begin from copies of its folder. */
let whole: Place
let removeWhole: () => Promise<void>

beforeAll(async () => {
  whole = await makePlace({
    onEnd: (cleanUp) => {
      removeWhole = cleanUp
    },
  })
  const service = whole.launch()
  console.log(`first start: ready after ${seconds(await service.untilReady())}`)
  await expectWholeDemo(service.url, whole.dataDir)
  expect(await service.terminate()).toEqual({ code: 0, signal: null })
})
afterAll(() => removeWhole())

const startedBefore = (): Promise<Place> => makePlace({ copyOf: whole.dataDir })

describe('a start', () => {
  test('is quick the second time', async () => {
    const place = await startedBefore()
    const service = place.launch()
    const readyMs = await service.untilReady()
    console.log(`second start: ready after ${seconds(readyMs)}`)
    expect(readyMs, 'a noisy machine may take longer than the 3 s of a quiet one').toBeLessThan(60_000)
    await expectWholeDemo(service.url, place.dataDir)
  })

  test('is refused while another process has the folder', async () => {
    const place = await startedBefore()
    const first = await place.start()
    const other = place.launch({ PORT: '0' })
    expect(await other.exited).toEqual({ code: 1, signal: null })
    expect(other.errors).toContain(
      `DATA_DIR ${place.dataDir} is in use by another Sallyport process. Stop that one, or set DATA_DIR`,
    )
    expect(other.errors.trim().split('\n'), 'one line, no stack').toHaveLength(1)
    expect(first.isRunning).toBe(true)
    await expectWholeDemo(first.url, place.dataDir)
  })

  test('is refused with a key that is not the one of its database', async () => {
    const place = await startedBefore()
    const other = place.launch({ SECRET_KEY: Buffer.alloc(32, 7).toString('base64') })
    expect(await other.exited).toEqual({ code: 1, signal: null })
    expect(other.errors).toMatch(/^sallyport: SECRET_KEY is not the key that this database .+: unset .+\.$/m)
    expect(other.errors.trim().split('\n'), 'one line, no stack').toHaveLength(1)
    await expectWholeDemo((await place.start()).url, place.dataDir)
  })

  test('may come after the database was brought up to date', async () => {
    const place = await makePlace()
    const command = ['--disable-warning=ExperimentalWarning', 'apps/server/cli.ts', 'migrate']
    await promisify(execFile)(process.execPath, command, { env: place.env })
    await expectWholeDemo((await place.start()).url, place.dataDir)
  })

  test('issues new credentials when the file is gone, and the old ones are dead', async () => {
    const place = await startedBefore()
    const old = readCredentials(place.dataDir)
    rmSync(credentialsFile(place.dataDir))
    const service = await place.start()
    await expectWholeDemo(service.url, place.dataDir)
    const fresh = readCredentials(place.dataDir)
    expect(fresh.user).toEqual(old.user)
    const withOldKey = await call(service.url, 'GET', '/v1/profile', { token: old.api_key })
    expect([withOldKey.status, withOldKey.body.errorCode]).toEqual([401, 2])
    const asOldOperator = await call(service.url, 'GET', '/operator/v1/nodes', { token: old.operator_token })
    expect([asOldOperator.status, asOldOperator.body.errorCode]).toEqual([401, 2])
  })

  const key = Buffer.alloc(32, 7).toString('base64')
  test.each<[string, Env, RegExp]>([
    ['PORT is no number', { PORT: 'http' }, /^sallyport: PORT=http is not usable: .+\.$/m],
    ['PORT is too large', { PORT: '70000' }, /^sallyport: PORT=70000 is not usable: .+\.$/m],
    [
      'DATABASE_URL is of another database',
      { DATABASE_URL: 'mysql://root:pa55@127.0.0.1/x', SECRET_KEY: key },
      /^sallyport: DATABASE_URL is not usable: .+$/m,
    ],
    ['SECRET_KEY is short', { SECRET_KEY: 'c2hvcnQ=' }, /^sallyport: SECRET_KEY is not usable: .+\.$/m],
    [
      'PostgreSQL does not answer',
      { DATABASE_URL: 'postgres://root:pa55@127.0.0.1:1/x', SECRET_KEY: key },
      /^sallyport: DATABASE_URL: PostgreSQL at 127\.0\.0\.1:1 does not answer .+$/m,
    ],
    [
      'SECRET_KEY is missing beside DATABASE_URL',
      { DATABASE_URL: 'postgres://root:pa55@127.0.0.1/x' },
      /^sallyport: SECRET_KEY is missing: .+\.$/m,
    ],
  ])('stops with a sentence when %s', async (_what, env, sentence) => {
    const place = await makePlace({ env })
    const service = place.launch()
    expect(await service.exited).toEqual({ code: 1, signal: null })
    expect(service.errors).toMatch(sentence)
    expect(service.errors.trim().split('\n'), 'one line, no stack').toHaveLength(1)
    expect(service.errors).not.toContain('pa55')
    expect(existsSync(place.dataDir) && readdirSync(place.dataDir)).toEqual([])
  })
})

test('check 40: SIGTERM fails readiness at once, finishes what is in flight and exits with 0', async () => {
  const place = await startedBefore()
  const service = await place.start()
  const { operator_token: token } = readCredentials(place.dataDir)
  const body = { email: 'in-flight@example.com', balance: 500 }
  const request = await beginRequest(service.url, '/operator/v1/users', { token, body })

  service.signal('SIGTERM')
  const signalledMs = service.ageMs
  while ((await service.readiness()) === 200) {
    expect(service.ageMs - signalledMs, 'readiness fails at once').toBeLessThan(2000)
    await sleep(5)
  }
  expect(service.isRunning, 'it waits for the request in flight').toBe(true)
  const answer = await request.finish()
  expect(answer).toMatch(/^HTTP\/1\.1 201 Created\r\n/m)
  const user = JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n'))).data
  expect(await service.exited).toEqual({ code: 0, signal: null })
  expect(service.ageMs - signalledMs).toBeLessThan(10_000)

  const next = await place.start()
  const profile = await call(next.url, 'GET', '/v1/profile', { token: user.api_key })
  expect(profile.body.data).toMatchObject(body)
})

test('check 40: before it leaves it says so and serves on, and those who heed it notice nothing', async () => {
  const place = await startedBefore()
  const drainMs = 5000
  const service = await place.start({ DRAIN_SECONDS: String(drainMs / 1000), RATE_LIMIT_SCALE: '1000' })
  const callers = Array.from({ length: 8 }, () => new KeptAlive(place.port))
  let isServed = true
  const rounds = Promise.all(callers.map((caller) => caller.askWhile(() => isServed, '/v1/openapi.json')))
  await expect.poll(() => callers.every(({ answered }) => answered > 0)).toBe(true)

  service.signal('SIGTERM')
  const signalledMs = service.ageMs
  while ((await service.readiness()) === 200) await sleep(5)
  expect(service.ageMs - signalledMs, 'readiness fails while it serves on').toBeLessThan(drainMs)
  expect((await call(service.url, 'GET', '/healthz')).status).toBe(200)
  // What a load balancer does a moment later.
  await sleep(500)
  isServed = false
  const heard = await rounds
  expect(await service.exited).toEqual({ code: 0, signal: null })
  expect(service.ageMs - signalledMs).toBeGreaterThanOrEqual(drainMs)
  expect(heard.flatMap(({ failures }) => failures)).toEqual([])
  for (const { answered, askedToLeave } of heard) {
    expect(answered).toBeGreaterThan(askedToLeave)
    expect(askedToLeave).toBeGreaterThan(0)
  }
})
