import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import {
  hwidHeaders,
  laptop,
  linksOf,
  phone,
  subscriptionsOf,
} from '../../../../../test/support/subscription.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const { fetchWith, rowsOf, set, buyer } = subscriptionsOf(() => service)

describe('who is served', () => {
  test('a device is kept with what it told of itself, and never by its name', async () => {
    const { user, url } = await buyer()
    const answer = await fetchWith(user, phone)
    expect(linksOf(answer.body)).toEqual([url])
    expect(hwidHeaders(answer.headers)).toEqual([])
    await fetchWith(user, laptop)
    const now = service.clock.now()
    const nameless = { hwid_sealed: null, platform: null, came_by: [] }
    expect((await rowsOf(user)).map(({ id, subscription_id, hwid_hash, found_by, ...rest }) => rest)).toEqual(
      [
        {
          device_name: 'Pixel 8',
          device_type: 'android',
          device_model: 'Pixel 8',
          os_version: '14',
          is_fingerprinted: false,
          is_unnamed: false,
          is_blocked: false,
          created_at: now,
          last_seen_at: now,
          ...nameless,
        },
        {
          device_name: 'Happ',
          device_type: 'windows',
          device_model: '',
          os_version: '',
          is_fingerprinted: false,
          is_unnamed: false,
          is_blocked: false,
          created_at: now,
          last_seen_at: now,
          ...nameless,
        },
      ],
    )
  })

  test('a blocked device that keeps silent about which it is comes as another one, and gets nothing as a browser', async () => {
    const { user } = await buyer()
    await fetchWith(user, phone)
    const [device] = await rowsOf(user)
    await service.customer(user, 'PATCH', `/profile/devices/${device?.id}/blocked`, { is_blocked: true })
    const browser = { accept: 'text/html' }
    const path = `/sub/${user.subscription_key}?format=links`
    const seen = await service.call('GET', path, { headers: browser })
    expect(hwidHeaders(seen.headers)).toContain('x-hwid-not-supported: true')
    expect(hwidHeaders((await fetchWith(user, {})).headers)).toEqual([])
    expect(await rowsOf(user)).toMatchObject([{ is_blocked: true }, { is_unnamed: true }])
  })

  test('what is refused over and over is written down once', async () => {
    const { user } = await buyer()
    await set(user, { block_unknown_devices: true })
    const written = async () => {
      const { rows } = await sql<{ last: number | null }>`
        select last_value as last from pg_sequences where sequencename = 'notifications_id_seq'`.execute(
        service.db,
      )
      return Number(rows[0]?.last)
    }
    await fetchWith(user, phone)
    const before = await written()
    for (let at = 0; at < 5; at++) await fetchWith(user, phone)
    expect(await written()).toBe(before)
  })

  test('the same device of two customers has nothing in common', async () => {
    const users = [await service.createUser(), await service.createUser()]
    for (const user of users) await fetchWith(user, phone)
    const [a, b] = await Promise.all(users.map(rowsOf))
    expect(a?.[0]?.hwid_hash).not.toEqual(b?.[0]?.hwid_hash)
  })

  test('what is known of a device is written anew at most once a minute', async () => {
    const user = await service.createUser()
    await fetchWith(user, phone)
    const firstSeenAt = service.clock.now()
    const updated = { ...phone, 'x-ver-os': '15', 'x-device-model': 'Pixel 9' }
    service.clock.advance(59)
    await fetchWith(user, updated)
    expect(await rowsOf(user)).toMatchObject([{ last_seen_at: firstSeenAt, os_version: '14' }])
    service.clock.advance(1)
    await fetchWith(user, updated)
    expect(await rowsOf(user)).toMatchObject([
      { last_seen_at: firstSeenAt + 60, created_at: firstSeenAt, os_version: '15', device_name: 'Pixel 9' },
    ])
  })

  test('a device is served though it could not be marked as seen, and the log does not name it', async () => {
    const { user, url } = await buyer()
    await fetchWith(user, phone)
    service.clock.advance(60)
    const warn = vi.spyOn(service.running.services.log, 'warn')
    await sql`create function no_touch() returns trigger language plpgsql as
      $$ begin raise exception 'not now'; end $$`.execute(service.db)
    await sql`create trigger no_touch before update on devices for each row execute function no_touch()`.execute(
      service.db,
    )
    const { body } = await fetchWith(user, phone)
    await sql`drop trigger no_touch on devices`.execute(service.db)
    expect(linksOf(body)).toEqual([url])
    expect(warn).toHaveBeenCalledOnce()
    expect(JSON.stringify(warn.mock.calls)).not.toContain(phone['x-hwid'])
    warn.mockRestore()
  })

  test('beyond a thousand devices more are served without being kept, unless there is a limit', async () => {
    const user = await service.createUser()
    await sql`insert into devices (subscription_id, hwid_hash, device_name, device_type, device_model, os_version,
        is_fingerprinted, is_blocked, created_at, last_seen_at)
      select s.id, int8send(n), 'x', 'linux', '', '', false, n > 1, 0, 0
      from subscriptions s, generate_series(1, 1000) n where s.user_id = ${user.id}`.execute(service.db)
    expect((await fetchWith(user, phone)).headers.get('announce')).toBeNull()
    await set(user, { device_limit: 3 })
    expect((await fetchWith(user, phone)).headers.get('x-hwid-limit')).toBe('true')
    expect(await rowsOf(user)).toHaveLength(1000)
  })

  test.each([
    ['short'],
    ['x'.repeat(65)],
    ['with space 0123456789'],
    ["0123456789' or 1=1--"],
    ['0123456789,0123456789'],
    ['%00%00%00%00%00%00'],
  ])('x-hwid %j counts as absent', async (hwid) => {
    const user = await service.createUser()
    await fetchWith(user, {})
    const before = await rowsOf(user)
    expect(before).toMatchObject([{ is_unnamed: true }])
    expect((await fetchWith(user, { 'x-hwid': hwid })).headers.get('announce')).toBeNull()
    expect(await rowsOf(user)).toEqual(before)
  })

  test('hostile headers are kept as harmless text', async () => {
    const user = await service.createUser()
    const latin1 = (text: string) => Buffer.from(text).toString('latin1')
    await fetchWith(user, {
      'x-hwid': phone['x-hwid'],
      'x-device-os': `Android'; drop table devices;--`,
      'x-ver-os': latin1('14\t\u202e\u200b«»'),
      'x-device-model': latin1('<b>Ё📱</b>'.repeat(700)),
      'user-agent': 'x'.repeat(3000),
    })
    const [device] = await rowsOf(user)
    expect(device).toMatchObject({ device_type: 'android', os_version: '14 «»' })
    expect(device?.device_name).toBe(device?.device_model)
    expect([...(device?.device_name ?? '')]).toHaveLength(64)
  })
})

test('what an app calls its device is nowhere in the database', async () => {
  const user = await service.createUser()
  await fetchWith(user, phone)
  await set(user, { device_limit: 1 })
  await fetchWith(user, laptop)
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(
    service.db,
  )
  expect(tables.map((table) => table.name)).toContain('devices')
  const dump: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(
      service.db,
    )
    dump.push(...rows.map((row) => row.text))
  }
  const everything = dump.join('\n')
  expect(everything).toContain('Pixel 8')
  for (const { 'x-hwid': hwid } of [phone, laptop])
    for (const form of [hwid, Buffer.from(hwid).toString('hex'), Buffer.from(hwid).toString('base64')])
      expect(everything).not.toContain(form)
})
