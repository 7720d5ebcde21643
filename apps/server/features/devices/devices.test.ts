import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const path = '/profile/devices'
const notFound = { status: false, statusCode: 404, errorCode: 40, message: 'DEVICE_NOT_FOUND' }

const seen = (user: TestUser, name: string, key = user.subscription_key) =>
  service.call('GET', `/sub/${key}`, {
    headers: {
      'x-hwid': `hwid-of-device-${name}`,
      'x-device-model': name,
      'x-device-os': 'iOS',
      'x-ver-os': '18.1',
    },
  })

const list = async (user: TestUser, query = '') =>
  (await service.customer(user, 'GET', `${path}${query}`)).body.data

const namesOf = (page: { devices: { device_name: string }[] }) =>
  page.devices.map((device) => device.device_name)

const idOf = async (user: TestUser, name: string): Promise<number> => {
  const { devices } = await list(user, '?limit=100')
  return devices.find((device: { device_name: string }) => device.device_name === name).id
}

const withDevices = async (...names: string[]): Promise<TestUser> => {
  const user = await service.createUser()
  for (const name of names) {
    service.clock.advance(1)
    await seen(user, name)
  }
  return user
}

describe('the list', () => {
  test('shows the latest seen first, with the settings and nothing secret', async () => {
    const user = await withDevices('a', 'b')
    service.clock.advance(60)
    await seen(user, 'a')
    const lastSeenAt = service.clock.now()
    const page = await list(user)
    expect(namesOf(page)).toEqual(['a', 'b'])
    expect(page).toEqual({
      devices: [
        {
          id: expect.any(Number),
          device_name: 'a',
          device_type: 'ios',
          os_version: '18.1',
          is_blocked: false,
          is_fingerprinted: false,
          last_seen_at: lastSeenAt,
        },
        expect.objectContaining({ device_name: 'b', last_seen_at: lastSeenAt - 60 }),
      ],
      total: 2,
      page: 1,
      limit: 20,
      settings: { block_unknown_devices: false, device_limit: 0 },
    })
  })

  test('is read in pages that neither repeat nor lose a device', async () => {
    const user = await service.createUser()
    // All at the same moment, so that only the id decides.
    for (let n = 0; n < 21; n++) await seen(user, `d${n}`)
    expect(namesOf(await list(user))).toHaveLength(20)
    const pages = []
    for (let page = 1; page <= 6; page++) pages.push(...namesOf(await list(user, `?page=${page}&limit=4`)))
    expect(pages).toEqual(Array.from({ length: 21 }, (_, n) => `d${20 - n}`))
    expect(await list(user, '?page=1&limit=1')).toMatchObject({
      total: 21,
      devices: [{ device_name: 'd20' }],
    })
    expect(await list(user, '?limit=100')).toMatchObject({ total: 21, limit: 100 })
    expect(await list(user, '?page=7&limit=4')).toMatchObject({ devices: [], total: 21, page: 7, limit: 4 })
    expect(await list(user, '?page=1000000&limit=100')).toMatchObject({ devices: [], total: 21 })
  })

  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1000001',
    'limit=0',
    'limit=101',
    'limit=x',
  ])('?%s is 400', async (query) => {
    const user = await service.createUser()
    const { status, body } = await service.customer(user, 'GET', `${path}?${query}`)
    expect([status, body.errorCode]).toEqual([400, 3])
  })
})

describe('settings', () => {
  test('change one by one, and an empty body changes nothing', async () => {
    const user = await service.createUser()
    const change = async (body?: object) =>
      (await service.customer(user, 'PATCH', `${path}/settings`, body)).body.data
    expect(await change({ device_limit: 3 })).toEqual({ block_unknown_devices: false, device_limit: 3 })
    expect(await change({ block_unknown_devices: true })).toEqual({
      block_unknown_devices: true,
      device_limit: 3,
    })
    for (const body of [{}, undefined])
      expect(await change(body)).toEqual({ block_unknown_devices: true, device_limit: 3 })
    const { body } = await service.customer(user, 'GET', `${path}/settings`)
    expect(body.data).toEqual({ block_unknown_devices: true, device_limit: 3 })
    expect((await list(user)).settings).toEqual(body.data)
  })

  test('two changes at once both stay', async () => {
    for (let round = 1; round <= 10; round++) {
      const user = await service.createUser()
      await Promise.all([
        service.customer(user, 'PATCH', `${path}/settings`, { device_limit: round }),
        service.customer(user, 'PATCH', `${path}/settings`, { block_unknown_devices: true }),
      ])
      expect((await list(user)).settings).toEqual({ block_unknown_devices: true, device_limit: round })
    }
  })

  test.each([
    { device_limit: -1 },
    { device_limit: 101 },
    { device_limit: 1.5 },
    { device_limit: null },
    { block_unknown_devices: 'yes' },
    { device_limit: 1, id: 1 },
  ])('%j is 400 and changes nothing', async (body) => {
    const user = await service.createUser()
    const { status } = await service.customer(user, 'PATCH', `${path}/settings`, body)
    expect(status).toBe(400)
    expect((await list(user)).settings).toEqual({ block_unknown_devices: false, device_limit: 0 })
  })
})

describe('one device', () => {
  const block = (user: TestUser, id: number, is_blocked: boolean) =>
    service.customer(user, 'PATCH', `${path}/${id}/blocked`, { is_blocked })

  test('is blocked and let in again, as often as asked', async () => {
    const user = await withDevices('a')
    const id = await idOf(user, 'a')
    for (const isBlocked of [true, true, false, false]) {
      expect((await block(user, id, isBlocked)).body.data).toBe(true)
      expect((await list(user)).devices[0].is_blocked).toBe(isBlocked)
      expect((await seen(user, 'a')).headers.has('announce')).toBe(isBlocked)
    }
  })

  test('is let in again although its place is taken: limits hold back new devices only', async () => {
    const user = await withDevices('a', 'b')
    const id = await idOf(user, 'a')
    await block(user, id, true)
    await service.customer(user, 'PATCH', `${path}/settings`, { device_limit: 1 })
    expect((await seen(user, 'a')).headers.has('announce')).toBe(true)
    expect((await block(user, id, false)).body.data).toBe(true)
    expect((await block(user, id, false)).body.data).toBe(true)
    for (const known of ['a', 'b']) expect((await seen(user, known)).headers.has('announce')).toBe(false)
    expect((await seen(user, 'c')).headers.has('announce')).toBe(true)
    await service.customer(user, 'DELETE', `${path}/${await idOf(user, 'b')}`)
    expect((await seen(user, 'c')).headers.has('announce')).toBe(true)
  })

  test('is deleted once; a device of somebody else does not exist', async () => {
    const [owner, stranger] = [await withDevices('a'), await service.createUser()]
    const id = await idOf(owner, 'a')
    const foreign = await Promise.all([
      block(stranger, id, true),
      block(stranger, id, false),
      service.customer(stranger, 'DELETE', `${path}/${id}`),
    ])
    for (const { status, body } of foreign) expect([status, body]).toEqual([404, notFound])
    expect((await list(owner)).devices).toMatchObject([{ id, is_blocked: false }])
    expect((await service.customer(owner, 'DELETE', `${path}/${id}`)).body.data).toBe(true)
    expect((await service.customer(owner, 'DELETE', `${path}/${id}`)).body).toEqual(notFound)
    for (const isBlocked of [true, false]) expect((await block(owner, id, isBlocked)).body).toEqual(notFound)
  })

  test('goes with all the others, and only with those of its customer', async () => {
    const [user, other] = [await withDevices('a', 'b', 'c'), await withDevices('d')]
    expect((await service.customer(user, 'DELETE', path)).body.data).toBe(3)
    expect((await service.customer(user, 'DELETE', path)).body.data).toBe(0)
    expect((await list(user)).total).toBe(0)
    expect((await list(other)).total).toBe(1)
  })
})

describe('resetting the link', () => {
  const reset = (user: TestUser) => service.customer(user, 'PATCH', '/profile/subscriptionLink')

  test('check 31: the old key is gone at once, with all devices and nothing else', async () => {
    const [user, other] = [await withDevices('a', 'b'), await withDevices('c')]
    await service.customer(user, 'PATCH', `${path}/settings`, { device_limit: 2 })
    const { status, body } = await reset(user)
    expect(status).toBe(200)
    expect(body.data).toMatch(/^[0-9A-Za-z]{32}$/)
    expect((await seen(user, 'a')).status).toBe(404)
    expect(await list(user)).toMatchObject({ total: 0, settings: { device_limit: 2 } })
    expect((await list(other)).total).toBe(1)
    expect((await service.customer(user, 'GET', '/profile')).body.data.subscription_key).toBe(body.data)
    for (const name of ['x', 'y'])
      expect((await seen(user, name, body.data)).headers.has('announce')).toBe(false)
    expect((await seen(user, 'a', body.data)).headers.has('announce')).toBe(true)
    const events = await service.db
      .selectFrom('account_events')
      .select(['kind', 'created_at', 'details'])
      .where('user_id', '=', user.id)
      .where('kind', '=', 'subscription_key_changed')
      .execute()
    expect(events).toHaveLength(1)
    expect(JSON.stringify(events)).not.toContain(body.data)
  })

  test('twice at once: the last key is the one that works', async () => {
    const user = await withDevices('a')
    const keys = (await Promise.all([reset(user), reset(user)])).map(({ body }) => body.data as string)
    const current = (await service.customer(user, 'GET', '/profile')).body.data.subscription_key
    expect(keys).toContain(current)
    for (const key of [user.subscription_key, ...keys])
      expect((await seen(user, 'a', key)).status).toBe(key === current ? 200 : 404)
    expect((await list(user)).total).toBe(1)
  })
})
