import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CabinetPerson } from '../../../../../test/support/people/cabinet.ts'
import { CookieBrowser } from '../../../../../test/support/people/cookie-browser.ts'
import { fragmentOf, type OauthWorld, startOauthWorld } from '../../../../../test/support/people/oauth.ts'

let world: OauthWorld
beforeAll(async () => {
  world = await startOauthWorld()
})
afterAll(() => world.stop())

const profileOf = async (token: string) =>
  (await world.service.call('GET', '/v1/profile', { token })).body.data
const gmail = (name: string) => ({ email: `${name}@gmail.com`, email_verified: true })
const exchange = (code: string) => world.service.call('POST', '/v1/auth/signInCode', { body: { code } })

describe('signing in', () => {
  test('makes an account the first time, and finds it the next', async () => {
    const person = world.person(gmail('first'))
    const first = await world.signIn(person)
    expect([first.status, first.body.data.is_new_account]).toEqual([200, true])
    const profile = await profileOf(first.body.data.session_token)
    expect(profile).toMatchObject({ email: 'first@gmail.com', sign_in_method: 'google' })
    const again = await world.signIn(person)
    expect(again.body.data).toMatchObject({ user_id: first.body.data.user_id, is_new_account: false })
    const refreshed = await world.service.call('POST', '/v1/auth/refresh', {
      body: { refresh_token: again.body.data.refresh_token },
    })
    expect(refreshed.status).toBe(200)
  })

  test('the same subject at another provider is somebody else', async () => {
    const person = world.person()
    const [one, other] = [await world.signIn(person), await world.signIn(person, { provider: 'office' })]
    expect(one.body.data.user_id).not.toBe(other.body.data.user_id)
  })

  test.each([
    ['google', { email: 'Trust-A@Gmail.com', email_verified: true }, true],
    ['google', { email: 'trust-b@example.com', email_verified: true, hd: 'example.com' }, true],
    ['google', { email: 'trust-c@example.com', email_verified: true }, false],
    ['google', { email: 'trust-d@gmail.com', email_verified: false }, false],
    ['office', { email: 'trust-e@example.com', email_verified: true }, true],
    ['office', { email: 'trust-f@example.com' }, false],
    ['home', { email: 'trust-g@gmail.com', email_verified: true }, false],
  ])('%s with %j opens the account of that address: %s', async (provider, claims, isTrusted) => {
    const owner = await world.service.createUser({ email: claims.email })
    const { body } = await world.signIn(world.person(claims), { provider })
    expect(body.data.user_id === owner.id).toBe(isTrusted)
    expect(body.data.is_new_account).toBe(!isTrusted)
    const { email } = await profileOf(body.data.session_token)
    expect(email).toBe(isTrusted ? claims.email.toLowerCase() : null)
  })

  test.each([
    'a"b <x>@example.com',
    // The sign of the kelvin is a small k in small letters, and its owner is not mike.
    'mi\u212ae@example.com',
  ])('the address %j is not taken', async (email) => {
    const { body } = await world.signIn(world.person({ email, email_verified: true }), { provider: 'office' })
    expect((await profileOf(body.data.session_token)).email).toBeNull()
  })

  test('a new account carries the referral code, unless its customer has left meanwhile', async () => {
    const referrer = await world.service.createUser()
    const body = { referral_code: referrer.referral_code }
    const { browser, url } = await world.start({ body })
    const callback = await world.agree(browser, url, world.person())
    const first = (await world.signIn(world.person(), { body })).body.data
    await world.service.call('DELETE', '/v1/profile', { token: referrer.session_token })
    const late = (await world.open(browser, callback)).body.data
    const rows = await world.service.db
      .selectFrom('users')
      .select('referrer_id')
      .where('id', 'in', [first.user_id, late.user_id])
      .orderBy('id')
      .execute()
    expect(rows.map((row) => row.referrer_id)).toEqual([referrer.id, null])
  })

  test('a wrong referral code is told before anybody goes anywhere', async () => {
    const { answer } = await world.start({ body: { referral_code: 'NOBODY', return_to: '/cabinet' } })
    expect([answer.statusCode, answer.details[0].path]).toEqual([400, 'referral_code'])
    const start = `${world.service.running.url}/v1/auth/oauth/google/start?referral_code=NOBODY`
    const { status, body } = await world.open(new CookieBrowser(), start)
    expect([status, body.details[0].path]).toEqual([400, 'referral_code'])
    const told = await world.open(new CookieBrowser(), `${start}&return_to=/cabinet`)
    expect(fragmentOf(told)).toEqual({ sign_in_error: 'referral_code' })
  })

  test('ten first sign-ins at once make one account', async () => {
    const person = world.person(gmail('ten'))
    const ready = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { browser, url } = await world.start()
        return { browser, callback: await world.agree(browser, url, person) }
      }),
    )
    const answers = await Promise.all(ready.map(({ browser, callback }) => world.open(browser, callback)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(new Set(answers.map(({ body }) => body.data.user_id)).size).toBe(1)
    expect(answers.filter(({ body }) => body.data.is_new_account)).toHaveLength(1)
  })

  test('two tabs of one browser do not end each other', async () => {
    const person = world.person()
    const { browser, url } = await world.start()
    const second = await world.start({ browser })
    const callbacks = [
      await world.agree(browser, url, person),
      await world.agree(browser, second.url, person),
    ]
    for (const callback of callbacks) expect((await world.open(browser, callback)).status).toBe(200)
  })

  test('by a link: the browser is sent there with a cookie that only comes back here', async () => {
    const browser = new CookieBrowser()
    const start = await browser.open(`${world.service.running.url}/v1/auth/oauth/google/start`)
    expect([start.status, start.headers.get('cache-control')]).toEqual([302, 'no-store'])
    expect(start.headers.get('set-cookie')).toMatch(
      /^slp_oauth=[\w-]{43}; Path=\/v1\/auth\/oauth; Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
    const callback = await world.agree(browser, start.headers.get('location') ?? '', world.person())
    expect((await world.open(browser, callback)).status).toBe(200)
  })

  test('with VK ID', async () => {
    const signIn = async () => {
      const { browser, url } = await world.start({ provider: 'vk' })
      return world.open(browser, world.vk.authorize(url, 7001))
    }
    const [first, again] = [await signIn(), await signIn()]
    expect(first.body.data.is_new_account).toBe(true)
    expect(again.body.data).toMatchObject({ user_id: first.body.data.user_id, is_new_account: false })
    const profile = await profileOf(again.body.data.session_token)
    expect(profile).toMatchObject({ email: null, sign_in_method: 'vk' })
  })
})

describe('linking', () => {
  const link = { link: true }

  test('adds a way into the account of the session', async () => {
    const user = await world.service.createUser()
    const person = world.person(gmail('linked'))
    const linked = await world.signIn(person, { body: link, token: user.session_token })
    expect(linked.body.data).toMatchObject({ user_id: user.id, is_new_account: false })
    expect((await world.signIn(person)).body.data.user_id).toBe(user.id)
    const twice = await world.signIn(person, { body: link, token: user.session_token })
    expect(twice.status).toBe(200)
  })

  test('from the cabinet, by its cookie, ends as one session of the same account', async () => {
    const user = await world.service.createUser()
    const token = user.session_token
    const { code } = (await world.service.call('POST', '/v1/profile/signInCode', { token })).body.data
    const person = new CabinetPerson(world.service)
    await person.call('POST', '/auth/signInCode', { code })
    const body = { ...link, return_to: '/settings' }
    const forged = await world.start({ body, headers: person.bare })
    expect(forged.answer.statusCode).toBe(401)
    const back = await world.signIn(world.person(), { body, headers: person.headers })
    const { sign_in_code: linked = '' } = fragmentOf(back)
    const former = person.cookie
    const entered = await person.call('POST', '/auth/signInCode', { code: linked })
    expect(entered.body.data.user_id).toBe(user.id)
    expect(person.cookie).not.toBe(former)
    expect(await person.status()).toBe(200)
    const sessions = world.service.db
      .selectFrom('sessions')
      .select('revoked_at')
      .where('user_id', '=', user.id)
    const open = (await sessions.execute()).filter(({ revoked_at: at }) => at === null)
    // The other is that of who made the account.
    expect(open).toHaveLength(2)
  })

  test('without a session, or with an API key, is refused', async () => {
    const user = await world.service.createUser()
    const { answer } = await world.start({ body: link })
    expect([answer.statusCode, answer.errorCode]).toEqual([401, 2])
    expect((await world.start({ body: link, token: user.api_key })).answer.statusCode).toBe(403)
  })

  test('what belongs to another account stays there', async () => {
    const person = world.person()
    const owner = (await world.signIn(person)).body.data.user_id
    const user = await world.service.createUser()
    const start = { body: link, token: user.session_token }
    const { status, body } = await world.signIn(person, start)
    expect([status, body.errorCode]).toEqual([409, 6])
    const told = await world.signIn(person, { ...start, body: { ...link, return_to: '/profile' } })
    expect(fragmentOf(told)).toEqual({ sign_in_error: 'taken' })
    expect((await world.signIn(person)).body.data.user_id).toBe(owner)
  })

  test.each([
    {},
    { return_to: '/profile' },
  ])('a session that ended meanwhile links nothing (%j)', async (more) => {
    const user = await world.service.createUser()
    const person = world.person()
    const { browser, url } = await world.start({ body: { ...link, ...more }, token: user.session_token })
    const callback = await world.agree(browser, url, person)
    await world.service.call('POST', '/v1/auth/logoutAll', { token: user.session_token })
    const answer = await world.open(browser, callback)
    if ('return_to' in more) expect(fragmentOf(answer)).toEqual({ sign_in_error: 'signed_out' })
    else expect([answer.status, answer.body.details[0].path]).toEqual([401, 'state'])
    expect((await world.signIn(person)).body.data.is_new_account).toBe(true)
  })
})

describe('with a page to return to', () => {
  const start = { body: { return_to: '/cabinet?tab=1#old' } }

  test('the page gets a code, good once and for a minute, and no token', async () => {
    const person = world.person()
    const back = await world.signIn(person, start)
    expect([back.status, back.headers.get('set-cookie')]).toEqual([302, null])
    const location = back.headers.get('location') ?? ''
    expect(location).toMatch(
      new RegExp(`^${world.service.running.url}/cabinet\\?tab=1#sign_in_code=[\\w-]+$`),
    )
    const { sign_in_code: code = '' } = fragmentOf(back)
    const entered = await exchange(code)
    expect(entered.status).toBe(200)
    expect(await profileOf(entered.body.data.session_token)).toMatchObject({ sign_in_method: 'google' })
    expect((await exchange(code)).status).toBe(401)
    const late = fragmentOf(await world.signIn(person, start)).sign_in_code ?? ''
    world.service.clock.advance(61)
    expect((await exchange(late)).status).toBe(401)
  })

  test('two browsers that come back at once both get in', async () => {
    const person = world.person()
    const backs = [await world.signIn(person, start), await world.signIn(person, start)]
    for (const back of backs) expect((await exchange(fragmentOf(back).sign_in_code ?? '')).status).toBe(200)
  })

  test('a blocked account gets none', async () => {
    const person = world.person()
    const { user_id } = (await world.signIn(person)).body.data
    await world.service.db.updateTable('users').set({ is_blocked: true }).where('id', '=', user_id).execute()
    expect(fragmentOf(await world.signIn(person, start))).toEqual({ sign_in_error: 'blocked' })
    expect((await world.signIn(person)).status).toBe(403)
  })
})
