import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestSessions } from '../../../../../test/support/people/sessions.ts'
import { botToken } from '../../../../../test/support/people/telegram.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'

const day = 86_400

let service: TestService
let people: TestSessions
beforeAll(async () => {
  service = await startTestService({ env: { TELEGRAM_BOT_TOKEN: botToken }, withoutLimits: true })
  people = new TestSessions(service)
})
afterAll(() => service.stop())

test('gives both tokens anew, and the session lasts 30 days from then', async () => {
  const first = await people.signIn()
  service.clock.advance(29 * day)
  expect(await people.statusOf(first.session_token)).toBe(401)
  const second = await people.refreshed(first.refresh_token)
  const now = service.clock.now()
  expect(second).toEqual({
    session_token: expect.any(String),
    expires_at: now + 900,
    refresh_token: expect.stringMatching(/^slr_[0-9A-Za-z_-]{43}$/),
    refresh_expires_at: now + 30 * day,
    user_id: first.user_id,
    is_new_account: false,
  })
  expect(await people.statusOf(second.session_token)).toBe(200)
  service.clock.advance(29 * day)
  const third = await people.refreshed(second.refresh_token)
  expect(await people.statusOf(third.session_token)).toBe(200)
  const kept = await service.db.selectFrom('refresh_tokens').selectAll().execute()
  const dump = JSON.stringify(kept) + kept.map((row) => Buffer.from(row.token_hash).toString('latin1'))
  for (const { refresh_token } of [first, second, third]) expect(dump).not.toContain(refresh_token.slice(4))
})

test('an instance that knows the session learns that it lasts longer', async () => {
  const first = await people.signIn()
  expect(await people.statusOf(first.session_token)).toBe(200)
  service.clock.advance(30 * day - 1)
  const second = await people.refreshed(first.refresh_token)
  expect(await people.statusOf(second.session_token)).toBe(200)
  service.clock.advance(800)
  expect(await people.statusOf(second.session_token)).toBe(200)
})

test('twenty at once with one token get one and the same successor', async () => {
  const first = await people.signIn()
  const answers = await Promise.all(Array.from({ length: 20 }, () => people.refresh(first.refresh_token)))
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
  expect(new Set(answers.map((answer) => answer.body.data.refresh_token)).size).toBe(1)
  for (const answer of answers) expect(await people.statusOf(answer.body.data.session_token)).toBe(200)
  expect(await people.eventsOf(first)).toEqual(['created', 'signed_in'])
})

test('check 26: a lost answer is given again for 30 seconds; later the same ends the session, and it is told', async () => {
  const first = await people.signIn()
  const apiKey = await people.apiKeyOf(first)
  const second = await people.refreshed(first.refresh_token)
  service.clock.advance(30)
  const repeat = await people.refreshed(first.refresh_token)
  expect(repeat.refresh_token).toBe(second.refresh_token)
  expect(repeat.refresh_expires_at).toBe(second.refresh_expires_at)
  service.clock.advance(1)
  expect(await people.statusOf(second.session_token)).toBe(200)
  expect((await people.refresh(first.refresh_token)).status).toBe(401)
  for (const { session_token } of [first, second, repeat])
    expect(await people.statusOf(session_token)).toBe(401)
  for (const { refresh_token } of [first, second])
    expect((await people.refresh(refresh_token)).status).toBe(401)
  expect(await people.eventsOf(first)).toEqual(['created', 'signed_in', 'refresh_reused'])
  const [notice] = await service.db
    .selectFrom('notifications')
    .select(['content', 'content_en'])
    .where('user_id', '=', first.user_id)
    .execute()
  expect(notice?.content).toContain('Старый ключ входа')
  expect(notice?.content_en).toContain('An old sign-in token')
  const told = await service.call('GET', '/v1/profile/notifications', { token: apiKey })
  expect(told.body.data).toHaveLength(1)
})

test('check 26: a token whose successor was used ends the session at once, and no other session', async () => {
  const [first, other] = [await people.signIn(), await people.signInAgain()]
  expect(other.user_id).toBe(first.user_id)
  const second = await people.refreshed(first.refresh_token)
  const third = await people.refreshed(second.refresh_token)
  expect((await people.refresh(first.refresh_token)).status).toBe(401)
  expect(await people.statusOf(third.session_token)).toBe(401)
  expect((await people.refresh(third.refresh_token)).status).toBe(401)
  expect(await people.statusOf(other.session_token)).toBe(200)
  expect((await people.refresh(other.refresh_token)).status).toBe(200)
})

test('twenty thieves at once end the session once', async () => {
  const first = await people.signIn()
  const second = await people.refreshed(first.refresh_token)
  service.clock.advance(31)
  const answers = await Promise.all(Array.from({ length: 20 }, () => people.refresh(first.refresh_token)))
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([401]))
  expect((await people.refresh(second.refresh_token)).status).toBe(401)
  expect(await people.eventsOf(first)).toEqual(['created', 'signed_in', 'refresh_reused'])
})

test('any history of uses and pauses goes as the rule says', async () => {
  const step = fc.record({ pause: fc.constantFrom(0, 1, 15, 30, 31), place: fc.nat({ max: 3 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      const chain = [{ token: (await people.signIn()).refresh_token, replacedAt: 0 }]
      let isAlive = true
      for (const { pause, place } of steps) {
        service.clock.advance(pause)
        const now = service.clock.now()
        // Counted from the newest, because that is where the rule is.
        const at = Math.max(0, chain.length - 1 - place)
        const used = chain[at] as { token: string; replacedAt: number }
        const isNewest = at === chain.length - 1
        const isRepeat = at === chain.length - 2 && now - used.replacedAt <= 30
        const answer = await people.refresh(used.token)
        isAlive = isAlive && (isNewest || isRepeat)
        expect(answer.status).toBe(isAlive ? 200 : 401)
        if (!isAlive) continue
        if (isNewest) {
          used.replacedAt = now
          chain.push({ token: answer.body.data.refresh_token, replacedAt: 0 })
        }
        expect(answer.body.data.refresh_token).toBe(chain.at(-1)?.token)
      }
    }),
    { numRuns: 30 },
  )
})

test('whatever is wrong with a token, the answer is the same', async () => {
  const [expired, ended, blocked, deleted] = [
    await people.signIn(),
    await people.signIn(),
    await people.signIn(),
    await people.signIn(),
  ]
  service.clock.advance(30 * day - 1)
  for (const renewed of [ended, blocked, deleted]) {
    Object.assign(renewed, await people.refreshed(renewed.refresh_token))
  }
  service.clock.advance(1)
  await people.logout(ended.session_token)
  await service.operator('PATCH', `/users/${blocked.user_id}/blocked`, { is_blocked: true })
  await service.db
    .updateTable('users')
    .set({ deleted_at: service.clock.now() })
    .where('id', '=', deleted.user_id)
    .execute()
  const wrong = [
    ...[expired, ended, blocked, deleted].map((signedIn) => signedIn.refresh_token),
    blocked.session_token.slice(0, 256),
    `slr_${'A'.repeat(43)}`,
    'slr_',
    'x',
    `slr_${'я'.repeat(43)}`,
    "' or 1=1 --",
  ]
  const answers = await Promise.all(wrong.map((token) => people.refresh(token)))
  expect(answers.map(({ status, body }) => [status, JSON.stringify(body)])).toEqual(
    wrong.map(() => [401, JSON.stringify(answers[0]?.body)]),
  )
  await service.operator('PATCH', `/users/${blocked.user_id}/blocked`, { is_blocked: false })
  expect((await people.refresh(blocked.refresh_token)).status).toBe(200)
})

test('takes no API key and no other body', async () => {
  const { refresh_token } = await people.signIn()
  const { api_key } = await service.createUser()
  const body = { refresh_token }
  expect((await service.call('POST', '/v1/auth/refresh', { token: api_key, body })).status).toBe(403)
  for (const wrong of [{}, { refresh_token: 1 }, { refresh_token: '' }, { ...body, user_id: 1 }]) {
    expect((await service.call('POST', '/v1/auth/refresh', { body: wrong })).status).toBe(400)
  }
  expect(await people.statusOf(refresh_token)).toBe(401)
})
