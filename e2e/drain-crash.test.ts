import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase, patiently } from '../test/support/databases/database.ts'
import { brokenRules } from '../test/support/databases/invariants.ts'
import { fillPostgres } from '../test/support/databases/production.ts'
import { describeWith } from '../test/support/engines/engines.ts'
import { startLater } from '../test/support/later.ts'
import { postgresql } from '../test/support/pieces.ts'
import { call, demand } from './support/call.ts'
import { multiply } from './support/many-customers.ts'
import { makePlace, type ServiceProcess } from './support/process.ts'

const customers = 5000
const timeout = 30 * 60_000

interface Shown {
  readonly state: string
  readonly total: number
  readonly moved: number
  readonly left: number
  readonly failed: readonly unknown[]
}

/** A server with thousands of customers is emptied by a service that is killed twice while it does so. */
describeWith(postgresql, 'a server is emptied', () => {
  test('by a service that is killed: nobody is left behind, and nobody moves twice', {
    timeout,
  }, async ({ onTestFinished: onEnd }) => {
    const { databaseUrl = '', remove } = await createTestDatabase('postgres')
    onEnd(remove)
    const secretKey = randomBytes(32).toString('base64')
    const token = await fillPostgres(databaseUrl, secretKey)
    const env = { DATABASE_URL: patiently(databaseUrl), SECRET_KEY: secretKey, SANDBOX_PAYMENTS: 'on' }
    const place = await makePlace({ env, onEnd })
    const pool = new pg.Client({ connectionString: databaseUrl })
    // The database goes before this does when the test fails.
    pool.on('error', () => undefined)
    await pool.connect()
    const query = async (sql: string) => (await pool.query(sql)).rows as Record<string, unknown>[]

    let service: ServiceProcess = await place.start()
    const operate = (method: string, path: string, body?: object) =>
      demand(service.url, method, `/operator/v1${path}`, { token, ...(body && { body }) })
    const addServer = async (name: string): Promise<number> => {
      const node = await operate('POST', '/nodes', { name, address: '203.0.113.9' })
      await query(`update nodes set sells_without_engine = true where id = ${node.id}`)
      await query(`update node_status set last_seen_at = 99999999999 where node_id = ${node.id}`)
      const server = await operate('POST', '/servers', {
        node_id: node.id,
        location_id: 1,
        capacity: 20_000,
        reality_target: 'www.example.com:443',
        reality_server_name: 'www.example.com',
      })
      return server.id
    }
    const [from, to, other] = [await addServer('from'), await addServer('to'), await addServer('other')]
    const buyer = await operate('POST', '/users', { balance: 100_000 })
    const order = { location_id: 1, server_id: from, payment_method_id: 1, tariff_id: 1 }
    for (const protocol of ['vless', 'amnezia-wg-2']) {
      const bought = await call(service.url, 'POST', '/v1/configs', {
        token: buyer.api_key,
        body: { ...order, protocol },
      })
      expect(bought.status, JSON.stringify(bought.body)).toBe(201)
      await sleep(1100)
    }
    expect(await service.terminate()).toEqual({ code: 0, signal: null })
    await multiply(query, { userId: buyer.id, serverId: from, times: customers / 2 })
    expect(await brokenRules(query)).toEqual([])

    service = await place.start()
    const path = `/servers/${from}/drain`
    const show = (): Promise<Shown> => operate('GET', path)
    const untilMoved = async (many: number): Promise<void> => {
      while ((await show()).moved < many) await sleep(100)
    }
    const started: Shown = await operate('POST', path, { to_server_ids: [to, other] })
    expect(started.total).toBe(customers + 2)
    for (const part of [0.2, 0.6]) {
      await untilMoved(customers * part)
      await service.kill()
      service = await place.start()
    }
    await untilMoved(customers + 2)
    expect(await show()).toEqual({
      state: 'waiting',
      total: customers + 2,
      moved: customers + 2,
      left: 0,
      failed: [],
      failed_total: 0,
    })
    expect(await service.terminate()).toEqual({ code: 0, signal: null })
    const [held] = await query(
      'select count(*)::int as copies, count(distinct access_id)::int as accesses from held_accesses',
    )
    expect(held).toEqual({ copies: customers + 2, accesses: customers + 2 })
    expect(await brokenRules(query)).toEqual([])

    await query('update held_accesses set until = 1')
    const later = await startLater(place.env)
    for (let round = 0; round < 2; round++) await later.runJobs()
    await later.stop()
    expect(await query(`select state from server_drains where server_id = ${from}`)).toEqual([
      { state: 'done' },
    ])
    expect(await brokenRules(query)).toEqual([])
    await pool.end()
  })
})
