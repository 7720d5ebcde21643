import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  botToken,
  initDataOf,
  signInitData,
  signWidget,
} from '../../../../../test/support/people/telegram.ts'
import { type Answer, startTestService, type TestService } from '../../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  const env = { TELEGRAM_BOT_TOKEN: botToken, TELEGRAM_BOT_NAME: 'example_bot' }
  service = await startTestService({ env, withoutLimits: true })
})
afterAll(() => service.stop())

let lastId = 5_000_000_000
const newId = (): number => ++lastId

const send = (body: object, token?: string): Promise<Answer> =>
  service.call('POST', '/v1/auth/telegram', { body, ...(token && { token }) })
const widgetOf = (id: number, age = 0) =>
  signWidget({ id, first_name: 'Анна', auth_date: service.clock.now() - age })
const miniAppOf = (id: number, age = 0) => ({ init_data: initDataOf(id, service.clock.now() - age) })
const profileOf = async (token: string) => (await service.call('GET', '/v1/profile', { token })).body.data

describe('signing in', () => {
  test('the first time makes an account, afterwards the widget and the Mini App lead to it', async () => {
    const id = newId()
    const first = await send(widgetOf(id))
    expect(first.status).toBe(200)
    expect(first.body.data).toMatchObject({ is_new_account: true, expires_at: service.clock.now() + 900 })
    const profile = await profileOf(first.body.data.session_token)
    expect(profile).toMatchObject({
      id: first.body.data.user_id,
      email: null,
      is_messenger_connected: true,
      sign_in_method: 'telegram',
    })
    const again = await send(miniAppOf(id))
    expect(again.body.data).toMatchObject({ is_new_account: false, user_id: profile.id })
  })

  test('what oauth.telegram.org leaves in #tgAuthResult is taken as it is', async () => {
    const { clock } = service
    const person = { first_name: 'Анна ☀', last_name: 'К', username: 'anna_k' }
    const photo = { photo_url: 'https://t.me/i/userpic/320/Ab-c_d.jpg' }
    for (const fields of [{ ...person, ...photo }, { first_name: 'Анна' }]) {
      const signed = signWidget({ id: newId(), ...fields, auth_date: clock.now() })
      const fragment = Buffer.from(JSON.stringify(signed).replaceAll('/', '\\/')).toString('base64url')
      const answer = await send(JSON.parse(Buffer.from(fragment, 'base64url').toString()))
      expect([answer.status, answer.body.data?.is_new_account]).toEqual([200, true])
    }
  })

  test('ten first sign-ins at once make one account', async () => {
    const id = newId()
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(miniAppOf(id))))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.body.data.user_id)).size).toBe(1)
    expect(answers.filter((answer) => answer.body.data.is_new_account)).toHaveLength(1)
  })

  test('the same data of the widget signs in once, also when sent ten times at once', async () => {
    const data = widgetOf(newId())
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(data)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(401)])
    service.clock.advance(600)
    await service.running.runJobs()
    expect((await send(data)).status).toBe(401)
  })

  test('a Mini App may come again with its data, for an hour', async () => {
    const data = miniAppOf(newId())
    expect([(await send(data)).status, (await send(data)).status]).toEqual([200, 200])
    service.clock.advance(3600)
    expect((await send(data)).status).toBe(200)
    service.clock.advance(1)
    expect((await send(data)).status).toBe(401)
  })

  test('what is signed but too old, early, or of no person is refused', async () => {
    const [id, now] = [newId(), service.clock.now()]
    const refused = [
      widgetOf(id, 601),
      widgetOf(id, -61),
      miniAppOf(id, 3601),
      miniAppOf(id, -61),
      { init_data: signInitData({ auth_date: now }) },
      { init_data: signInitData({ auth_date: now, user: JSON.stringify({ id, is_bot: true }) }) },
      { init_data: signInitData({ user: JSON.stringify({ id }) }) },
    ]
    for (const body of refused) {
      const answer = await send(body)
      expect([answer.status, answer.body.errorCode]).toEqual([401, 2])
      expect(Object.keys(body)).toContain(answer.body.details[0].path)
    }
    const made = await service.db.selectFrom('identities').where('subject', '=', String(id)).execute()
    expect(made).toEqual([])
    expect((await send(widgetOf(id, 600))).status).toBe(200)
  })

  test('a blocked account stays out', async () => {
    const id = newId()
    const { user_id } = (await send(miniAppOf(id))).body.data
    await service.operator('PATCH', `/users/${user_id}/blocked`, { is_blocked: true })
    expect((await send(miniAppOf(id))).status).toBe(403)
  })
})

describe('referral codes', () => {
  const referrerOf = async (answer: Answer) => {
    expect(answer.status).toBe(200)
    const row = service.db.selectFrom('users').select('referrer_id')
    return (await row.where('id', '=', answer.body.data.user_id).executeTakeFirstOrThrow()).referrer_id
  }
  const opened = (startParam: string) => ({
    init_data: initDataOf(newId(), service.clock.now(), { start_param: startParam }),
  })

  test('come with the body, or with the link that opened the Mini App', async () => {
    const [one, other] = [await service.createUser(), await service.createUser()]
    expect(await referrerOf(await send({ ...widgetOf(newId()), referral_code: one.referral_code }))).toBe(
      one.id,
    )
    expect(await referrerOf(await send(opened(one.referral_code)))).toBe(one.id)
    const both = { ...opened(one.referral_code), referral_code: other.referral_code }
    expect(await referrerOf(await send(both))).toBe(other.id)
  })

  test('a link may carry anything else too, a body may not', async () => {
    expect(await referrerOf(await send(opened('promo-page-7')))).toBeNull()
    const answer = await send({ ...miniAppOf(newId()), referral_code: 'NOBODY' })
    expect([answer.status, answer.body.details[0].path]).toEqual([400, 'referral_code'])
  })
})

describe('what Telegram signed before the account was signed out everywhere', () => {
  const endings: [string, (owner: { session_token: string; user_id: number }) => Promise<unknown>][] = [
    ['by its owner', ({ session_token: token }) => service.call('POST', '/v1/auth/logoutAll', { token })],
    ['by an operator', ({ user_id }) => service.operator('POST', `/users/${user_id}/sign-out`)],
  ]

  test.each(endings)('%s, opens it no more', async (_name, end) => {
    const id = newId()
    const owner = (await send(miniAppOf(id))).body.data
    const stale = await send({ ...miniAppOf(newId(), 3601) })
    const [opened, unused] = [miniAppOf(id), widgetOf(id)]
    service.clock.advance(60)
    const late = [miniAppOf(id), widgetOf(id)]
    await end(owner)
    for (const body of [opened, unused, ...late]) {
      const answer = await send(body)
      expect(answer.status).toBe(401)
      expect(Object.keys(body)).toContain(answer.body.details[0].path)
      expect(answer.body.details[0].problem).toBe(stale.body.details[0].problem)
    }
    service.clock.advance(1)
    for (const body of [miniAppOf(id), widgetOf(id)])
      expect((await send(body)).body.data.user_id).toBe(owner.user_id)
  })

  test('still makes an account for whoever has none, and is linked by whoever has a session', async () => {
    const user = await service.createUser()
    const [mine, free] = [miniAppOf(newId()), miniAppOf(newId())]
    await service.operator('POST', `/users/${user.id}/sign-out`)
    const { session_token } = (await service.operator('POST', `/users/${user.id}/sessions`)).body.data
    expect((await send({ ...mine, link: true }, session_token)).body.data.user_id).toBe(user.id)
    expect((await send(mine)).status).toBe(401)
    expect((await send(free)).body.data.is_new_account).toBe(true)
  })

  test('opens nothing beside it either', async () => {
    const rounds = Array.from({ length: 15 }, async () => {
      const body = miniAppOf(newId())
      const { session_token: token } = (await send(body)).body.data
      const [again] = await Promise.all([send(body), service.call('POST', '/v1/auth/logoutAll', { token })])
      if (again.status !== 200) return
      const left = await service.call('GET', '/v1/profile', { token: again.body.data.session_token })
      expect(left.status).toBe(401)
    })
    await Promise.all(rounds)
  })
})

describe('linking', () => {
  test('adds Telegram to the account of the session', async () => {
    const [user, id] = [await service.createUser({ email: 'anna@example.com' }), newId()]
    const linked = await send({ ...widgetOf(id), link: true }, user.session_token)
    expect(linked.body.data).toMatchObject({ user_id: user.id, is_new_account: false })
    expect((await profileOf(linked.body.data.session_token)).is_messenger_connected).toBe(true)
    expect((await send(miniAppOf(id))).body.data.user_id).toBe(user.id)
  })

  test('needs a session, and a Telegram account that is free', async () => {
    const [user, id] = [await service.createUser(), newId()]
    const owner = (await send(miniAppOf(id))).body.data.user_id
    expect((await send({ ...miniAppOf(id), link: true })).status).toBe(401)
    expect((await send({ ...miniAppOf(id), link: true }, user.api_key)).status).toBe(403)
    const taken = await send({ ...miniAppOf(id), link: true }, user.session_token)
    expect([taken.status, taken.body.message]).toEqual([409, 'CONFLICT'])
    expect((await send(miniAppOf(id), user.session_token)).body.data.user_id).toBe(owner)
  })
})

test('forged data is refused, counted, and does not keep the person out', async () => {
  const id = newId()
  const forged = [
    { ...widgetOf(id), hash: '0'.repeat(64) },
    { ...widgetOf(newId()), id },
    { init_data: signInitData({ user: JSON.stringify({ id }), auth_date: 1 }, 'other:token') },
    { init_data: `${initDataOf(id, service.clock.now())}&auth_date=1` },
    { init_data: 'no=hash' },
  ]
  for (const body of forged) {
    const answer = await send(body)
    expect(answer.status).toBe(401)
    expect(Object.keys(body)).toContain(answer.body.details[0].path)
  }
  const statuses: number[] = []
  for (let n = 0; n < 12; n++) statuses.push((await send({ ...widgetOf(id), hash: '0'.repeat(64) })).status)
  // Three of the first five named this person.
  expect(statuses).toEqual([...Array(7).fill(401), ...Array(5).fill(429)])
  const waiting = await send({ ...widgetOf(id), hash: '0'.repeat(64) })
  expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await send(widgetOf(id))).status).toBe(200)
})

test('bodies of neither shape are refused', async () => {
  const wrong = [{}, { init_data: '' }, { ...widgetOf(1), extra: 1 }, { ...widgetOf(1), init_data: 'x' }]
  for (const body of wrong) expect((await send(body)).status).toBe(400)
})

test('the ways to sign in are told, and without a bot Telegram is none of them', async () => {
  const told = (await service.call('GET', '/v1/auth/methods')).body.data
  expect(told).toEqual({
    email: true,
    passkey: true,
    telegram_bot: 'example_bot',
    telegram_bot_id: 123_456_789,
    oauth: [],
  })
  const without = await startTestService({
    env: {
      PUBLIC_URL: 'http://203.0.113.9',
      GOOGLE_CLIENT_ID: 'id',
      GOOGLE_CLIENT_SECRET: 'secret',
      VK_CLIENT_ID: '7',
    },
  })
  try {
    const { status } = await without.call('POST', '/v1/auth/telegram', { body: widgetOf(newId()) })
    expect(status).toBe(404)
    expect((await without.call('GET', '/v1/auth/methods')).body.data).toEqual({
      email: true,
      passkey: false,
      telegram_bot: null,
      telegram_bot_id: null,
      oauth: [
        { provider: 'google', title: 'Google' },
        { provider: 'vk', title: expect.any(String) },
      ],
    })
  } finally {
    await without.stop()
  }
})

test('the introduction is seen once', async () => {
  const user = await service.createUser()
  const finish = (token: string) => service.call('PATCH', '/v1/profile/onboarding', { token })
  expect((await profileOf(user.session_token)).onboarding_completed).toBe(false)
  expect((await finish(user.api_key)).status).toBe(403)
  for (let n = 0; n < 2; n++) expect((await finish(user.session_token)).body.data).toBe(true)
  expect((await profileOf(user.session_token)).onboarding_completed).toBe(true)
})
