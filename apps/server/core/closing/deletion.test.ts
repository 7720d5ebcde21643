import { CompiledQuery, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { enrolNode } from '../../../../test/support/node.ts'
import { accountOf } from '../../../../test/support/people/account.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../test/support/service.ts'

const day = 86_400
const card = '2200150000001237'

let service: TestService
let account: ReturnType<typeof accountOf>
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  account = accountOf(service)
})
beforeEach(async () => {
  await service.heartbeat()
  user = await service.createUser({ balance: 2000, referral_balance: 3000 })
})
// An event of the sandbox may still be on its way.
afterEach(() => expect.poll(() => account.broken(), { timeout: 10_000 }).toEqual([]))
afterAll(() => service.stop())

const jobs = () => service.running.runJobs()
const query = async (text: string) =>
  (await service.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text))).rows
const balanceOf = async ({ id }: TestUser): Promise<number> =>
  (await service.operator('GET', `/users?search=${id}`)).body.data.items[0].balance
const withdraw = (amount = 1000) =>
  service.customer(user, 'POST', '/profile/referral/withdraw/card', { card_number: card, amount })
const pendingId = async () =>
  (await service.operator('GET', '/withdrawals?status=pending')).body.data[0].id as number

/** Every row of every table as the database writes it, bytes in hex. */
const dump = async (): Promise<string> => {
  const tables = await query(`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`)
  const texts = await Promise.all(tables.map(({ name }) => query(`select t::text as row from "${name}" t`)))
  return texts.flatMap((rows) => rows.map(({ row }) => row)).join('\n')
}

describe('what is erased', () => {
  /** Whatever could be planted, wherever a person can be recognised by it. */
  const plant = async (): Promise<string[]> => {
    const { id } = user
    const { id: configId } = await service.buy(user, { enable_auto_renewal: true })
    await service.customer(user, 'PATCH', `/configs/title/${configId}`, { title: 'Dacha of Vera' })
    const lapsed = await service.buy(user)
    const longAgo = { expires_at: 1 }
    await service.db.updateTable('terms').set(longAgo).where('item_id', '=', lapsed.id).execute()
    await account.own(user, 'POST', '/profile/api-keys', { title: 'key of Vera' })
    await withdraw()
    const { body } = await service.operator('POST', `/withdrawals/${await pendingId()}/reject`, {
      reason: 'no such card',
    })
    expect(body.status).toBe(true)
    await service.operator('POST', `/users/${id}/pricing-rules`, { type: 'all', percent: -5 })
    const now = service.clock.now()
    const identity = { user_id: id, provider: 'telegram', subject: '770077007', created_at: now }
    await service.db.insertInto('identities').values(identity).execute()
    await account.pay(await account.order(user, '/profile/balance/topup', { amount: 100 }))
    await jobs()
    await service.db.updateTable('receipts').set({ payer: '770077007' }).execute()
    await sql`insert into devices (subscription_id, hwid_hash, device_name, device_type, device_model, os_version,
      is_fingerprinted, created_at, last_seen_at)
      select s.id, '\\x01', 'iPhone of Vera', 'ios', 'iPhone', '18', true, ${now}, ${now}
      from subscriptions s where s.user_id = ${id}`.execute(service.db)
    await sql`insert into passkeys (user_id, credential_id, public_key, counter, title, created_at)
      values (${id}, '\\x0770', '\\x02', 0, 'laptop of Vera', ${now})`.execute(service.db)
    return [
      'vera.planted@example.com',
      '770077007',
      'of Vera',
      'Vera',
      '220015******1237',
      user.referral_code,
      user.api_key.slice(4, 12),
    ]
  }

  test('everything personal is gone from every table, and the books are whole', async () => {
    user = await service.createUser({
      email: 'vera.planted@example.com',
      balance: 2000,
      referral_balance: 3000,
    })
    const planted = await plant()
    const before = await dump()
    const { uuid } = await account.get(user, '/profile')
    expect(planted.filter((text) => !before.includes(text))).toEqual([])

    expect((await account.erase(user)).body).toMatchObject({ status: true, data: true })
    const after = await dump()
    expect([...planted, uuid].filter((text) => after.includes(text))).toEqual([])
    const [row] = (await service.operator('GET', `/users?search=${user.id}`)).body.data.items
    expect(row).toMatchObject({ email: null, balance: 2000 - 2 * 200 + 100, deleted_at: service.clock.now() })
    expect((await account.events(user))[0]).toMatchObject({ kind: 'deleted', details: { configs: 1 } })
    await jobs()
    expect(await account.broken()).toEqual([])
  })

  test('a refund under way still knows whom it goes to', async () => {
    await account.pay(await account.order(user, '/configs', usualOrder))
    await jobs()
    const [order] = (await service.operator('GET', `/payments?user_id=${user.id}&limit=1`)).body.data
    await service.db.updateTable('receipts').set({ payer: '55' }).where('order_id', '=', order.id).execute()
    await service.operator('POST', `/payments/${order.id}/refund`, { to: 'source', reason: 'asked' })
    await account.erase(user)
    const of = () => query(`select payer from receipts where order_id = ${order.id}`)
    expect(await of()).toEqual([{ payer: '55' }])
    await jobs()
    const { body } = await service.operator('GET', `/payments/${order.id}`)
    expect(body.data.state).toBe('refunded')
    expect(await of()).toEqual([{ payer: null }])
  })
})

describe('what stops working', () => {
  test('keys, sessions and the subscription, at once; the address may sign up again', async () => {
    const email = 'again@example.com'
    user = await service.createUser({ email })
    const sub = () => service.call('GET', `/sub/${user.subscription_key}`)
    const asks = () => [
      account.own(user, 'GET', '/profile'),
      service.customer(user, 'GET', '/profile'),
      account.own(user, 'POST', '/profile/transfer/createKey'),
    ]
    expect([(await sub()).status, (await asks()[0])?.status, (await asks()[1])?.status]).toEqual([
      200, 200, 200,
    ])
    expect((await account.erase(user)).status).toBe(200)
    expect((await Promise.all(asks())).map(({ status }) => status)).toEqual([401, 401, 401])
    expect((await account.erase(user)).body.errorCode).toBe(2)
    expect((await sub()).status).toBe(404)
    const again = await service.createUser({ email })
    expect(again.id).not.toBe(user.id)
  })

  test('what was bought: the node is told, and the last slot is free', async () => {
    await service.db.updateTable('servers').set({ capacity: 0 }).where('location_id', '=', 3).execute()
    const node = await enrolNode(service, 3, { capacity: 1 })
    await node.report()
    const place = { location_id: 3, server_id: node.serverId }
    const { id } = await service.buy(user, place)
    const { revision } = await node.poll(0)
    const other = await service.createUser({ balance: 200 })
    const order = { ...usualOrder, ...place }
    expect((await service.customer(other, 'POST', '/configs', order)).body.errorCode).toBe(22)
    const waiting = node.poll(revision, 30)
    await account.erase(user)
    expect(await waiting).toMatchObject({ kind: 'delta', accesses: [], removed: [`a${id}`] })
    expect((await node.poll(0)).accesses).toEqual([])
    expect((await service.customer(other, 'POST', '/configs', order)).status).toBe(201)
  })

  test('proxies, personal instances, bridges and ports go with the configurations', async () => {
    const options = { use_extended_settings: true, use_warp: true }
    const [first, second] = [await service.buy(user, options), await service.buy(user)]
    await service.customer(user, 'POST', `/configs/${second.id}/subconfig`, { protocol: 'http' })
    const bridge = { first_config_id: first.id, second_config_id: second.id }
    await service.customer(user, 'POST', '/configs/makeBridge', bridge)
    const ids = `(${first.id}, ${second.id})`
    const left = () =>
      query(`select id from accesses where id in ${ids} or beside_id in ${ids}
        union all select access_id from warp_accounts where access_id in ${ids}
        union all select entry_id from bridges where user_id = ${user.id}
        union all select p.port from node_ports p join accesses a on a.id = p.access_id
          where a.id in ${ids} or a.beside_id in ${ids}`)
    const ports = await query(`select port from node_ports where access_id is not null`)
    expect((await left()).length).toBe(7)
    await account.erase(user)
    expect(await left()).toEqual([])
    const stillTaken = await query(`select port from node_ports where access_id is not null`)
    expect(stillTaken.length).toBe(ports.length - 2)
  })

  test('nothing is renewed or reminded of afterwards, and nobody signs up by its code', async () => {
    await service.buy(user, { enable_auto_renewal: true })
    await account.erase(user)
    service.clock.advance(29.5 * day)
    await service.heartbeat()
    await jobs()
    expect(await balanceOf(user)).toBe(1800)
    const { referral_code } = (await service.operator('GET', `/users?search=${user.id}`)).body.data.items[0]
    for (const code of [user.referral_code, referral_code]) {
      expect((await service.operator('POST', '/users', { referral_code: code })).status).toBe(400)
    }
  })
})

test('a withdrawal that waits is in the way until it is decided', async () => {
  await withdraw()
  const refused = await account.erase(user)
  expect([refused.status, refused.body.details[0].problem]).toEqual([
    409,
    expect.stringContaining('withdrawal'),
  ])
  expect(await account.get(user, '/configs')).toEqual([])
  await service.operator('POST', `/withdrawals/${await pendingId()}/approve`)
  expect((await account.erase(user)).status).toBe(200)
})
