import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import type { Db } from '../../../db/client.ts'
import { ownerByHash, type SubscriptionOwner, standingOfNameless } from '../queries.ts'
import { KnownOwners } from './owners.ts'

describe('what is asked of the database', () => {
  const at = (name: string, now: number) => ({ keyHash: Buffer.from(name), keyName: name, device: null, now })

  const answering = (owner: Partial<SubscriptionOwner>) => {
    const asked: string[] = []
    const settings = { block_unknown_devices: false, device_limit: 0, settings_version: 1 }
    const whole = { title: null, has_blocked: false, options: [], ...settings, ...owner }
    const executeQuery = async ({ sql }: CompiledQuery) => {
      asked.push(sql)
      return { rows: [whole] }
    }
    return { asked, db: { executeQuery } as unknown as Db }
  }

  const fetchWith = async (owners: KnownOwners, db: Db, now: number) => {
    const known = owners.known(at('key', now))
    return (known && (await owners.ask(db, at('key', now), known))) ?? (await owners.read(db, at('key', now)))
  }

  test('all of an owner once, then one short read a fetch, and all again with another revision or after a while', async () => {
    const owners = new KnownOwners()
    const first = answering({ revision: 1 })
    for (let n = 0; n < 3; n++) await fetchWith(owners, first.db, 100)
    expect(first.asked).toEqual([ownerByHash.sql, standingOfNameless.sql, standingOfNameless.sql])
    const raised = answering({ revision: 2 })
    expect((await fetchWith(owners, raised.db, 100))?.revision).toBe(2)
    expect(raised.asked).toEqual([standingOfNameless.sql, ownerByHash.sql])
    const later = answering({ revision: 2 })
    await fetchWith(owners, later.db, 159)
    await fetchWith(owners, later.db, 160)
    expect(later.asked).toEqual([standingOfNameless.sql, ownerByHash.sql])
  })

  test('no more owners are known than were allowed', async () => {
    const owners = new KnownOwners(2)
    const { db } = answering({ revision: 1 })
    for (const name of ['one', 'two', 'three']) await owners.read(db, at(name, 0))
    expect(owners.size).toBe(2)
    expect(['one', 'two', 'three'].map((name) => owners.known(at(name, 0)) !== undefined)).toEqual([
      false,
      true,
      true,
    ])
  })
})

describe('of an owner who is known, the next fetch sees', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService({ withoutLimits: true })
  })
  beforeEach(() => service.heartbeat())
  afterAll(() => service.stop())

  const get = (user: TestUser, headers: Record<string, string> = {}) =>
    service.call('GET', `/sub/${user.subscription_key}?format=links`, { headers })

  const buyer = async (): Promise<TestUser> => {
    const user = await service.createUser({ balance: 10_000 })
    await service.buy(user)
    for (let n = 0; n < 2; n++) expect((await get(user)).status).toBe(200)
    return user
  }

  const block = (user: TestUser, isBlocked: boolean) =>
    service.db.updateTable('users').set({ is_blocked: isBlocked }).where('id', '=', user.id).execute()

  test('that the account is blocked, and that it is not any more', async () => {
    const user = await buyer()
    await block(user, true)
    expect((await get(user)).status).toBe(404)
    await block(user, false)
    expect((await get(user)).status).toBe(200)
  })

  test('that the key was replaced', async () => {
    const user = await buyer()
    const { body } = await service.customer(user, 'PATCH', '/profile/subscriptionLink')
    expect((await get(user)).status).toBe(404)
    expect((await get({ ...user, subscription_key: body.data })).status).toBe(200)
  })

  test('the settings of its devices, and a device that was blocked', async () => {
    const user = await buyer()
    const phone = { 'x-hwid': 'phone-of-somebody' }
    expect((await get(user, phone)).headers.get('x-hwid-active')).toBeNull()
    await service.customer(user, 'PATCH', '/profile/devices/settings', { device_limit: 1 })
    expect((await get(user, phone)).headers.get('x-hwid-active')).toBe('true')
    expect((await get(user, { 'x-hwid': 'laptop-of-somebody' })).headers.get('x-hwid-limit')).toBe('true')
    await service.customer(user, 'PATCH', '/profile/devices/settings', { device_limit: 0 })
    const { id } = await service.db
      .selectFrom('devices')
      .innerJoin('subscriptions', 'subscriptions.id', 'devices.subscription_id')
      .select('devices.id')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    await service.customer(user, 'PATCH', `/profile/devices/${id}/blocked`, { is_blocked: true })
    expect((await get(user, phone)).headers.get('x-hwid-limit')).toBe('true')
    expect((await get(user)).headers.get('x-hwid-not-supported')).toBe('true')
  })

  test('what was sold without anything on a node yet', async () => {
    const user = await buyer()
    const expiresAt = service.clock.now() + 1e8
    await service.db
      .insertInto('terms')
      .values({
        user_id: user.id,
        product: 'cloud_servers',
        item_id: 1,
        expires_at: expiresAt,
        created_at: service.clock.now(),
      })
      .execute()
    expect((await get(user)).headers.get('subscription-userinfo')).toContain(`expire=${expiresAt}`)
  })

  test('its traffic after a minute at the latest', async () => {
    const user = await buyer()
    await service.db
      .updateTable('meters')
      .set({ up: 5, down: 7 })
      .where('term_id', 'in', (eb) => eb.selectFrom('terms').select('id').where('user_id', '=', user.id))
      .execute()
    service.clock.advance(60)
    expect((await get(user)).headers.get('subscription-userinfo')).toMatch(/^upload=5; download=7;/)
  })

  test('an option that has ended no more, and asks for no place in it', async () => {
    const user = await service.createUser({ balance: 10_000 })
    const bought = await service.customer(user, 'POST', '/paid-options', {
      paid_option_id: 1,
      payment_method_id: 1,
      tariff_id: 11,
    })
    expect(bought.status).toBeLessThan(300)
    const { expires_at } = await service.db
      .selectFrom('terms')
      .select('expires_at')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    const phone = { 'x-hwid': 'phone-of-somebody' }
    service.clock.advance(expires_at - 10 - service.clock.now())
    await service.heartbeat()
    const before = String((await get(user, phone)).body).split('\n')
    expect(before.length).toBeGreaterThan(1)
    service.clock.advance(10)
    const after = String((await get(user, { 'x-hwid': 'laptop-of-somebody' })).body).split('\n')
    expect(after).toHaveLength(1)
    const devices = await service.db
      .selectFrom('devices')
      .innerJoin('subscriptions', 'subscriptions.id', 'devices.subscription_id')
      .select('subscriptions.kind')
      .where('user_id', '=', user.id)
      .orderBy('devices.id')
      .execute()
    expect(devices.map(({ kind }) => kind)).toEqual(['account', 'paid_option', 'account'])
  })
})
