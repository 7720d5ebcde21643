import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { untilWaits } from '../../../../test/support/databases/waiting.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { lockUser } from '../../core/accounts/users.ts'
import { notify } from '../../core/kernel/notifications.ts'
import { inTransaction } from '../../db/client.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const defaults = {
  renewal_reminders: true,
  notification_start_hour: 9,
  notification_end_hour: 21,
  timezone_offset: 180,
}
const settingsOf = async (user: TestUser) =>
  (await service.customer(user, 'GET', '/profile/notification-settings')).body.data
const change = (user: TestUser, body: unknown) =>
  service.customer(user, 'PATCH', '/profile/notification-settings', body)
const take = async (user: TestUser, language = 'ru'): Promise<string[]> =>
  (
    await service.call('GET', '/v1/profile/notifications', {
      token: user.api_key,
      headers: { 'accept-language': language },
    })
  ).body.data.map((row: { content: string }) => row.content)
const leave = (user: TestUser, cause: string, more: { visibleAt?: number; isReminder?: boolean } = {}) =>
  notify(service.db, {
    userId: user.id,
    cause: `${cause}:${user.id}`,
    ru: `${cause} по-русски`,
    en: `${cause} in English`,
    now: service.clock.now(),
    ...more,
  })
const rowsOf = (user: TestUser) =>
  service.db
    .selectFrom('notifications')
    .select(['content', 'content_en', 'delivered_at'])
    .where('user_id', '=', user.id)
    .orderBy('id')
    .execute()

describe('/profile/notification-settings', () => {
  test('from nine to nine in Moscow until told otherwise; what is left out stays', async () => {
    const [user, other] = [await service.createUser(), await service.createUser()]
    expect(await settingsOf(user)).toEqual(defaults)
    const hours = await change(user, { notification_start_hour: 22, notification_end_hour: 6 })
    const expected = { ...defaults, notification_start_hour: 22, notification_end_hour: 6 }
    expect([hours.status, hours.body.data]).toEqual([200, expected])
    const rest = await change(user, { renewal_reminders: false, timezone_offset: -210 })
    const all = { ...expected, renewal_reminders: false, timezone_offset: -210 }
    expect(rest.body.data).toEqual(all)
    expect((await change(user, {})).body.data).toEqual(all)
    expect(await settingsOf(user)).toEqual(all)
    expect(await settingsOf(other)).toEqual(defaults)
  })

  test.each([
    { notification_start_hour: 0, notification_end_hour: 0 },
    { notification_start_hour: 23, notification_end_hour: 23 },
    { timezone_offset: -720 },
    { timezone_offset: 840 },
  ])('takes %j', async (body) => {
    const user = await service.createUser()
    expect((await change(user, body)).body.data).toEqual({ ...defaults, ...body })
  })

  test.each([
    { notification_start_hour: -1 },
    { notification_start_hour: 24 },
    { notification_end_hour: 24 },
    { notification_end_hour: 9.5 },
    { notification_end_hour: '9' },
    { timezone_offset: -721 },
    { timezone_offset: 841 },
    { timezone_offset: null },
    { renewal_reminders: 1 },
    { renewal_reminders: false, balance: 5 },
    [],
  ])('refuses %j and changes nothing', async (body) => {
    const user = await service.createUser()
    const answer = await change(user, body)
    expect([answer.status, answer.body.errorCode]).toEqual([400, 3])
    expect(await settingsOf(user)).toEqual(defaults)
  })

  test('changes of different settings at the same time all last', async () => {
    const user = await service.createUser()
    const bodies = [
      { renewal_reminders: false },
      { notification_start_hour: 1 },
      { notification_end_hour: 2 },
      { timezone_offset: 3 },
    ]
    // All of them have begun before any can go on.
    const { sent } = await inTransaction(service.db, async (tx) => {
      await lockUser(tx, user.id)
      const sent = bodies.map((body) => change(user, body))
      await untilWaits(tx, Promise.all(sent))
      return { sent }
    })
    await Promise.all(sent)
    expect(await settingsOf(user)).toEqual(Object.assign({}, ...bodies))
  })
})

describe('GET /profile/notifications', () => {
  test('returns what waits, oldest first, in the language asked for, and only once', async () => {
    const [user, other] = [await service.createUser(), await service.createUser()]
    for (const cause of ['one', 'two']) {
      await leave(user, cause)
      await leave(other, cause)
    }
    await service.operator('POST', `/users/${user.id}/notifications`, { content: 'as it was written' })
    expect(await take(user, 'en')).toEqual(['one in English', 'two in English', 'as it was written'])
    expect(await take(user)).toEqual([])
    expect(await take(other)).toEqual(['one по-русски', 'two по-русски'])
  })

  test('hides what is not to be seen yet', async () => {
    const user = await service.createUser()
    const visibleAt = service.clock.now() + 3600
    await leave(user, 'later', { visibleAt })
    await leave(user, 'now')
    expect(await take(user)).toEqual(['now по-русски'])
    service.clock.advance(3599)
    expect(await take(user)).toEqual([])
    service.clock.advance(1)
    expect(await take(user)).toEqual(['later по-русски'])
    expect(await take(user)).toEqual([])
  })

  test('many readers at once share what there is, and nobody gets an empty text', async () => {
    const user = await service.createUser()
    const causes = Array.from({ length: 60 }, (_, index) => `message ${index}`)
    const readers: Promise<string[]>[] = []
    for (const [index, cause] of causes.entries()) {
      await leave(user, cause)
      if (index % 3 === 0) readers.push(take(user), take(user), take(user))
    }
    readers.push(...Array.from({ length: 8 }, () => take(user)))
    const taken = (await Promise.all(readers)).flat()
    expect(taken.toSorted()).toEqual(causes.map((cause) => `${cause} по-русски`).toSorted())
  })

  test('readers who found the same messages before any could take them do not get them twice', async () => {
    const user = await service.createUser()
    for (const cause of ['one', 'two', 'three']) await leave(user, cause)
    const { readers } = await inTransaction(service.db, async (tx) => {
      await tx.selectFrom('notifications').select('id').where('user_id', '=', user.id).forUpdate().execute()
      const readers = Array.from({ length: 6 }, () => take(user))
      await untilWaits(tx, Promise.all(readers))
      return { readers }
    })
    const taken = (await Promise.all(readers)).flat()
    expect(taken).toEqual(['one по-русски', 'two по-русски', 'three по-русски'])
  })

  test('keeps what was told without its text, so that it is not told again, for 400 days', async () => {
    const user = await service.createUser()
    await leave(user, 'once')
    await leave(user, 'unread')
    await leave(user, 'unread')
    const toldAt = service.clock.now()
    expect(await take(user)).toEqual(['once по-русски', 'unread по-русски'])
    const told = { content: '', content_en: null, delivered_at: toldAt }
    await leave(user, 'once')
    await leave(user, 'waits')
    const waits = { content: 'waits по-русски', content_en: 'waits in English', delivered_at: null }
    expect(await rowsOf(user)).toEqual([told, told, waits])
    service.clock.advance(400 * 86_400 - 1)
    await service.running.runJobs()
    expect(await rowsOf(user)).toEqual([told, told, waits])
    service.clock.advance(1)
    await service.running.runJobs()
    expect(await rowsOf(user)).toEqual([waits])
  })
})
