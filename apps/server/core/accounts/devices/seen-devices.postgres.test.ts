import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outside, untilWaits } from '../../../../../test/support/databases/waiting.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { inTransaction } from '../../../db/client.ts'
import { SeenDevices, storeSeen } from './seen-devices.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const fetchAs = (user: TestUser, name: string) =>
  service.call('GET', `/sub/${user.subscription_key}`, {
    headers: { 'x-hwid': `hwid-of-device-${name}`, 'x-device-model': name, 'x-ver-os': '18.1' },
  })

const devicesOf = async (user: TestUser): Promise<{ device_name: string; last_seen_at: number }[]> =>
  (await service.customer(user, 'GET', '/profile/devices?limit=100')).body.data.devices

test('devices that come again while one is being written go together with the next statement', async () => {
  const users = await Promise.all(Array.from({ length: 20 }, () => service.createUser()))
  await Promise.all(users.map((user) => fetchAs(user, 'a')))
  const devices = await service.db.selectFrom('devices').select('id').where('device_name', '=', 'a').execute()
  const seen = new SeenDevices(service.db)
  const at = service.clock.now() + 60
  const told = { name: 'again', type: 'ios', model: 'again', osVersion: '19.0', platform: '' } as const
  const note = ({ id }: { id: number }) => seen.note([{ id, told, at, foundBy: undefined }])
  const [first, ...others] = devices as [{ id: number }, ...{ id: number }[]]
  const { noted } = await inTransaction(service.db, async (tx) => {
    await sql`lock table devices in share mode`.execute(tx)
    const begun = outside(() => note(first))
    await untilWaits(tx, begun)
    return { noted: outside(() => [begun, ...others.map(note)]) }
  })
  await Promise.all(noted)
  const { rows } = await sql<{ devices: number; statements: number }>`
    select count(*) as devices, count(distinct xmin::text) as statements from devices
    where last_seen_at = ${at} and device_name = 'again' and os_version = '19.0'`.execute(service.db)
  expect(rows).toEqual([{ devices: 20, statements: 2 }])
})

test('nobody waits until it is on the disks that a device came again', async () => {
  const user = await service.createUser()
  await fetchAs(user, 'kept')
  const [device] = await service.db
    .selectFrom('devices')
    .select('id')
    .where('device_name', '=', 'kept')
    .execute()
  const told = { name: 'again', type: 'ios', model: 'again', osVersion: '19.0', platform: '' } as const
  const seen = { id: device?.id as number, told, at: service.clock.now() + 60, foundBy: undefined }
  const commits = await inTransaction(service.db, async (tx) => {
    await storeSeen(tx, [seen])
    return (
      await sql<{ setting: string }>`select current_setting('synchronous_commit') as setting`.execute(tx)
    ).rows
  })
  expect(commits).toEqual([{ setting: 'off' }])
  expect((await devicesOf(user)).map((one) => one.last_seen_at)).toEqual([seen.at])
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
