import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { inTransaction } from '../../db/client.ts'
import { forgetReminders } from './reminders.ts'
import { leaveReminders } from './reminders-job.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const day = 86_400
const hour = 3600

/** Turns the clock to the next time that it is this hour in Moscow, the default offset. */
const turnTo = (moscowHour: number) => {
  const { clock } = service
  clock.advance(day - ((clock.now() - (moscowHour - 3) * hour) % day))
}
beforeEach(async () => {
  turnTo(11)
  await service.heartbeat()
})

const customer = async (settings: object = {}) => {
  const user = await service.createUser({ balance: 10_000 })
  if (Object.keys(settings).length > 0) await change(user, settings)
  return user
}
const change = async (user: TestUser, body: object) => {
  const answer = await service.call('PATCH', '/v1/profile/notification-settings', {
    token: user.api_key,
    body,
  })
  expect(answer.status).toBe(200)
}
const endAt = (id: number, expiresAt: number) =>
  service.db.updateTable('terms').set({ expires_at: expiresAt }).where('item_id', '=', id).execute()
/** A configuration that ends so many seconds from now. */
const ending = async (user: TestUser, seconds: number, body: object = {}): Promise<number> => {
  const { id } = await service.buy(user, body)
  await endAt(id, service.clock.now() + seconds)
  return id
}
const remind = () => leaveReminders(service.running.services, service.clock.now())
const take = async (user: TestUser, language = 'ru'): Promise<string[]> =>
  (
    await service.call('GET', '/v1/profile/notifications', {
      token: user.api_key,
      headers: { 'accept-language': language },
    })
  ).body.data.map((row: { content: string }) => row.content)
const pass = async (seconds: number) => {
  service.clock.advance(seconds)
  await remind()
}
const termOf = (id: number) =>
  service.db
    .selectFrom('terms')
    .select(['id', 'product', 'item_id', 'user_id'])
    .where('item_id', '=', id)
    .executeTakeFirstOrThrow()
const marked = async (id: number): Promise<number> =>
  (
    await service.db
      .selectFrom('terms')
      .select('reminders_sent')
      .where('item_id', '=', id)
      .executeTakeFirstOrThrow()
  ).reminders_sent
const causesOf = async (user: TestUser): Promise<(string | null)[]> =>
  (
    await service.db
      .selectFrom('notifications')
      .select('cause')
      .where('user_id', '=', user.id)
      .orderBy('id')
      .execute()
  ).map((row) => row.cause)

describe('reminders of an end', () => {
  test('come three days and one day before it, each once', async () => {
    const user = await customer()
    const id = await ending(user, 3 * day + 1)
    await remind()
    expect([await take(user), await marked(id)]).toEqual([[], 0])
    await pass(1)
    expect([(await take(user)).length, await marked(id)]).toEqual([1, 1])
    await pass(2 * day - 1)
    expect([await take(user), await marked(id)]).toEqual([[], 1])
    await pass(1)
    expect([(await take(user)).length, await marked(id)]).toEqual([1, 2])
    await pass(day - 1)
    await pass(1)
    expect(await take(user)).toEqual([])
    const end = service.clock.now()
    expect(await causesOf(user)).toEqual([
      `reminder:configs:${id}:3:${end}`,
      `reminder:configs:${id}:1:${end}`,
    ])
  })

  test('what is first seen on its last day gets the last one only; what has ended, none', async () => {
    const user = await customer()
    const id = await ending(user, day)
    const ended = await ending(user, 0)
    await remind()
    expect(await causesOf(user)).toEqual([expect.stringMatching(`^reminder:configs:${id}:1:`)])
    expect([await marked(id), await marked(ended)]).toEqual([2, 0])
  })

  test('the job of the service leaves them', async () => {
    const user = await customer()
    await ending(user, 3 * day)
    await service.running.runJobs()
    expect(await take(user)).toHaveLength(1)
  })

  test('name what ends, in the language and the time of the customer', async () => {
    const user = await customer({ timezone_offset: 330 })
    const id = await ending(user, 2 * day)
    await service.db.updateTable('accesses').set({ title: 'Дача' }).where('id', '=', id).execute()
    await remind()
    // The clock stands a second past 11:00 in Moscow.
    expect(await take(user)).toEqual([expect.stringMatching(/«Дача» .* 13:30 \(UTC\+5:30\)/)])
    await ending(user, 2 * day, { location_id: 2, protocol: 'trojan' })
    await remind()
    const { title_en: place } = await service.db
      .selectFrom('locations')
      .select('title_en')
      .where('id', '=', 2)
      .executeTakeFirstOrThrow()
    expect(await take(user, 'en')).toEqual([expect.stringContaining(`“${place}, trojan”`)])
  })

  test('a new period is reminded of anew, and what waited about the old one goes', async () => {
    const user = await customer({ notification_start_hour: 12, notification_end_hour: 13 })
    const id = await ending(user, 3 * day)
    const other = await ending(user, 3 * day)
    await remind()
    const renewed = service.clock.now() + 33 * day
    const renewedTerm = await termOf(id)
    await inTransaction(service.db, async (tx) => {
      await tx.updateTable('terms').set({ expires_at: renewed }).where('item_id', '=', id).execute()
      await forgetReminders(tx, renewedTerm)
    })
    expect([await marked(id), await marked(other)]).toEqual([0, 1])
    turnTo(12)
    expect(await take(user)).toHaveLength(1)
    expect(await causesOf(user)).toEqual([expect.stringMatching(`^reminder:configs:${other}:3:`)])
    await pass(30 * day)
    expect(await take(user)).toHaveLength(1)
    expect(await causesOf(user)).toContain(`reminder:configs:${id}:3:${renewed}`)
  })

  test('one customer cannot make another be reminded again', async () => {
    const user = await customer({ notification_start_hour: 12, notification_end_hour: 13 })
    await ending(user, 3 * day)
    await remind()
    await forgetReminders(service.db, await termOf(await ending(await customer(), 3 * day)))
    expect((await causesOf(user)).length).toBe(1)
  })
})

describe('the hours of the customer', () => {
  test('hold a reminder back until they begin', async () => {
    const user = await customer({ notification_start_hour: 22, notification_end_hour: 6 })
    await ending(user, 3 * day)
    await remind()
    turnTo(22)
    service.clock.advance(-1)
    expect(await take(user)).toEqual([])
    service.clock.advance(1)
    expect(await take(user)).toHaveLength(1)
  })

  test('do not hold it back beyond an hour before the end', async () => {
    const user = await customer({ notification_start_hour: 22, notification_end_hour: 6 })
    await ending(user, 5 * hour)
    await remind()
    service.clock.advance(4 * hour - 1)
    expect(await take(user)).toEqual([])
    service.clock.advance(1)
    expect(await take(user)).toHaveLength(1)
  })

  test('when changed, move what waits, and only reminders', async () => {
    const user = await customer({ notification_start_hour: 22, notification_end_hour: 6 })
    await ending(user, 3 * day)
    await remind()
    await change(user, { notification_start_hour: 13, notification_end_hour: 20 })
    await service.operator('POST', `/users/${user.id}/notifications`, { content: 'a message' })
    turnTo(13)
    service.clock.advance(-1)
    expect(await take(user)).toEqual(['a message'])
    // 12:59:59 in Moscow is an hour later in Baku.
    await change(user, { timezone_offset: 240 })
    expect(await take(user)).toHaveLength(1)
  })

  test('when changed to ones that are over today, hide what was already showing', async () => {
    const user = await customer()
    await ending(user, 3 * day)
    await remind()
    await change(user, { notification_end_hour: 11 })
    expect(await take(user)).toEqual([])
    turnTo(9)
    expect(await take(user)).toHaveLength(1)
  })

  test('sent again as they are, hide nothing', async () => {
    const user = await customer()
    await ending(user, 3 * day)
    await remind()
    turnTo(22)
    await change(user, { notification_start_hour: 9, notification_end_hour: 21, timezone_offset: 180 })
    expect(await take(user)).toHaveLength(1)
  })

  test('a last reminder keeps its hour before the end when the hours are changed', async () => {
    const user = await customer({ notification_start_hour: 22, notification_end_hour: 6 })
    await ending(user, 5 * hour)
    await remind()
    await change(user, { notification_start_hour: 21 })
    service.clock.advance(4 * hour)
    expect(await take(user)).toHaveLength(1)
  })
})

describe('reminders switched off', () => {
  test('none is left, and what waited goes; switched on again, only what is due later comes', async () => {
    const user = await customer({ notification_start_hour: 22, notification_end_hour: 6 })
    const waiting = await ending(user, 3 * day)
    await remind()
    await service.operator('POST', `/users/${user.id}/notifications`, { content: 'a message' })
    await change(user, { renewal_reminders: false })
    const later = await ending(user, 3 * day)
    await remind()
    expect([await marked(waiting), await marked(later)]).toEqual([1, 1])
    turnTo(22)
    expect(await take(user)).toEqual(['a message'])
    await change(user, { renewal_reminders: true })
    await remind()
    expect(await take(user)).toEqual([])
    await pass(2 * day)
    expect(await take(user)).toHaveLength(2)
  })

  test('while the job runs, none is left behind', async () => {
    const users = await Promise.all(Array.from({ length: 12 }, () => customer()))
    for (const user of users) await ending(user, 3 * day)
    await Promise.all([
      remind(),
      ...users.map((user) => change(user, { renewal_reminders: false })),
      remind(),
    ])
    await remind()
    for (const user of users) expect(await take(user)).toEqual([])
  })
})

test('several jobs at once leave every reminder exactly once', async () => {
  const user = await customer()
  const first = await ending(user, 3 * day)
  const count = 450
  await sql`
    with made as (
      insert into terms (user_id, product, item_id, expires_at, created_at)
      select t.user_id, t.product, nextval('accesses_id_seq'), t.expires_at, t.created_at
      from terms t, generate_series(2, ${count}::integer) where t.item_id = ${first}
      returning id, item_id, created_at
    )
    insert into accesses (id, term_id, server_id, location_id, protocol, credential_nonce, created_at)
    select m.item_id, m.id, a.server_id, a.location_id, a.protocol, a.credential_nonce, m.created_at
    from made m, accesses a where a.id = ${first}`.execute(service.db)
  const left = await Promise.all([remind(), remind(), remind(), remind()])
  expect(left.reduce((sum, part) => sum + part, 0)).toBe(count)
  expect(await take(user)).toHaveLength(count)
  await Promise.all([pass(2 * day), remind(), remind()])
  expect(await take(user)).toHaveLength(count)
  expect(new Set(await causesOf(user)).size).toBe(2 * count)
})
