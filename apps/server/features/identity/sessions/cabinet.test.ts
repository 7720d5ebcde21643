import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SoftPasskey } from '../../../../../test/support/people/authenticator.ts'
import { CabinetPerson } from '../../../../../test/support/people/cabinet.ts'
import { dumpOf, newAddress, Visitor } from '../../../../../test/support/people/mailbox.ts'
import { PasskeyPage } from '../../../../../test/support/people/passkeys.ts'
import { botToken, initDataOf, signWidget } from '../../../../../test/support/people/telegram.ts'
import {
  type Answer,
  startTestService,
  type TestService,
  type TestUser,
} from '../../../../../test/support/service.ts'

const day = 86_400

let service: TestService
beforeAll(async () => {
  service = await startTestService({ env: { TELEGRAM_BOT_TOKEN: botToken }, withoutLimits: true })
})
afterAll(() => service.stop())

const signedIn = async () => {
  const person = new CabinetPerson(service)
  const { user_id: id, session_token: token } = await person.signIn()
  return { person, id, token }
}
const sessionsOf = (userId: number) =>
  service.db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()
const asUser = ({ token, id }: { token: string; id: number }) => ({ session_token: token, id }) as TestUser

describe('signing in', () => {
  const ways: Record<string, (person: CabinetPerson) => Promise<Answer>> = {
    email: async (person) => {
      const email = newAddress()
      const code = await new Visitor(service).ask(email)
      return person.call('POST', '/auth/email/verify', { email, code })
    },
    telegram: (person) =>
      person.call('POST', '/auth/telegram', {
        init_data: initDataOf(person.telegramId, service.clock.now()),
      }),
    code: async (person) => {
      const { session_token: token } = await service.createUser()
      const { code } = (await service.call('POST', '/v1/profile/signInCode', { token })).body.data
      return person.call('POST', '/auth/signInCode', { code })
    },
    otp: async (person) => {
      const { id, session_token: token } = await service.createUser()
      const { password } = (await service.call('POST', '/v1/profile/otp', { token })).body.data
      return person.call('POST', '/auth/otp', { login: String(id), password })
    },
    passkey: async (person) => {
      const [page, passkey] = [new PasskeyPage(service), new SoftPasskey()]
      await page.register(await service.createUser(), passkey)
      return person.call('POST', '/auth/passkey/verify', passkey.get(await page.ask(), page))
    },
  }

  test.each(Object.keys(ways))('by %s leaves a cookie with the cabinet', async (way) => {
    const person = new CabinetPerson(service)
    const answer = await (ways[way] as (typeof ways)[string])(person)
    expect(answer.body.data).toMatchObject({
      session_token: expect.any(String),
      refresh_token: expect.any(String),
    })
    expect(answer.headers.get('set-cookie')).toMatch(
      /^sallyport-cabinet=[0-9A-Za-z]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    )
    const profile = await person.call('GET', '/profile')
    expect([profile.status, profile.body.data.id]).toEqual([200, answer.body.data.user_id])
    const [, secret = ''] = (person.cookie as string).split('=')
    expect(await dumpOf(service)).not.toContain(secret)
  })

  test.each([
    [{}, false],
    [{ 'x-sallyport-cabinet': '0' }, false],
    [{ 'x-sallyport-cabinet': '1, 1' }, false],
    [{ 'x-sallyport-console': '1' }, false],
    [{ 'x-sallyport-cabinet': '1' }, true],
  ])('with %j leaves a cookie: %s', async (headers, leaves) => {
    const body = { init_data: initDataOf(new CabinetPerson(service).telegramId, service.clock.now()) }
    const answer = await service.call('POST', '/v1/auth/telegram', {
      body,
      headers: headers as Record<string, string>,
    })
    expect([answer.status, answer.headers.has('set-cookie')]).toEqual([200, leaves])
  })

  test('anew ends the session that the browser had, whosever it was', async () => {
    const { person, id, token } = await signedIn()
    const before = person.cookie
    const other = new CabinetPerson(service)
    other.cookie = before
    await other.signIn()
    expect(other.cookie).not.toBe(before)
    expect([await sessionsOf(id), await other.status()]).toEqual([[], 200])
    await expect.poll(() => person.status()).toBe(401)
    expect((await service.call('GET', '/v1/profile', { token })).status).toBe(401)
  })

  test('to link keeps the session and its cookie', async () => {
    const { person, id } = await signedIn()
    const { cookie } = person
    const email = newAddress()
    const code = await new Visitor(service).ask(email)
    const linked = await person.call('POST', '/auth/email/verify', { email, code, link: true })
    expect([linked.status, linked.body.data.user_id, linked.headers.has('set-cookie')]).toEqual([
      200,
      id,
      false,
    ])
    expect([(await sessionsOf(id)).length, person.cookie, await person.status()]).toEqual([1, cookie, 200])
    const { session_token: token, refresh_token } = linked.body.data
    const profile = await service.call('GET', '/v1/profile', { token })
    expect(profile.body.data.email).toBe(email)
    const refreshed = await service.call('POST', '/v1/auth/refresh', { body: { refresh_token } })
    expect([refreshed.status, await person.status()]).toEqual([200, 200])
  })

  test('to link takes the cookie only from our own page', async () => {
    const { person, id } = await signedIn()
    const widget = signWidget({ id: new CabinetPerson(service).telegramId, auth_date: service.clock.now() })
    const body = { ...widget, link: true }
    const forged = await service.call('POST', '/v1/auth/telegram', { body, headers: person.bare })
    expect(forged.status).toBe(401)
    expect((await person.call('POST', '/auth/telegram', body)).body.data.user_id).toBe(id)
  })
})

describe('the cookie counts', () => {
  const site = (value: string, dest = 'empty') => ({ 'sec-fetch-site': value, 'sec-fetch-dest': dest })
  const header = { 'x-sallyport-cabinet': '1' }

  test.each<[string, Record<string, string>, number]>([
    ['GET', {}, 401],
    ['GET', site('none', 'document'), 401],
    ['GET', site('cross-site', 'document'), 401],
    ['GET', site('same-site'), 401],
    ['GET', site('cross-site', 'image'), 401],
    ['GET', { ...header, 'x-sallyport-cabinet': 'yes' }, 401],
    ['GET', site('same-origin'), 200],
    ['GET', header, 200],
    ['PATCH', {}, 401],
    ['PATCH', site('same-origin'), 401],
    ['PATCH', site('cross-site'), 401],
    ['PATCH', header, 200],
  ])('for %s with %j: %i', async (method, headers, status) => {
    const { person } = await signedIn()
    const path = method === 'GET' ? '/v1/profile' : '/v1/profile/onboarding'
    const answer = await service.call(method, path, { headers: { ...person.bare, ...headers } })
    const nobody = await service.call(method, path)
    expect(answer.status).toBe(status)
    if (status === 401) expect(answer.body).toEqual(nobody.body)
  })

  test('not for an address that is opened from elsewhere: notifications stay', async () => {
    const { person, id } = await signedIn()
    await service.operator('POST', `/users/${id}/notifications`, { content: 'Hello' })
    for (const from of ['none', 'cross-site', 'same-site']) {
      const headers = { ...person.bare, ...site(from, 'document'), 'sec-fetch-mode': 'navigate' }
      expect((await service.call('GET', '/v1/profile/notifications', { headers })).status).toBe(401)
    }
    expect((await person.call('GET', '/profile/notifications')).body.data).toHaveLength(1)
  })

  test('not beside an Authorization header, right or wrong', async () => {
    const { person } = await signedIn()
    const other = await service.createUser()
    const mine = async (authorization: string) =>
      person.call('GET', '/profile', undefined, { headers: { authorization } })
    expect((await mine(`Bearer ${other.api_key}`)).body.data.id).toBe(other.id)
    for (const wrong of ['Bearer x', 'Basic YTpi', '']) expect((await mine(wrong)).status).toBe(401)
  })

  test('for sessions only, and nowhere but under /v1', async () => {
    const { person } = await signedIn()
    expect(await person.status('GET', '/profile/api-keys')).toBe(200)
    const { headers } = person
    expect((await service.call('GET', '/operator/v1/me', { headers })).status).toBe(401)
    expect((await service.call('GET', '/agent/v1/state?since=0&wait_seconds=0', { headers })).status).toBe(
      401,
    )
  })

  test('for nobody else: two accounts, each with its own', async () => {
    const [one, two] = [await signedIn(), await signedIn()]
    const idOf = async ({ person }: typeof one) => (await person.call('GET', '/profile')).body.data.id
    expect([await idOf(one), await idOf(two)]).toEqual([one.id, two.id])
  })

  test.each([
    '',
    'x',
    'A'.repeat(43),
    'A'.repeat(4000),
    '%00',
    '"',
  ])('not when it is made up (%#)', async (value) => {
    const { person } = await signedIn()
    person.cookie = `sallyport-cabinet=${value}`
    expect(await person.status()).toBe(401)
    expect((await person.call('GET', '/auth/methods')).status).toBe(200)
    await person.signIn()
    expect(await person.status()).toBe(200)
  })

  test('not for other sites: they are allowed no header', async () => {
    const headers = {
      origin: 'https://elsewhere.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-sallyport-cabinet',
    }
    const answer = await service.call('OPTIONS', '/v1/auth/logout', { headers })
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('it ends', () => {
  test('with logout, which takes the cookie away', async () => {
    const { person, token } = await signedIn()
    const { cookie } = person
    const answer = await person.call('POST', '/auth/logout')
    expect(answer.body.data).toBe(true)
    expect(answer.headers.get('set-cookie')).toBe(
      'sallyport-cabinet=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    )
    person.cookie = cookie
    expect(await person.status()).toBe(401)
    expect((await service.call('GET', '/v1/profile', { token })).status).toBe(401)
    expect((await person.call('GET', '/auth/methods')).status).toBe(200)
    await person.signIn()
    expect(await person.status()).toBe(200)
  })

  test('with a logout by its token, which has no cookie to take', async () => {
    const { person, token } = await signedIn()
    const answer = await service.call('POST', '/v1/auth/logout', { token })
    expect([answer.status, answer.headers.has('set-cookie'), await person.status()]).toEqual([
      200,
      false,
      401,
    ])
  })

  test('with logoutAll, an operator who signs out, and the account', async () => {
    const [all, out, gone] = [await signedIn(), await signedIn(), await signedIn()]
    for (const { person } of [all, out, gone]) expect(await person.status()).toBe(200)
    const { cookie } = gone.person
    expect((await all.person.call('POST', '/auth/logoutAll')).body.data).toEqual({ ended_count: 1 })
    expect(all.person.cookie).toBeUndefined()
    expect((await service.operator('POST', `/users/${out.id}/sign-out`)).status).toBe(200)
    expect(await gone.person.status('DELETE', '/profile')).toBe(200)
    expect(gone.person.cookie).toBeUndefined()
    gone.person.cookie = cookie
    expect([await out.person.status(), await gone.person.status()]).toEqual([401, 401])
    expect((await out.person.call('GET', '/auth/methods')).status).toBe(200)
  })

  test('for a blocked account, who is told so, and nobody where one signs in', async () => {
    const { person, id } = await signedIn()
    expect(await person.status()).toBe(200)
    await service.operator('PATCH', `/users/${id}/blocked`, { is_blocked: true })
    expect(await person.status()).toBe(403)
    const widget = signWidget({ id: new CabinetPerson(service).telegramId, auth_date: service.clock.now() })
    expect((await person.call('POST', '/auth/telegram', { ...widget, link: true })).status).toBe(401)
    expect((await person.call('GET', '/auth/methods')).status).toBe(200)
    await service.operator('PATCH', `/users/${id}/blocked`, { is_blocked: false })
    expect(await person.status()).toBe(200)
  })

  test('30 days after it was last used', async () => {
    const [used, forgotten] = [await signedIn(), await signedIn()]
    for (let days = 0; days < 35; days += 7) {
      service.clock.advance(7 * day)
      expect(await used.person.status()).toBe(200)
    }
    expect(await forgotten.person.status()).toBe(401)
    service.clock.advance(30 * day - 1)
    expect(await used.person.status()).toBe(200)
    service.clock.advance(30 * day)
    expect(await used.person.status()).toBe(401)
  })

  test('later when it is used, written and said once a day', async () => {
    const { person, id } = await signedIn()
    const endOf = async () => (await sessionsOf(id))[0]?.expires_at as number
    const first = await endOf()
    service.clock.advance(day - 1)
    expect((await person.call('GET', '/profile')).headers.has('set-cookie')).toBe(false)
    expect(await endOf()).toBe(first)
    service.clock.advance(1)
    const { cookie } = person
    const answers = await Promise.all(Array.from({ length: 10 }, () => person.call('GET', '/profile')))
    expect(answers.filter(({ headers }) => headers.has('set-cookie'))).toHaveLength(1)
    expect([await endOf(), person.cookie]).toEqual([first + day, cookie])
    expect((await person.call('GET', '/profile')).headers.has('set-cookie')).toBe(false)
  })

  test('not sooner for who is signed out in the very request that would prolong it', async () => {
    const { person } = await signedIn()
    service.clock.advance(2 * day)
    await person.call('POST', '/auth/logout')
    expect(person.cookie).toBeUndefined()
  })
})

test('a key made with the cookie works by itself, and codes of the session too', async () => {
  const { person, id, token } = await signedIn()
  const made = await person.call('POST', '/profile/api-keys', {})
  expect((await service.call('GET', '/v1/profile', { token: made.body.data.api_key })).body.data.id).toBe(id)
  const { code } = (await person.call('POST', '/profile/signInCode')).body.data
  const other = new CabinetPerson(service)
  expect((await other.call('POST', '/auth/signInCode', { code })).body.data.user_id).toBe(id)
  expect(await new PasskeyPage(service).list(asUser({ token, id }))).toEqual([])
})

describe('codes of a session end with it', () => {
  const endings: [string, (person: CabinetPerson, id: number) => Promise<unknown>][] = [
    [
      'when somebody else signs in in its browser',
      async (person) => {
        const { session_token: token } = await service.createUser()
        const { code } = (await service.call('POST', '/v1/profile/signInCode', { token })).body.data
        expect((await person.call('POST', '/auth/signInCode', { code })).status).toBe(200)
      },
    ],
    [
      'when its owner signs in anew in its browser',
      (person) => {
        service.clock.advance(1)
        return person.signIn()
      },
    ],
    [
      'when it is too old',
      (_person, id) =>
        service.db
          .updateTable('sessions')
          .set({ expires_at: service.clock.now() })
          .where('user_id', '=', id)
          .execute(),
    ],
  ]

  test.each(endings)('%s', async (_name, end) => {
    const { person, id } = await signedIn()
    const { password } = (await person.call('POST', '/profile/otp')).body.data
    const { key } = (await person.call('POST', '/profile/transfer/createKey')).body.data
    await end(person, id)
    const byPassword = await service.call('POST', '/v1/auth/otp', {
      body: { login: String(id), password },
    })
    const byKey = await service.call('POST', '/v1/profile/transfer/activateKey', {
      token: (await service.createUser()).session_token,
      body: { key },
    })
    expect([byPassword.status, byKey.status]).toEqual([401, 400])
  })

  test('and those of another one go on', async () => {
    const { person, id } = await signedIn()
    const { code } = (await person.call('POST', '/profile/signInCode')).body.data
    const other = new CabinetPerson(service)
    await other.call('POST', '/auth/signInCode', { code })
    const { password } = (await person.call('POST', '/profile/otp')).body.data
    await other.signIn()
    const again = await service.call('POST', '/v1/auth/otp', { body: { login: String(id), password } })
    expect(again.body.data.user_id).toBe(id)
  })
})
