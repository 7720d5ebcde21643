import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const day = 86_400
const buy = (user: TestUser, body?: object) => service.buy(user, body)
const renew = (user: TestUser, id: number, body: object, headers?: Record<string, string>) =>
  service.customer(user, 'POST', `/configs/renewal/${id}`, body, headers)
const balanceOf = async (user: TestUser): Promise<number> =>
  (await service.customer(user, 'GET', '/profile')).body.data.balance
const listed = async (user: TestUser) => (await service.customer(user, 'GET', '/configs')).body.data
const pass = async (seconds: number) => {
  service.clock.advance(seconds)
  await service.heartbeat()
  await service.running.runJobs()
}

describe('POST /configs/renewal/:config_id by balance', () => {
  test('adds the days to the end, at the tariff named or the one bought last', async () => {
    const user = await service.createUser({ balance: 2000 })
    const config = await buy(user)
    const first = await renew(user, config.id, { payment_method_id: 1, tariff_id: 2 })
    expect([first.status, first.body.data]).toEqual([
      201,
      { id: config.id, expires_at: config.expires_at + 90 * day },
    ])
    expect(await balanceOf(user)).toBe(2000 - 200 - 540)
    const second = await renew(user, config.id, { payment_method_id: 1 })
    expect(second.body.data.expires_at).toBe(config.expires_at + 180 * day)
    expect(await balanceOf(user)).toBe(2000 - 200 - 2 * 540)
    const orders = await service.db
      .selectFrom('orders')
      .select(['is_renewal', 'state', 'days'])
      .where('item_id', '=', config.id)
      .orderBy('id')
      .execute()
    expect(orders).toEqual([
      { is_renewal: false, state: 'fulfilled', days: 30 },
      { is_renewal: true, state: 'fulfilled', days: 90 },
      { is_renewal: true, state: 'fulfilled', days: 90 },
    ])
  })

  test('what has ended comes back with the same link, counted from now', async () => {
    const user = await service.createUser({ balance: 400 })
    const config = await buy(user)
    await pass(33 * day)
    expect((await service.call('GET', `/sub/${user.subscription_key}`)).body).not.toContain('vless')
    const { body } = await renew(user, config.id, { payment_method_id: 1 })
    expect(body.data.expires_at).toBe(service.clock.now() + 30 * day)
    const [now] = await listed(user)
    expect(now).toMatchObject({ connection_url: config.connection_url, server_id: config.server_id })
  })

  test('when its server is full it comes back on another; when all are, nothing is charged', async () => {
    const user = await service.createUser({ balance: 5000 })
    const config = await buy(user, { location_id: 3 })
    await pass(31 * day)
    const { db } = service
    await db.updateTable('servers').set({ capacity: 0 }).where('id', '=', config.server_id).execute()
    await renew(user, config.id, { payment_method_id: 1 })
    const [moved] = await listed(user)
    expect(moved.server_id).not.toBe(config.server_id)
    expect(moved.location_id).toBe(3)
    expect(moved.connection_url).not.toBe(config.connection_url)
    await pass(31 * day)
    await db.updateTable('servers').set({ capacity: 0 }).where('location_id', '=', 3).execute()
    const before = await balanceOf(user)
    expect((await renew(user, config.id, { payment_method_id: 1 })).body.errorCode).toBe(22)
    expect(await balanceOf(user)).toBe(before)
    await db.updateTable('servers').set({ capacity: 200 }).where('location_id', '=', 3).execute()
  })

  test('after 14 days it is gone', async () => {
    const user = await service.createUser({ balance: 400 })
    const config = await buy(user, { use_extended_settings: true })
    await pass(30 * day)
    await pass(14 * day)
    expect((await renew(user, config.id, { payment_method_id: 1 })).body.errorCode).toBe(1)
    expect(await listed(user)).toEqual([])
    const row = await service.db
      .selectFrom('terms as t')
      .leftJoin('accesses as a', 'a.term_id', 't.id')
      .leftJoin('node_ports as p', 'p.access_id', 't.item_id')
      .select(['t.state', 'a.id', 'p.port'])
      .where('t.item_id', '=', config.id)
      .executeTakeFirst()
    expect(row).toEqual({ state: 'deleted', id: null, port: null })
  })

  test.each([
    ['neither payment nor promocode', {}, 3],
    ['both', { payment_method_id: 1, promocode: 'ABCD-EFGH' }, 3],
    ['an unknown promocode', { promocode: 'ABCD-EFGH' }, 21],
    ['an unknown method', { payment_method_id: 77 }, 23],
    ['referral earnings there are none of', { payment_method_id: 7 }, 23],
    ['an unknown tariff', { payment_method_id: 1, tariff_id: 77 }, 3],
    ['days, which are not a field here', { payment_method_id: 1, days: 30 }, 3],
  ])('refuses %s', async (_what, body, errorCode) => {
    const user = await service.createUser({ balance: 400 })
    const config = await buy(user)
    expect((await renew(user, config.id, body)).body).toMatchObject({ status: false, errorCode })
    expect(await listed(user)).toEqual([config])
    expect(await balanceOf(user)).toBe(200)
  })

  test('too little money: 402; one key, one effect; auto-renewal as asked', async () => {
    const user = await service.createUser({ balance: 400 })
    const config = await buy(user)
    const headers = { 'idempotency-key': 'again' }
    const body = { payment_method_id: 1, enable_auto_renewal: true }
    const answers = await Promise.all(Array.from({ length: 10 }, () => renew(user, config.id, body, headers)))
    for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body)
    expect(await balanceOf(user)).toBe(0)
    expect((await listed(user))[0]).toMatchObject({ auto_renewal: true, auto_renewal_days: 30 })
    expect((await renew(user, config.id, { payment_method_id: 1 })).body).toMatchObject({
      statusCode: 402,
      errorCode: 20,
    })
  })

  test('two renewals at once both count', async () => {
    const user = await service.createUser({ balance: 1000 })
    const config = await buy(user)
    await Promise.all([1, 2, 3].map(() => renew(user, config.id, { payment_method_id: 1 })))
    expect((await listed(user))[0].expires_at).toBe(config.expires_at + 90 * day)
    expect(await balanceOf(user)).toBe(200)
  })
})

describe('GET /configs/:config_id/serverStats', () => {
  test('means by day, 30 days, oldest first', async () => {
    const user = await service.createUser({ balance: 400 })
    const { id } = await buy(user)
    const { db, clock } = service
    const dayName = (ago: number) => new Date((clock.now() - ago * day) * 1000).toISOString().slice(0, 10)
    const { node_id } = await db.selectFrom('node_status').select('node_id').executeTakeFirstOrThrow()
    const sums = { samples: 4, cpu_sum: 50, ram_sum: 133, up_sum: 10, down_sum: 1 }
    await db
      .insertInto('node_days')
      .values([0, 1, 29, 30].map((ago) => ({ node_id, day: dayName(ago), ...sums })))
      .execute()
    await db
      .updateTable('node_status')
      .set({ uptime_seconds: 3 * day + 5, cpu_model: 'Test CPU' })
      .execute()
    const { body } = await service.customer(user, 'GET', `/configs/${id}/serverStats`)
    const row = { cpu: 12.5, ram: 33.25, up: 2.5, down: 0.25 }
    expect(body.data).toEqual({
      host: '127.0.0.1',
      status: 'up',
      uptime_days: 3,
      cpu_model: 'Test CPU',
      stats: [29, 1, 0].map((ago) => ({ date: dayName(ago), ...row })),
    })
    clock.advance(91)
    const later = await service.customer(user, 'GET', `/configs/${id}/serverStats`)
    expect(later.body.data.status).toBe('down')
    expect((await listed(user))[0].is_online).toBe(false)
  })
})
