import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { CookieBrowser } from '../../../../../test/support/people/cookie-browser.ts'
import { fragmentOf, type OauthWorld, startOauthWorld } from '../../../../../test/support/people/oauth.ts'
import { type Answer, startTestService } from '../../../../../test/support/service.ts'

let world: OauthWorld
beforeAll(async () => {
  world = await startOauthWorld()
})
afterAll(() => world.stop())
afterEach(() => {
  world.provider.rewriteTokens = undefined
})

const page = { return_to: '/cabinet' }
const countSessions = async () => {
  const rows = await world.service.db.selectFrom('sessions').select('id').execute()
  return rows.length
}

/** Somebody agreed at the provider and is about to come back. */
const away = async (body: Record<string, unknown> = {}, provider = 'google') => {
  const { browser, url } = await world.start({ body, provider })
  return { browser, url, callback: await world.agree(browser, url, world.person()) }
}
const changed = (address: string, changes: Record<string, string | undefined>): string => {
  const url = new URL(address)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  return url.href
}
const parameter = (address: string, name: string) => new URL(address).searchParams.get(name) ?? undefined

const expectRefused = (answer: Answer, path: string) => {
  expect([answer.status, answer.body.errorCode, answer.body.details?.[0].path]).toEqual([401, 2, path])
}

describe('a callback', () => {
  test('is good once', async () => {
    const { browser, callback } = await away()
    const answers = await Promise.all(Array.from({ length: 5 }, () => world.open(browser, callback)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])
    expectRefused(await world.open(browser, callback), 'state')
  })

  test('is good for ten minutes; who comes later is sent to the page that waits', async () => {
    const early = await away()
    world.service.clock.advance(599)
    expect((await world.open(early.browser, early.callback)).status).toBe(200)
    const [late, waiting] = [await away(), await away(page)]
    world.service.clock.advance(600)
    expectRefused(await world.open(late.browser, late.callback), 'state')
    expect(fragmentOf(await world.open(waiting.browser, waiting.callback))).toEqual({
      sign_in_error: 'expired',
    })
  })

  test.each([
    ['without a cookie', () => new CookieBrowser()],
    ['with the cookie of another sign-in', async () => (await away()).browser],
  ])('%s signs nobody in, and the right browser may still finish', async (_name, makeBrowser) => {
    const [mine, waiting] = [await away(), await away(page)]
    const stranger = await makeBrowser()
    const before = await countSessions()
    expectRefused(await world.open(stranger, mine.callback), 'state')
    expect(fragmentOf(await world.open(stranger, waiting.callback))).toEqual({
      sign_in_error: 'wrong_browser',
    })
    expect(await countSessions()).toBe(before)
    expect((await world.open(mine.browser, mine.callback)).status).toBe(200)
    expect(fragmentOf(await world.open(waiting.browser, waiting.callback))).toHaveProperty('sign_in_code')
  })

  test('belongs to the provider it was begun with', async () => {
    const { browser, callback } = await away()
    expectRefused(await world.open(browser, callback.replace('/google/', '/office/')), 'state')
    expect((await world.open(browser, callback)).status).toBe(200)
  })

  test('with the code of another sign-in is refused', async () => {
    const [victim, attacker] = [await away(), await away()]
    const injected = changed(victim.callback, { code: parameter(attacker.callback, 'code') })
    expectRefused(await world.open(victim.browser, injected), 'code')
  })

  test.each([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['without its issuer', { iss: undefined }],
    ['with a made-up code', { code: 'made-up' }],
  ])('%s is refused', async (_name, changes) => {
    const [mine, waiting] = [await away(), await away(page)]
    expectRefused(await world.open(mine.browser, changed(mine.callback, changes)), 'code')
    const told = await world.open(waiting.browser, changed(waiting.callback, changes))
    expect(fragmentOf(told)).toEqual({ sign_in_error: 'refused' })
    expectRefused(await world.open(mine.browser, mine.callback), 'state')
  })

  test('after a tampered nonce, or with the token of another client, is refused', async () => {
    const { browser, url } = await world.start()
    const tampered = changed(url, { nonce: 'another' })
    const callback = await world.agree(browser, tampered, world.person())
    expectRefused(await world.open(browser, callback), 'code')
    world.provider.rewriteTokens = async (body) => {
      const claims = decodeJwt(String(body.id_token))
      return { ...body, id_token: await world.provider.sign({ ...claims, aud: 'another' }) }
    }
    const other = await away()
    expectRefused(await world.open(other.browser, other.callback), 'code')
  })

  test.each([
    ['access_denied', 401, 'denied'],
    ['server_error', 503, 'unavailable'],
    ['login_required', 401, 'refused'],
    ['<script>', 401, 'refused'],
  ])('with error=%s is %i, or the word %s', async (error, status, word) => {
    const [mine, waiting] = [await away(), await away(page)]
    const answer = await world.open(mine.browser, changed(mine.callback, { error }))
    expect(answer.status).toBe(status)
    expect(JSON.stringify(answer.body)).not.toContain('script')
    const told = await world.open(waiting.browser, changed(waiting.callback, { error, code: undefined }))
    expect(fragmentOf(told)).toEqual({ sign_in_error: word })
  })

  test('of somebody who refused says what to do', async () => {
    const { browser, url } = await world.start()
    const { body } = await world.open(browser, await world.deny(browser, url))
    expect(body.details).toEqual([{ path: 'error', problem: expect.stringContaining('start again') }])
  })

  test.each([
    ['state', { state: undefined }],
    ['code', { code: undefined }],
  ])('without a %s is 400 and spends nothing', async (path, changes) => {
    const { browser, callback } = await away()
    const { status, body } = await world.open(browser, changed(callback, changes))
    expect([status, body.details[0].path]).toEqual([400, path])
    expect((await world.open(browser, callback)).status).toBe(200)
  })
})

test('a provider that is not configured is 404 everywhere', async () => {
  const browser = new CookieBrowser()
  const base = `${world.service.running.url}/v1/auth/oauth/other`
  for (const path of ['/start', '/start?return_to=/x', '/callback?state=s&code=c']) {
    expect((await world.open(browser, base + path)).status, path).toBe(404)
  }
  expect((await world.start({ provider: 'other' })).answer.errorCode).toBe(1)
})

test('while the provider is away: 503, or a word for the page', async () => {
  const [mine, waiting] = [await away(), await away(page)]
  const vk = await world.start({ provider: 'vk' })
  world.vk.fault = () => 'error-before'
  const refused = await world.open(vk.browser, world.vk.authorize(vk.url, 1))
  expect([refused.status, refused.body.errorCode]).toEqual([503, 53])
  world.vk.fault = () => 'none'
  await world.provider.stop()
  expect((await world.open(mine.browser, mine.callback)).body).toMatchObject({
    statusCode: 503,
    errorCode: 53,
  })
  const told = await world.open(waiting.browser, waiting.callback)
  expect(fragmentOf(told)).toEqual({ sign_in_error: 'unavailable' })
  expect((await world.start()).answer.statusCode).toBe(503)
  const start = `${world.service.running.url}/v1/auth/oauth/google/start?return_to=/cabinet`
  expect(fragmentOf(await world.open(new CookieBrowser(), start))).toEqual({ sign_in_error: 'unavailable' })
  await world.provider.start()
  expect((await world.signIn(world.person())).status).toBe(200)
})

describe('where it returns to', () => {
  const refused = [
    '//evil.example',
    '/\\evil.example',
    '\\/evil.example',
    'https://evil.example',
    'evil.example',
    '@evil.example',
    '/ok\r\nset-cookie: a=b',
    '/\t/evil.example',
    '/a\\..\\b',
    '',
  ]
  test.each(refused)('%j is refused', async (returnTo) => {
    expect((await world.start({ body: { return_to: returnTo } })).answer.statusCode).toBe(400)
    const query = new URLSearchParams({ return_to: returnTo })
    const start = `${world.service.running.url}/v1/auth/oauth/google/start?${query}`
    expect((await world.open(new CookieBrowser(), start)).status).toBe(400)
  })

  const kept = ['/', '/%5cevil.example', '/%2f/evil.example', '/.//evil.example', '/a/..//evil.example']
  test.each([...kept, '/@evil.example', '/кабинет?x=1 2'])('%j stays here', async (returnTo) => {
    const { browser, callback } = await away({ return_to: returnTo })
    const { headers, status } = await world.open(browser, callback)
    expect(status).toBe(302)
    const { origin } = new URL(headers.get('location') ?? '')
    expect(origin).toBe(new URL(world.service.running.url).origin)
  })
})

test('behind https the browser comes back there, and the cookie goes nowhere else', async () => {
  const env = { PUBLIC_URL: 'https://vpn.example.com/', ...world.vk.env }
  const service = await startTestService({ env })
  onTestFinished(() => service.stop())
  const { headers, body } = await service.call('POST', '/v1/auth/oauth/vk/start', { body: {} })
  expect(headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Lax; Secure$/)
  expect(parameter(body.data.url, 'redirect_uri')).toBe('https://vpn.example.com/v1/auth/oauth/vk/callback')
})

test('nothing secret is stored in the clear, or for long', async () => {
  const { url } = await world.start()
  const rows = await world.service.db.selectFrom('oauth_states').selectAll().execute()
  const bytes = Buffer.concat(rows.flatMap((row) => [row.state_hash, row.browser_hash, row.checks_sealed]))
  for (const name of ['state', 'nonce']) {
    const secret = parameter(url, name) ?? ''
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(bytes.includes(secret) || bytes.includes(Buffer.from(secret, 'base64url'))).toBe(false)
  }
  world.service.clock.advance(2 * 3600)
  await world.service.running.runJobs()
  expect(await world.service.db.selectFrom('oauth_states').select('provider').execute()).toEqual([])
})
