import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askPostgres } from '../../../test/support/databases/ask.ts'
import { testSecretKey } from '../../../test/support/databases/demo-database.ts'
import { type Gate, openGate } from '../../../test/support/databases/gate.ts'
import { followed, type PostgresServer, startPostgres } from '../../../test/support/databases/postgres.ts'
import { fillPostgres } from '../../../test/support/databases/production.ts'
import { quickFolder } from '../../../test/support/databases/quick-folder.ts'
import { freePort } from '../../../test/support/ports.ts'
import { openLimiter } from '../../../test/support/service.ts'
import { readConfig } from '../config.ts'
import { type RunningService, startService } from '../main.ts'

/** Two servers of which one follows the other, a way that leads to the primary, and the service behind it. */
const servers: PostgresServer[] = []
let gate: Gate
let service: RunningService
let token: string
const live: boolean[] = []

const portOf = ({ url }: PostgresServer): number => Number(new URL(url).port)

const follow = async (primary: PostgresServer, port?: number): Promise<PostgresServer> => {
  const options = { settings: followed, standbyOf: primary.url, ...(port && { port }) }
  const standby = (await startPostgres(quickFolder(), options)) as PostgresServer
  servers.push(standby)
  return standby
}

beforeAll(async () => {
  const primary = (await startPostgres(quickFolder(), { settings: followed })) as PostgresServer
  servers.push(primary)
  token = await fillPostgres(primary.url, testSecretKey)
  await follow(primary)
  gate = await openGate(portOf(primary))
  const through = Object.assign(new URL(primary.url), { port: gate.port })
  const config = readConfig({
    DATABASE_URL: through.href,
    SECRET_KEY: testSecretKey,
    PORT: String(await freePort()),
    DATA_DIR: '/nonexistent',
    LOG_LEVEL: 'silent',
    WARP_URL: 'http://127.0.0.1:9',
  })
  service = await startService(config, { limiter: openLimiter })
  service.services.bus.onLive((isLive) => live.push(isLive))
})

afterAll(async () => {
  await service?.stop()
  await gate?.close()
  for (const server of servers) await server.stop()
})

const call = async (method: string, path: string, body?: object) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${service.url}/operator/v1${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  const { status } = response
  return { status, retryAfter: response.headers.get('retry-after'), body: (await response.json()) as never }
}

let made = 0
const write = () => call('POST', '/users', { email: `customer-${++made}@example.com` })
const read = () => call('GET', '/users?limit=1')

/** Reads and writes all the while, until told to stop: everything that was answered, and when writing went well again. */
const trade = () => {
  let isOver = false
  const seen: { status: number; retryAfter: string | null; atMs: number; tookMs: number }[] = []
  const loop = async (work: typeof read) => {
    while (!isOver) {
      const begun = performance.now()
      const { status, retryAfter } = await work()
      seen.push({ status, retryAfter, atMs: performance.now(), tookMs: performance.now() - begun })
      await sleep(20)
    }
  }
  const loops = Promise.all([loop(write), loop(write), loop(write), loop(read), loop(read)])
  return async () => {
    isOver = true
    await loops
    return seen
  }
}

/** Until three writes in a row go well, for ten seconds at the most; how long it took. */
const untilWell = async (): Promise<number> => {
  const begun = performance.now()
  const nextThree = async () => [await write(), await write(), await write()].map(({ status }) => status)
  await expect.poll(nextThree, { timeout: 10_000, interval: 100 }).toEqual([201, 201, 201])
  return performance.now() - begun
}

/** Nothing but success and "come again"; what failed said when. */
const expectPolite = (seen: Awaited<ReturnType<ReturnType<typeof trade>>>) => {
  expect(seen.filter(({ status }) => ![200, 201, 503].includes(status))).toEqual([])
  for (const { status, retryAfter } of seen) if (status === 503) expect(retryAfter).not.toBeNull()
}

test('a primary that is killed is replaced by its standby within ten seconds', async () => {
  const [primary, standby] = servers as [PostgresServer, PostgresServer]
  const stop = trade()
  await sleep(300)
  process.kill(primary.pid, 'SIGKILL')
  await sleep(200)
  await askPostgres(standby, 'select pg_promote()')
  gate.leadTo(portOf(standby))
  await untilWell()
  expectPolite(await stop())
  await expect.poll(() => live.at(-1), { timeout: 5000 }).toBe(true)
  expect(live).toContain(false)
  await service.database.engine.check()
})

test('a way that leads to a standby is as bad as none, and heals', async () => {
  const [, primary] = servers as [PostgresServer, PostgresServer]
  const standby = await follow(primary)
  gate.leadTo(portOf(standby))
  gate.cut()
  const [wrote, ready] = [await write(), await service.database.engine.check().catch((error) => error.code)]
  expect([wrote.status, wrote.retryAfter !== null, ready]).toEqual([503, true, '08006'])
  expect((await read()).status).toBe(503)
  gate.leadTo(portOf(primary))
  await untilWell()
})

test('a connection that can only read is thrown away', async () => {
  const [, primary] = servers as [PostgresServer, PostgresServer]
  await askPostgres(primary, 'alter database postgres set default_transaction_read_only = on')
  gate.cut()
  await expect.poll(async () => (await write()).retryAfter, { timeout: 5000 }).not.toBeNull()
  const refused = await write()
  expect([refused.status, refused.retryAfter !== null]).toEqual([503, true])
  await askPostgres(
    primary,
    'set transaction read write; alter database postgres reset default_transaction_read_only',
  )
  await untilWell()
})

test('a machine that vanishes without a word is left within ten seconds', async () => {
  const [, , standby] = servers as [PostgresServer, PostgresServer, PostgresServer]
  const stop = trade()
  await sleep(300)
  gate.silence()
  await askPostgres(standby, 'select pg_promote()')
  gate.leadTo(portOf(standby))
  await untilWell()
  const seen = await stop()
  expectPolite(seen)
  expect(Math.max(...seen.map(({ tookMs }) => tookMs))).toBeLessThan(10_000)
  await expect.poll(() => live.at(-1), { timeout: 12_000 }).toBe(true)
})
