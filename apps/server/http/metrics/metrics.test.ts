import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { operationsOf, tablesFor } from '@sallyport/contract/tables'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { enrolNode } from '../../../../test/support/node.ts'
import { startTestService, type TestService, usualOrder } from '../../../../test/support/service.ts'
import { checkLedger } from '../../core/seeing/check-ledger-job.ts'
import { FleetFiguresReader, NodesBehind } from '../../core/seeing/fleet-figures.ts'

/** What /metrics says after this and that has happened. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, env: { MAX_WAITING_REQUESTS: '8' } })
})
afterAll(() => service.stop())

const scrape = async (): Promise<string> => (await service.call('GET', '/metrics')).body
const numberIn = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}
const read = async (series: string): Promise<number | undefined> => numberIn(await scrape(), series)

/** As they are now: an instance keeps them for 15 seconds. */
const figures = async () => {
  const reader = new FleetFiguresReader(
    service.db,
    () => service.clock.now(),
    (error) => {
      throw error
    },
  )
  const { byName, ...rest } = (await reader.read()) ?? {}
  return { ...rest, of: (name: string, label = '') => byName?.get(name)?.get(label) }
}

describe('requests', () => {
  const count = (operation: string, status: string) =>
    `sallyport_http_request_seconds_count{operation="${operation}",status="${status}"}`

  test('are counted by operation and kind of answer', async () => {
    const before = (await read(count('getProfile', '4xx'))) ?? 0
    await service.call('GET', '/v1/profile')
    await service.call('GET', '/v1/profile', { token: 'slp_nobody_nothing' })
    expect(await read(count('getProfile', '4xx'))).toBe(before + 2)
    const user = await service.createUser()
    await service.customer(user, 'GET', '/profile')
    const text = await scrape()
    expect(numberIn(text, count('getProfile', '2xx'))).toBe(1)
    const inf = `sallyport_http_request_seconds_bucket{operation="getProfile",status="2xx",le="+Inf"}`
    expect(numberIn(text, inf)).toBe(1)
    expect(numberIn(text, count('getProfile', '2xx').replace('_count', '_sum'))).toBeGreaterThan(0)
  })

  test('nothing that a caller says becomes a label', async () => {
    const user = await service.createUser()
    const paths = ['/nowhere/at-all', `/sub/${user.subscription_key}`, '/docs', '/v1/configs/1', '/v1/%zz']
    for (const path of paths) await service.call('GET', path)
    await service.call('GET', '/v1/locations', { headers: { 'x-request-id': 'label-of-mine' } })
    const text = await scrape()
    const operations = new Set(
      Array.from(text.matchAll(/http_request_seconds_count\{operation="([^"]*)"/g), ([, name]) => name),
    )
    const others = [
      'health',
      'subscription',
      'provider_webhook',
      'sandbox_page',
      'install',
      'docs',
      'console',
    ]
    const known = new Set([
      ...(['customer', 'operator', 'agent'] as const).flatMap((audience) =>
        Array.from(operationsOf(tablesFor(audience)), ({ name }) => name as string),
      ),
      ...[...others, 'page', 'unknown'],
    ])
    expect([...operations].filter((name) => !known.has(name ?? ''))).toEqual([])
    expect(operations).toContain('subscription')
    expect(operations).toContain('docs')
    for (const said of ['nowhere', user.subscription_key, 'label-of-mine']) expect(text).not.toContain(said)
  })

  test('who is told to come again is counted', async () => {
    const before = (await read('sallyport_http_refused_total')) ?? 0
    const { engine } = service.running.database
    const connections = engine.kind === 'embedded' ? 1 : 10
    const taken = await Promise.all(Array.from({ length: connections }, () => engine.acquire()))
    const asked = Array.from({ length: 30 }, () => service.operator('GET', '/nodes'))
    await expect.poll(() => service.running.database.engine.load().waiting).toBeGreaterThan(0)
    await expect.poll(() => read('sallyport_database_waiting')).toBeGreaterThan(0)
    expect(await read('sallyport_database_connections{state="busy"}')).toBe(connections)
    for (const connection of taken) connection.release()
    const refused = (await Promise.all(asked)).filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    for (const { headers } of refused) expect(headers.get('x-request-id')).not.toBeNull()
    expect(await read('sallyport_http_refused_total')).toBe(before + refused.length)
    expect(await read('sallyport_database_wait_seconds_count')).toBeGreaterThan(0)
  })
})

test('caches tell how often they knew', async () => {
  const user = await service.createUser()
  const series = (outcome: string) =>
    `sallyport_cache_requests_total{cache="credentials",outcome="${outcome}"}`
  const before = await scrape()
  for (let times = 0; times < 3; times++) await service.customer(user, 'GET', '/profile')
  const after = await scrape()
  const more = (outcome: string) =>
    (numberIn(after, series(outcome)) ?? 0) - (numberIn(before, series(outcome)) ?? 0)
  expect([more('hit'), more('miss')]).toEqual([2, 1])
  for (let times = 0; times < 2; times++) await service.call('GET', `/sub/${user.subscription_key}`)
  const hit = 'sallyport_cache_requests_total{cache="subscription_owners",outcome="hit"}'
  expect(await read(hit)).toBeGreaterThan(0)
})

test('jobs tell when they last ran, and how often they failed', async () => {
  await service.running.runJobs()
  const text = await scrape()
  expect(numberIn(text, 'sallyport_job_seconds_count{job_name="watch nodes"}')).toBeGreaterThan(0)
  expect(numberIn(text, 'sallyport_job_age_seconds{job_name="watch nodes"}')).toBeLessThan(60)
  expect(numberIn(text, 'sallyport_job_interval_seconds{job_name="watch nodes"}')).toBe(10)
  await service.db.schema.alterTable('silent_nodes').renameTo('silent_nodes_away').execute()
  await expect(service.running.runJobs()).rejects.toThrow()
  await service.db.schema.alterTable('silent_nodes_away').renameTo('silent_nodes').execute()
  expect(await read('sallyport_job_failures_total{job_name="watch nodes"}')).toBeGreaterThan(0)
})

describe('the whole service', () => {
  test('agents that are away, and nodes without their newest revision', async () => {
    const node = await enrolNode(service, 2)
    await node.report()
    const { revision } = await node.poll(0)
    await node.report({ applied_revision: revision })
    const { nodesBehind: before = 0 } = await figures()
    const user = await service.createUser({ balance: 1000 })
    await service.buy(user, { location_id: 2, server_id: node.serverId })
    await node.report({ applied_revision: revision })
    expect((await figures()).nodesBehind).toBe(before + 1)
    await node.report({ applied_revision: revision + 1 })
    expect((await figures()).nodesBehind).toBe(before)
    service.clock.advance(200)
    const away = await figures()
    expect([away.nodesBehind, away.of('agents_away'), away.of('agent_silence_seconds')]).toEqual([
      0,
      away.of('agents'),
      expect.any(Number),
    ])
    expect(away.of('agent_silence_seconds')).toBeGreaterThanOrEqual(200)
    await node.report({ applied_revision: revision + 1 })
    expect((await figures()).of('agents_away')).toBe((away.of('agents') ?? 0) - 1)
  })

  test('payments by age, and those that nobody could read', async () => {
    const user = await service.createUser()
    const before = await figures()
    await service.heartbeat()
    const asked = await service.customer(user, 'POST', '/configs', { ...usualOrder, payment_method_id: 2 })
    expect(asked.status).toBe(201)
    const more = async (name: string, label = '') =>
      ((await figures()).of(name, label) ?? 0) - (before.of(name, label) ?? 0)
    expect(await more('payments_pending', '10m')).toBe(1)
    service.clock.advance(3601)
    expect([await more('payments_pending', '1d'), await more('payments_unread')]).toEqual([1, 1])
    expect((await figures()).of('due_seconds', 'payments')).toBeGreaterThan(3000)
  })

  test('paid orders that are not given', async () => {
    const user = await service.createUser({ balance: 1000 })
    await service.heartbeat()
    await service.buy(user)
    await sql`update orders set state = 'paid', paid_at = ${service.clock.now() - 50}, next_try_at = ${service.clock.now()}
      where user_id = ${user.id}`.execute(service.db)
    const now = await figures()
    expect([now.of('orders_ungranted'), now.of('orders_ungranted_seconds')]).toEqual([1, 50])
    await sql`update orders set state = 'fulfilled', next_try_at = null where user_id = ${user.id}`.execute(
      service.db,
    )
    const then = await figures()
    expect([then.of('orders_ungranted'), then.of('orders_ungranted_seconds')]).toEqual([0, undefined])
  })

  test('the books, once an hour', async () => {
    service.clock.advance(3600)
    await service.running.runJobs()
    expect((await figures()).of('ledger_imbalance')).toBe(0)
    const user = await service.createUser({ balance: 5 })
    const wallet = sql`where user_id = ${user.id} and kind = 'wallet'`
    await sql`update ledger_accounts set balance = balance + 7 ${wallet}`.execute(service.db)
    service.clock.advance(1800)
    await service.running.runJobs()
    expect((await figures()).of('ledger_imbalance')).toBe(0)
    service.clock.advance(3600)
    await service.running.runJobs()
    const { of } = await figures()
    expect([of('ledger_imbalance'), of('ledger_check_seconds')]).toEqual([7, 0])
    await sql`update ledger_accounts set balance = balance - 7 ${wallet}`.execute(service.db)
  })

  test('a check of the books that fails does not look fresh', async () => {
    service.clock.advance(3600)
    await service.running.runJobs()
    service.clock.advance(7200)
    await sql`alter table ledger_entries rename to ledger_entries_away`.execute(service.db)
    await expect(checkLedger(service.db, service.clock.now())).rejects.toThrow('ledger_entries')
    await sql`alter table ledger_entries_away rename to ledger_entries`.execute(service.db)
    expect((await figures()).of('ledger_check_seconds')).toBe(7200)
    await checkLedger(service.db, service.clock.now())
    expect((await figures()).of('ledger_check_seconds')).toBe(0)
  })

  test('are told at /metrics', async () => {
    const text = await scrape()
    expect(numberIn(text, 'sallyport_agents_away')).toBeGreaterThanOrEqual(0)
    expect(numberIn(text, 'sallyport_figures_age_seconds')).toBeGreaterThanOrEqual(0)
  })

  test('however many ask, the tables are read once in 15 seconds', async () => {
    const reader = new FleetFiguresReader(
      service.db,
      () => service.clock.now(),
      () => undefined,
    )
    const [first, second] = await Promise.all([reader.read(), reader.read()])
    expect(first?.atMs).toBeGreaterThan(0)
    expect(first?.atMs).toBe(second?.atMs)
    expect((await reader.read())?.atMs).toBe(first?.atMs)
  })
})

test('a busy node that gets on is not one that is stuck', () => {
  const behind = new NodesBehind()
  behind.note([{ id: 1, desired: 10, applied: 9 }], 0)
  behind.note([{ id: 1, desired: 20, applied: 15 }], 60_000)
  expect(behind.seconds(60_000)).toBe(0)
  behind.note([{ id: 1, desired: 30, applied: 15 }], 90_000)
  expect([behind.count, behind.seconds(90_000)]).toEqual([1, 30])
  behind.note([], 100_000)
  expect([behind.count, behind.seconds(100_000)]).toEqual([0, 0])
})

test('the last backup, the disk and the release', async () => {
  const own = await startTestService()
  onTestFinished(() => own.stop())
  const file = join(own.env.DATA_DIR as string, 'backup-status.json')
  // The last one failed; what counts is the one before.
  const failed = { finished_at: own.clock.now() - 10, kind: 'full', ok: false, bytes: 0, repository: '/mnt' }
  writeFileSync(file, JSON.stringify({ ...failed, succeeded_at: own.clock.now() - 100 }))
  onTestFinished(() => rmSync(file, { force: true }))
  const { body: text } = await own.call('GET', '/metrics')
  expect(numberIn(text, 'sallyport_backup_age_seconds')).toBe(100)
  const [size = 0, free = 0] = ['size', 'free'].map((what) => numberIn(text, `sallyport_disk_${what}_bytes`))
  expect(free).toBeGreaterThan(0)
  expect(size).toBeGreaterThan(free)
  expect(text).toMatch(/^sallyport_build_info\{version="\d+\.\d+\.\d+",node="v\d+/m)
})

test('a scrape is answered when the database is not', async () => {
  const own = await startTestService()
  const { engine } = own.running.database
  const check = engine.check
  engine.check = () => Promise.reject(new Error('away'))
  await own.db.schema.alterTable('orders').renameTo('orders_away').execute()
  const { status, body: text } = await own.call('GET', '/metrics')
  await own.db.schema.alterTable('orders_away').renameTo('orders').execute()
  engine.check = check
  await own.stop()
  expect(status).toBe(200)
  expect(numberIn(text, 'sallyport_database_up')).toBe(0)
  expect(numberIn(text, 'sallyport_http_connections')).toBeGreaterThan(0)
  expect(numberIn(text, 'sallyport_orders_ungranted')).toBeUndefined()
})
