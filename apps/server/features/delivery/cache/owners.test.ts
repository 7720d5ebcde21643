import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { enrolNode } from '../../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { tellMoved } from '../../../core/fleet/changed-traffic-message.ts'
import { Bus } from '../../../core/kernel/bus.ts'
import type { Database, Db } from '../../../db/client.ts'
import {
  changedOwnersByHash,
  currentStates,
  ownersByHash,
  type SubscriptionOwner,
  wholeStates,
} from '../queries.ts'
import { ChangedTraffic } from './changed-traffic.ts'
import { type Known, OwnerCache } from './owners.ts'

describe('what is asked of the database', () => {
  const at = (name: string, now: number) => ({ keyHash: Buffer.from(name), keyName: name, device: null, now })

  /** Answers with what stands in `rows` when it is asked. */
  const database = (owner: Partial<SubscriptionOwner>) => {
    const asked: string[] = []
    const settings = { block_unknown_devices: false, device_limit: 0, settings_version: 1, device_id: null }
    const whole = { title: null, has_blocked: false, options: [], ...settings, ...owner, at: 1 }
    const rows: Partial<SubscriptionOwner>[] = [whole]
    const executeQuery = async ({ sql }: CompiledQuery) => {
      asked.push(sql)
      return { rows }
    }
    return { asked, rows, db: { executeQuery } as unknown as Db }
  }

  const fetchWith = async (owners: OwnerCache, now: number) => {
    const known = owners.known(at('key', now))
    return (known && (await owners.ask(at('key', now), known))) ?? (await owners.read(at('key', now)))
  }

  const liveBus = async (): Promise<Bus> => {
    const bus = new Bus()
    const listen = async (_channel: string, { onLive }: { onLive: (isLive: boolean) => void }) => onLive(true)
    await bus.start({ engine: { listen } } as unknown as Database)
    return bus
  }

  test('all of an owner once, then one short read a fetch, and all but the traffic with another revision', async () => {
    const { asked, rows, db } = database({ revision: 1, counted: [7], upload: 5, download: 6 })
    const owners = new OwnerCache(db, new ChangedTraffic(await liveBus()))
    for (let n = 0; n < 3; n++) await fetchWith(owners, 100)
    expect(asked.splice(0)).toEqual([ownersByHash.sql, currentStates.sql, currentStates.sql])
    Object.assign(rows[0] ?? {}, { revision: 2 })
    Object.assign(rows[0] ?? {}, { upload: 0, download: 0 })
    expect(await fetchWith(owners, 100)).toMatchObject({ revision: 2, upload: 5, download: 6 })
    expect(asked.splice(0)).toEqual([currentStates.sql, changedOwnersByHash.sql])
    await fetchWith(owners, 100)
    expect(asked).toEqual([currentStates.sql])
  })

  test('all of it where the traffic moved too, is of other terms, or is of what was put together', async () => {
    const bus = await liveBus()
    const askedAfter = async (before: object, after: object, happens: () => void) => {
      const { asked, rows, db } = database({ revision: 1, counted: [7], ...before })
      const owners = new OwnerCache(db, new ChangedTraffic(bus))
      await fetchWith(owners, 100)
      asked.length = 0
      Object.assign(rows[0] ?? {}, { revision: 2, ...after })
      happens()
      await fetchWith(owners, 100)
      return asked
    }
    const nothing = () => undefined
    const moved = () => bus.deliver(tellMoved([7]) as string)
    expect(await askedAfter({}, {}, moved)).toEqual([wholeStates.sql, ownersByHash.sql])
    expect(await askedAfter({}, { counted: [8] }, nothing)).toEqual([
      currentStates.sql,
      changedOwnersByHash.sql,
      ownersByHash.sql,
    ])
    expect(await askedAfter({ kind: 'custom' }, {}, nothing)).toEqual([currentStates.sql, ownersByHash.sql])
  })

  test('one read for many who ask at once, also when it fails', async () => {
    const { asked, rows, db } = database({ revision: 1, counted: [] })
    const owners = new OwnerCache(db, new ChangedTraffic(await liveBus()))
    const names = Array.from({ length: 40 }, (_, n) => `key ${n}`)
    for (const name of names) await owners.read(at(name, 0))
    asked.length = 0
    const askAll = () =>
      Promise.all(names.map((name) => owners.ask(at(name, 0), owners.known(at(name, 0)) as Known)))
    rows.length = 0
    rows.push(
      ...Array.from({ length: 16 }, (_, n) => ({ revision: 1, device_id: n, at: 16 - n, device_limit: n })),
    )
    const limits = (await askAll()).map((owner) => owner?.device_limit)
    const together = Array.from({ length: 16 }, (_, n) => 15 - n)
    expect(limits).toEqual([...together, ...together, ...together.slice(0, 8)])
    expect(asked).toEqual([currentStates.sql, currentStates.sql, currentStates.sql])
    Object.assign(db, { executeQuery: () => Promise.reject(new Error('the database is away')) })
    await expect(askAll()).rejects.toThrow('the database is away')
  })

  test('the traffic with it once after each time that it moved, and each time while nobody would tell', async () => {
    const bus = await liveBus()
    const { asked, db } = database({ revision: 1, counted: [7, 8], upload: 5, download: 6 })
    const owners = new OwnerCache(db, new ChangedTraffic(bus, 3))
    const names = new Map([
      [currentStates.sql, 'row'],
      [wholeStates.sql, 'traffic'],
      [ownersByHash.sql, 'all'],
    ])
    const askedNow = async () => {
      asked.length = 0
      const owner = await fetchWith(owners, 100)
      expect(owner?.texts.userInfo).toContain('upload=5; download=6;')
      return asked.map((sql) => names.get(sql))
    }
    expect(await askedNow()).toEqual(['all'])
    const tell = (...termIds: number[]) => bus.deliver(tellMoved(termIds) as string)
    const many = Array.from({ length: 1000 }, (_, n) => n + 100)
    for (const [happens, first] of [
      [() => tell(9), 'row'],
      [() => tell(8, 9), 'traffic'],
      [() => tell(10, 11), 'traffic'],
      [() => tell(...many), 'traffic'],
      [() => tell(7), 'traffic'],
    ] as const) {
      happens()
      expect([...(await askedNow()), ...(await askedNow())]).toEqual([first, 'row'])
    }
    Object.defineProperty(bus, 'isLive', { value: false })
    expect([...(await askedNow()), ...(await askedNow())]).toEqual(['traffic', 'traffic'])
  })

  test('of a key that is gone nothing is known any more', async () => {
    const { rows, db } = database({ revision: 1, counted: [] })
    const owners = new OwnerCache(db, new ChangedTraffic(await liveBus()))
    await fetchWith(owners, 100)
    const known = owners.known(at('key', 100)) as Known
    rows.length = 0
    expect(await owners.ask(at('key', 100), known)).toBeNull()
    expect(owners.known(at('key', 100))).toBeUndefined()
  })

  test('no more owners are known than were allowed', async () => {
    const { db } = database({ revision: 1 })
    const owners = new OwnerCache(db, new ChangedTraffic(new Bus()), 2)
    for (const name of ['one', 'two', 'three']) await owners.read(at(name, 0))
    expect(owners.size).toBe(2)
    expect(['one', 'two', 'three'].map((name) => owners.known(at(name, 0)) !== undefined)).toEqual([
      false,
      true,
      true,
    ])
  })

  test('who asks stays known, who has not for longest goes', async () => {
    const { db } = database({ revision: 1 })
    const owners = new OwnerCache(db, new ChangedTraffic(new Bus()), 2)
    for (const name of ['one', 'two']) await owners.read(at(name, 0))
    owners.known(at('one', 0))
    await owners.read(at('three', 0))
    expect(['one', 'two', 'three'].map((name) => owners.known(at(name, 0)) !== undefined)).toEqual([
      true,
      false,
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
    const browser = { accept: 'text/html' }
    for (let n = 0; n < 2; n++) expect((await get(user, browser)).status).toBe(200)
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
    const browser = { accept: 'text/html' }
    expect((await get(user, browser)).headers.get('x-hwid-not-supported')).toBe('true')
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

  test('its traffic once an agent has reported it', async () => {
    const node = await enrolNode(service, 7)
    await node.report()
    const user = await service.createUser({ balance: 1000 })
    const { id } = await service.buy(user, { location_id: 7, server_id: node.serverId })
    const told = async () => (await get(user)).headers.get('subscription-userinfo')
    for (const down of [0, 7000, 7000, 9000]) {
      await node.report({ traffic: [{ boot_id: 'boot', id: `a${id}`, up: 500, down }] })
      for (let n = 0; n < 2; n++) expect(await told()).toMatch(`upload=500; download=${down};`)
    }
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
