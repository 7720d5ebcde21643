import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { sendBroadcasts, sendWindow } from '../../../core/broadcasts/broadcast-job.ts'
import { type Broadcast, lockDueBroadcast } from '../../../core/broadcasts/broadcasts.ts'
import { createOperator } from '../../../core/operators/operators.ts'
import { inTransaction } from '../../../db/client.ts'

let service: TestService
let people: TestUser[]
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  people = []
  for (let at = 0; at < 12; at++) people.push(await service.createUser({ email: `told${at}@example.com` }))
})
afterAll(() => service.stop())

const words = { content_ru: 'Ночью обновление', content_en: 'An update at night' }
const create = (body: object) => service.operator('POST', '/broadcasts', { ...words, ...body })
const show = async (id: number) => (await service.operator('GET', `/broadcasts/${id}`)).body.data
const messagesOf = async (id: number) =>
  service.db
    .selectFrom('notifications')
    .select(['user_id', 'content', 'content_en'])
    .where('cause', 'like', `broadcast:${id}:%`)
    .orderBy('user_id')
    .execute()
const idsOf = (users: readonly TestUser[]) => users.map(({ id }) => id)
const audits = async () =>
  (await service.operator('GET', '/audit?action=createBroadcast')).body.data as {
    details: object
    subject: string
  }[]

describe('a preview', () => {
  test('tells for whom it would be, and stores nothing', async () => {
    for (const confirm of [{}, { confirm: false }]) {
      const { status, body } = await create({ search: 'told1', ...confirm })
      expect(status).toBe(200)
      expect(body.data.total).toBe(3)
      expect(body.data.sample.map((row: { email: string }) => row.email).sort()).toEqual([
        'told10@example.com',
        'told11@example.com',
        'told1@example.com',
      ])
    }
    const everyone = await create({ view: 'everyone' })
    const { rows } = {
      rows: await service.db.selectFrom('users').select('id').where('deleted_at', 'is', null).execute(),
    }
    expect(everyone.body.data.total).toBe(rows.length)
    expect(everyone.body.data.sample).toHaveLength(10)
    expect((await service.operator('GET', '/broadcasts')).body.data).toEqual([])
    expect(await audits()).toEqual([])
  })

  test.each([
    'active',
    'ending',
    'ended',
    'never_connected',
    'blocked',
    'paying',
  ])('of the view %s', async (view) => {
    const { status, body } = await create({ view })
    expect([status, body.data.total]).toEqual([200, body.data.sample.length])
  })

  test('whom it is for has to be said, once', async () => {
    for (const body of [{}, { view: 'ending', search: 'told' }, { search: '   ' }, { view: 'nobody' }]) {
      expect((await create({ ...body, confirm: true })).status, JSON.stringify(body)).toBe(400)
    }
    expect(
      (await service.operator('POST', '/broadcasts', { view: 'everyone', content_ru: 'Да' })).status,
    ).toBe(400)
  })
})

test('everybody meant is told once, in both languages, and nobody else', async () => {
  const { status, body } = await create({ search: 'told1', confirm: true })
  const { id } = body.data
  expect([status, body.data]).toMatchObject([
    201,
    { state: 'scheduled', total: 3, sent: 0, failed: 0, search: 'told1', view: null },
  ])
  expect(body.data).not.toHaveProperty('search_sealed')
  const [entry] = await audits()
  expect(entry?.subject).toBe(`broadcast:${id}`)
  expect(JSON.stringify(entry?.details)).not.toContain('told1')
  await service.running.runJobs()
  await service.running.runJobs()
  const told = [1, 10, 11].map((at) => people[at] as TestUser)
  expect(await messagesOf(id)).toEqual(
    idsOf(told).map((user_id) => ({ user_id, content: words.content_ru, content_en: words.content_en })),
  )
  expect(await show(id)).toMatchObject({
    state: 'done',
    total: 3,
    sent: 3,
    failed: 0,
    ended_at: service.clock.now(),
  })
  const english = await service.call('GET', '/v1/profile/notifications', {
    token: told[0]?.api_key as string,
    headers: { 'accept-language': 'en' },
  })
  expect(english.body.data).toMatchObject([{ content: words.content_en }])
  const done = await service.operator('DELETE', `/broadcasts/${id}`)
  expect([done.status, done.body.details[0].path]).toEqual([409, 'id'])
  expect(
    (
      await service.db
        .selectFrom('broadcasts')
        .select('search_sealed')
        .where('id', '=', id)
        .executeTakeFirst()
    )?.search_sealed,
  ).toBeTruthy()
})

test('one for later waits, and can be stopped', async () => {
  const later = service.clock.now() + 3600
  const [kept, stopped] = [
    await create({ view: 'everyone', send_at: later, confirm: true }),
    await create({ view: 'everyone', send_at: later, confirm: true }),
  ]
  await service.running.runJobs()
  const [keptId, stoppedId] = [kept.body.data.id, stopped.body.data.id]
  expect(await show(keptId)).toMatchObject({ state: 'scheduled', sent: 0 })
  for (let again = 0; again < 2; again++) {
    const { status, body } = await service.operator('DELETE', `/broadcasts/${stoppedId}`)
    expect([status, body.data.state]).toEqual([200, 'stopped'])
  }
  const log = (await service.operator('GET', '/audit?action=stopBroadcast')).body.data
  expect(log.map(({ details }: { details: { after: object } }) => details.after)).toEqual([
    {},
    { state: 'stopped' },
  ])
  const newcomer = await service.createUser()
  service.clock.advance(3600)
  await service.running.runJobs()
  expect(await messagesOf(stoppedId)).toEqual([])
  const told = (await messagesOf(keptId)).map((row) => row.user_id)
  expect(told).toEqual(expect.arrayContaining([...idsOf(people), newcomer.id]))
  expect(await show(keptId)).toMatchObject({ state: 'done', total: told.length, sent: told.length })
})

test('whoever leaves before their turn is not told, and who is meant is asked when it is sent', async () => {
  const later = service.clock.now() + 60
  const { body } = await create({ view: 'blocked', send_at: later, confirm: true })
  expect(body.data.total).toBe(0)
  const [stays, leaves] = [people[2] as TestUser, people[3] as TestUser]
  for (const { id } of [stays, leaves])
    await service.operator('PATCH', `/users/${id}/blocked`, { is_blocked: true })
  await service.db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', leaves.id).execute()
  service.clock.advance(60)
  await service.running.runJobs()
  expect((await messagesOf(body.data.id)).map((row) => row.user_id)).toEqual([stays.id])
})

test('what a crash undoes is done again, and what it does not is not', async () => {
  const { db, clock, running } = service
  const later = clock.now() + 60
  const { body } = await create({ search: 'told', send_at: later, confirm: true })
  const { id } = body.data
  // It dies after its window: what was left and how far it had come are undone together.
  const dying = { ...running.services, db, stopping: new AbortController().signal }
  await inTransaction(db, async (tx) => {
    const broadcast = (await lockDueBroadcast(tx, later)) as Broadcast
    await sendWindow(tx, dying.vault, broadcast, later)
    throw new Error('the power is gone')
  }).catch(() => undefined)
  expect([await show(id), await messagesOf(id)]).toMatchObject([{ state: 'scheduled', sent: 0 }, []])
  // Somebody has it already, whatever is written of the progress.
  const first = people[0] as TestUser
  await db
    .insertInto('notifications')
    .values({
      user_id: first.id,
      content: 'x',
      content_en: 'x',
      cause: `broadcast:${id}:${first.id}`,
      created_at: 1,
    })
    .execute()
  await Promise.all(Array.from({ length: 3 }, () => sendBroadcasts(dying, later)))
  const told = (await messagesOf(id)).map((row) => row.user_id)
  expect(new Set(told).size).toBe(told.length)
  expect(told).toHaveLength(body.data.total)
  expect(await show(id)).toMatchObject({ state: 'done', sent: told.length, failed: 0 })
})

test('many are told in windows, and it can be stopped between them', async () => {
  const { db, clock } = service
  const many = 4500
  for (let from = 0; from < many; from += 1500) {
    await db
      .insertInto('users')
      .values(
        Array.from({ length: 1500 }, (_, at) => ({
          email: `crowd${from + at}@example.com`,
          sign_in_method: 'signIn',
          referral_code: `CROWD${from + at}`,
          referrer_id: null,
          deleted_at: null,
          created_at: 1,
        })),
      )
      .execute()
  }
  const { body } = await create({ search: 'crowd', send_at: clock.now() + 60, confirm: true })
  const { id } = body.data
  expect(body.data.total).toBe(many)
  const stopping = new AbortController()
  let windows = 0
  const signal = {
    get aborted() {
      return ++windows > 2
    },
  } as AbortSignal
  await sendBroadcasts({ ...service.running.services, stopping: signal }, clock.now() + 60)
  const half = await show(id)
  expect(half.state).toBe('sending')
  expect(half.sent).toBeGreaterThan(0)
  expect(half.sent).toBeLessThan(many)
  const stopped = await service.operator('DELETE', `/broadcasts/${id}`)
  expect(stopped.body.data).toMatchObject({ state: 'stopped', sent: half.sent })
  await sendBroadcasts({ ...service.running.services, stopping: stopping.signal }, clock.now() + 60)
  expect(await messagesOf(id)).toHaveLength(half.sent)
})

test('one that fails holds up no other, and is tried again', async () => {
  const { db, clock, running } = service
  const at = clock.now() + 60
  const spoiled = (await create({ search: 'told2', send_at: at - 1, confirm: true })).body.data.id
  const { search_sealed: sealed } = await db
    .selectFrom('broadcasts')
    .select('search_sealed')
    .where('id', '=', spoiled)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('broadcasts')
    .set({ search_sealed: Buffer.from('spoiled') })
    .where('id', '=', spoiled)
    .execute()
  const good = (await create({ search: 'told4@example.com', send_at: at, confirm: true })).body.data.id
  const sender = { ...running.services, db, stopping: new AbortController().signal }
  await expect(sendBroadcasts(sender, at)).rejects.toThrow(String(spoiled))
  expect([(await show(good)).state, await messagesOf(spoiled)]).toEqual(['done', []])
  await db.updateTable('broadcasts').set({ search_sealed: sealed }).where('id', '=', spoiled).execute()
  await sendBroadcasts(sender, at)
  expect((await show(spoiled)).state).toBe('done')
})

test('unknown ones are 404, and they are an owner’s alone', async () => {
  for (const method of ['GET', 'DELETE']) {
    expect((await service.operator(method, '/broadcasts/999999999')).status).toBe(404)
  }
  const token = await createOperator(service.db, {
    name: 'support',
    role: 'support',
    now: service.clock.now(),
  })
  expect((await service.call('GET', '/operator/v1/broadcasts', { token })).status).toBe(403)
  const key = { 'idempotency-key': 'once' }
  const send = () =>
    service.call('POST', '/operator/v1/broadcasts', {
      token: service.operatorToken,
      headers: key,
      body: { ...words, view: 'everyone', confirm: true, send_at: service.clock.now() + 9999 },
    })
  const [first, second] = [await send(), await send()]
  expect(second.body.data.id).toBe(first.body.data.id)
})

test('a preview leaves its Idempotency-Key to what it was a preview of', async () => {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const post = (body: object) =>
    service.call('POST', '/operator/v1/broadcasts', { token: service.operatorToken, body, headers })
  const asked = {
    search: 'told1',
    content_ru: 'Привет',
    content_en: 'Hello',
    send_at: service.clock.now() + 3600,
  }
  expect((await post(asked)).status).toBe(200)
  const made = await post({ ...asked, confirm: true })
  expect(made.status).toBe(201)
  expect((await post({ ...asked, confirm: true })).body.data.id).toBe(made.body.data.id)
  await service.operator('DELETE', `/broadcasts/${made.body.data.id}`)
})
