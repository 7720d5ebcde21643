import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outside, untilWaits } from '../../../../../test/support/databases/waiting.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { inTransaction } from '../../../db/client.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const fetchAs = (user: TestUser, name: string, version = '18.1') =>
  service.call('GET', `/sub/${user.subscription_key}`, {
    headers: { 'x-hwid': `hwid-of-device-${name}`, 'x-device-model': name, 'x-ver-os': version },
  })

const devicesOf = async (user: TestUser): Promise<{ device_name: string; last_seen_at: number }[]> =>
  (await service.customer(user, 'GET', '/profile/devices?limit=100')).body.data.devices

test('a hundred devices that come again at once are all noted, by a few statements', async () => {
  const users = await Promise.all(Array.from({ length: 20 }, () => service.createUser()))
  const names = ['a', 'b', 'c', 'd', 'e']
  for (const name of names) await Promise.all(users.map((user) => fetchAs(user, name)))
  service.clock.advance(60)
  const now = service.clock.now()
  const fetchAll = () =>
    Promise.all(names.flatMap((name) => users.map((user) => fetchAs(user, name, '19.0'))))
  const { begun } = await inTransaction(service.db, async (tx) => {
    await sql`lock table devices in share mode`.execute(tx)
    const begun = outside(fetchAll)
    await untilWaits(tx, begun)
    return { begun }
  })
  const answers = await begun
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const { rows } = await sql<{ noted: number; statements: number }>`
    select count(*) as noted, count(distinct xmin::text) as statements from devices where last_seen_at >= ${now}`.execute(
    service.db,
  )
  expect(rows).toEqual([{ noted: 100, statements: expect.any(Number) }])
  expect(rows[0]?.statements).toBeLessThan(10)
  const [device] = await devicesOf(users[7] as TestUser)
  expect(device).toMatchObject({ os_version: '19.0' })
})

test('a device that somebody is changing is served without waiting, and noted the next time', async () => {
  const user = await service.createUser()
  await fetchAs(user, 'a')
  await fetchAs(user, 'b')
  service.clock.advance(60)
  const again = service.clock.now()
  await inTransaction(service.db, async (tx) => {
    await tx.selectFrom('devices').select('id').where('device_name', '=', 'a').forUpdate().execute()
    const answers = await outside(() => Promise.all([fetchAs(user, 'a'), fetchAs(user, 'b')]))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })
  const notedAgain = async () =>
    (await devicesOf(user))
      .filter((device) => device.last_seen_at >= again)
      .map((device) => device.device_name)
  expect(await notedAgain()).toEqual(['b'])
  await fetchAs(user, 'a')
  expect((await notedAgain()).sort()).toEqual(['a', 'b'])
})
