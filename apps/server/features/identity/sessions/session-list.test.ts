import { afterAll, beforeAll, expect, test } from 'vitest'
import { CabinetPerson } from '../../../../../test/support/people/cabinet.ts'
import { TestSessions } from '../../../../../test/support/people/sessions.ts'
import { botToken } from '../../../../../test/support/people/telegram.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'

const day = 86_400
const chrome =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ env: { TELEGRAM_BOT_TOKEN: botToken }, withoutLimits: true })
})
afterAll(() => service.stop())

const list = async (token: string) =>
  (await service.call('GET', '/v1/profile/sessions', { token })).body.data as {
    readonly id: string
    readonly is_current: boolean
  }[]
const end = (token: string, id: string) => service.call('DELETE', `/v1/profile/sessions/${id}`, { token })

test('says where one is signed in, the current session first, then by last use', async () => {
  const person = new CabinetPerson(service)
  const { user_id: id } = await person.signIn({ 'user-agent': chrome })
  const began = service.clock.now()
  service.clock.advance(10)
  const { session_token: byHand } = (await service.operator('POST', `/users/${id}/sessions`)).body.data
  const mine = {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    client: 'Chrome, Android',
    sign_in_method: 'telegram',
    created_at: began,
    last_used_at: began + 10,
    is_current: true,
  }
  const other = {
    ...mine,
    client: null,
    sign_in_method: null,
    created_at: began + 10,
    last_used_at: began + 10,
    is_current: false,
  }
  expect((await person.call('GET', '/profile/sessions')).body.data).toEqual([mine, other])
  const fromThere = [
    { ...other, is_current: true },
    { ...mine, last_used_at: began, is_current: false },
  ]
  expect(await list(byHand)).toEqual(fromThere)
  service.clock.advance(2 * day)
  await person.status()
  const { session_token: third } = (await service.operator('POST', `/users/${id}/sessions`)).body.data
  const [, second] = await list(third)
  expect(second).toMatchObject({ client: 'Chrome, Android', last_used_at: began + 10 + 2 * day })
  const rows = await service.db.selectFrom('sessions').selectAll().where('user_id', '=', id).execute()
  expect(JSON.stringify(rows)).not.toContain('Mozilla')
})

test('another one ends at once, with cookie, tokens and refresh tokens', async () => {
  const people = new TestSessions(service)
  const [mine, stranger] = [await people.signIn(), new CabinetPerson(service)]
  const { code } = (await service.call('POST', '/v1/profile/signInCode', { token: mine.session_token })).body
    .data
  const { session_token, refresh_token } = (await stranger.call('POST', '/auth/signInCode', { code })).body
    .data
  expect(await stranger.status()).toBe(200)
  const [, theirs] = await list(mine.session_token)
  const answer = await end(mine.session_token, theirs?.id as string)
  expect([answer.body.data, answer.headers.has('set-cookie')]).toEqual([true, false])
  expect([await stranger.status(), await people.statusOf(session_token)]).toEqual([401, 401])
  expect((await people.refresh(refresh_token)).status).toBe(401)
  expect(await people.statusOf(mine.session_token)).toBe(200)
  expect(await list(mine.session_token)).toHaveLength(1)
  expect((await end(mine.session_token, theirs?.id as string)).status).toBe(404)
})

test('ending the current one is signing out', async () => {
  const person = new CabinetPerson(service)
  await person.signIn()
  const [current] = (await person.call('GET', '/profile/sessions')).body.data
  const { cookie } = person
  const answer = await person.call('DELETE', `/profile/sessions/${current.id}`)
  expect([answer.status, person.cookie]).toEqual([200, undefined])
  person.cookie = cookie
  expect(await person.status()).toBe(401)
})

test('is not for others, for API keys, or for what is no session', async () => {
  const [user, other] = [await service.createUser(), await service.createUser()]
  const [mine] = await list(user.session_token)
  const id = mine?.id as string
  expect((await end(other.session_token, id)).status).toBe(404)
  expect((await service.call('GET', '/v1/profile/sessions', { token: user.api_key })).status).toBe(403)
  expect((await end(user.api_key, id)).status).toBe(403)
  expect((await end(user.session_token, crypto.randomUUID())).status).toBe(404)
  expect((await end(user.session_token, 'x')).status).toBe(404)
  expect(await list(user.session_token)).toHaveLength(1)
})

test('is bounded, and the current one is never left out', async () => {
  const people = new TestSessions(service)
  const first = await people.signIn()
  for (let more = 0; more < 55; more++) {
    service.clock.advance(1)
    await people.signInAgain()
  }
  const sessions = await list(first.session_token)
  expect([sessions.length, sessions[0]?.is_current]).toEqual([50, true])
})
