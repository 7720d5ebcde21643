import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, type JWTPayload } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { CookieBrowser } from '../../../../test/support/people/cookie-browser.ts'
import {
  oidcClient,
  type ProviderSettings,
  TestOidcProvider,
} from '../../../../test/support/people/oidc-provider.ts'
import { IdentityRefused, IdentityUnavailable } from '../../ports/identity.ts'
import { type OidcOptions, OidcProvider, trustedEmail } from './oidc.ts'

const redirectUri = 'http://127.0.0.1:9/v1/auth/oauth/office/callback'
const alice = { email: 'alice@example.com', email_verified: true }

const startProvider = async (settings: Partial<ProviderSettings> = {}): Promise<TestOidcProvider> => {
  const provider = await new TestOidcProvider({ redirectUris: [redirectUri], ...settings }).start()
  provider.people.set('alice', alice)
  return provider
}
const clientOf = (issuer: string, changes: Partial<OidcOptions> = {}) =>
  new OidcProvider({
    ...oidcClient,
    name: 'office',
    title: 'Work',
    issuer,
    scope: 'openid email',
    trustsEmail: 'always',
    ...changes,
  })

/** A person agrees at the provider; what is in the address of the callback. */
const agree = async (url: string, person = 'alice') => {
  const browser = new CookieBrowser()
  const page = await browser.travel(url, (at) => at.includes('/interaction/'))
  const callback = await browser.travel(`${page}?as=${person}`, (at) => at.startsWith(redirectUri))
  const { code = '', state = '', iss } = Object.fromEntries(new URL(callback).searchParams)
  return { code, state, iss, deviceId: undefined }
}
const begun = async (client: OidcProvider) => {
  const { url, checks } = await client.begin({ redirectUri, state: 'the-state' })
  return { url, checks, answer: await agree(url) }
}
const signedIn = async (client: OidcProvider) => {
  const { checks, answer } = await begun(client)
  return client.finish({ redirectUri, checks, answer })
}

describe('an ordinary provider', () => {
  let provider: TestOidcProvider
  beforeAll(async () => {
    provider = await startProvider({ tellsEmailInToken: true })
  })
  afterAll(() => provider.stop())
  afterEach(() => {
    provider.rewriteTokens = undefined
  })

  test('is asked with PKCE, state and nonce, and says who somebody is', async () => {
    const client = clientOf(provider.issuer)
    const { url, checks, answer } = await begun(client)
    const { verifier, nonce } = JSON.parse(checks)
    const query = Object.fromEntries(new URL(url).searchParams)
    expect(query).toEqual({
      client_id: oidcClient.clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid email',
      state: 'the-state',
      nonce,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(url).not.toContain(verifier)
    expect(answer.iss).toBe(provider.issuer)
    expect(await client.finish({ redirectUri, checks, answer })).toEqual({
      subject: 'alice',
      email: alice.email,
    })
    await expect(client.finish({ redirectUri, checks, answer })).rejects.toThrow(IdentityRefused)
  })

  test('is discovered once', async () => {
    const client = clientOf(provider.issuer)
    provider.requests.length = 0
    await Promise.all([signedIn(client), signedIn(client), signedIn(client)])
    expect(provider.requests.filter((path) => path.startsWith('/.well-known/'))).toHaveLength(1)
    expect(provider.lastCredential).toBe('header')
  })

  test.each<[string, (checks: { verifier: string; nonce: string }) => object]>([
    ['nonce', ({ verifier }) => ({ verifier, nonce: 'another' })],
    ['verifier', ({ nonce }) => ({ verifier: 'v'.repeat(43), nonce })],
  ])('an answer to another %s is refused', async (_name, change) => {
    const client = clientOf(provider.issuer)
    const { checks, answer } = await begun(client)
    const others = JSON.stringify(change(JSON.parse(checks)))
    await expect(client.finish({ redirectUri, checks: others, answer })).rejects.toThrow(IdentityRefused)
  })

  test.each([
    ['another issuer', 'https://evil.example'],
    ['none, though it is promised', undefined],
  ])('an answer that names %s is refused', async (_name, iss) => {
    const client = clientOf(provider.issuer)
    const { checks, answer } = await begun(client)
    const refusal = client.finish({ redirectUri, checks, answer: { ...answer, iss } })
    await expect(refusal).rejects.toThrow(IdentityRefused)
  })

  const hour = 3600
  const now = () => Math.floor(Date.now() / 1000)
  test.each<[string, (claims: JWTPayload) => JWTPayload, 'provider' | 'stranger']>([
    ['for another client', (claims) => ({ ...claims, aud: 'another' }), 'provider'],
    [
      'for two clients and given to the other',
      (claims) => ({ ...claims, aud: ['sallyport', 'x'], azp: 'x' }),
      'provider',
    ],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' }), 'provider'],
    ['that has expired', (claims) => ({ ...claims, iat: now() - 2 * hour, exp: now() - hour }), 'provider'],
    ['with another nonce', (claims) => ({ ...claims, nonce: 'another' }), 'provider'],
    ['without a nonce', ({ nonce: _nonce, ...claims }) => claims, 'provider'],
    ['without a subject', ({ sub: _sub, ...claims }) => claims, 'provider'],
    ['with a subject no database keeps', (claims) => ({ ...claims, sub: 'a\0b' }), 'provider'],
    ['signed by a stranger', (claims) => claims, 'stranger'],
  ])('a token %s is refused', async (_name, change, by) => {
    const client = clientOf(provider.issuer)
    provider.rewriteTokens = async (body) => {
      const claims = change(decodeJwt(String(body.id_token)))
      return { ...body, id_token: await provider.sign(claims, by) }
    }
    await expect(signedIn(client)).rejects.toThrow(IdentityRefused)
    // The same way with nothing changed works, so it is the change that is refused.
    provider.rewriteTokens = async (body) => ({
      ...body,
      id_token: await provider.sign(decodeJwt(String(body.id_token))),
    })
    expect(await signedIn(client)).toMatchObject({ subject: 'alice' })
  })

  test('an answer without a token of who it is, or with an unsigned one, is refused', async () => {
    provider.rewriteTokens = async ({ id_token: _token, ...body }) => body
    await expect(signedIn(clientOf(provider.issuer))).rejects.toThrow(IdentityRefused)
    provider.rewriteTokens = async (body) => {
      const [, payload] = String(body.id_token).split('.')
      const header = Buffer.from('{"alg":"none"}').toString('base64url')
      return { ...body, id_token: `${header}.${payload}.` }
    }
    await expect(signedIn(clientOf(provider.issuer))).rejects.toThrow(IdentityRefused)
  })

  test('a wrong secret is our fault, not the person’s, and is not told', async () => {
    const failure = signedIn(clientOf(provider.issuer, { clientSecret: 'wrong-secret' }))
    await expect(failure).rejects.toThrow(IdentityUnavailable)
    await expect(failure).rejects.not.toThrow(/wrong-secret/)
  })

  test('while it is away nobody signs in; when it is back they do', async () => {
    const [fresh, known] = [clientOf(provider.issuer), clientOf(provider.issuer)]
    const { checks, answer } = await begun(known)
    await provider.stop()
    await expect(fresh.begin({ redirectUri, state: 's' })).rejects.toThrow(IdentityUnavailable)
    await expect(known.finish({ redirectUri, checks, answer })).rejects.toThrow(IdentityUnavailable)
    await provider.start()
    expect(await signedIn(fresh)).toMatchObject({ subject: 'alice' })
    expect(await known.finish({ redirectUri, checks, answer })).toMatchObject({ subject: 'alice' })
  })
})

test('a provider that wants the secret in the form, and tells the address only when asked', async () => {
  const provider = await startProvider({ authMethod: 'client_secret_post' })
  onTestFinished(() => provider.stop())
  expect(await signedIn(clientOf(provider.issuer))).toEqual({ subject: 'alice', email: alice.email })
  expect(provider.lastCredential).toBe('form')
  provider.requests.length = 0
  const distrustful = clientOf(provider.issuer, { trustsEmail: 'never' })
  expect(await signedIn(distrustful)).toEqual({ subject: 'alice', email: null })
  expect(provider.requests).not.toContain('/me')
})

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const json = (value: unknown): RequestListener => {
  const body = typeof value === 'string' ? value : JSON.stringify(value)
  return (_request, response) => response.setHeader('content-type', 'application/json').end(body)
}

test.each<[string, RequestListener]>([
  ['fails', (_request, response) => response.writeHead(500).end('{}')],
  ['says nothing of itself', json({ error: 'maintenance' })],
  ['speaks something else', json('<html>')],
  [
    'calls itself otherwise',
    json({ issuer: 'https://other.example', authorization_endpoint: 'https://o.example/' }),
  ],
  ['sends us on', (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()],
  ['never answers', () => undefined],
])('an issuer that %s is away until it answers as it should', async (_name, listener) => {
  let current = listener
  const url = await serve((request, response) => current(request, response))
  const client = clientOf(url, { timeoutSeconds: 0.2 })
  const [begin, checks] = [() => client.begin({ redirectUri, state: 's' }), '{"verifier":"v","nonce":"n"}']
  const answer = { code: 'c', state: 's', iss: undefined, deviceId: undefined }
  await expect(begin()).rejects.toThrow(IdentityUnavailable)
  await expect(client.finish({ redirectUri, checks, answer })).rejects.toThrow(IdentityUnavailable)
  current = json({ issuer: url, authorization_endpoint: `${url}/auth` })
  expect((await begin()).url).toContain(`${url}/auth?`)
})

test('a slash at the end of the issuer is no difference', async () => {
  const url: string = await serve((request, response) =>
    json({ issuer: `${url}/realm/`, authorization_endpoint: `${url}/auth` })(request, response),
  )
  const { url: address } = await clientOf(`${url}/realm`).begin({ redirectUri, state: 's' })
  expect(address.startsWith(`${url}/auth?`)).toBe(true)
})

describe('whose address it is', () => {
  const gmail = { email: 'a@gmail.com', email_verified: true }
  const own = { email: 'a@example.com', email_verified: true }
  test.each<[OidcOptions['trustsEmail'], Record<string, unknown>, string | null]>([
    ['always', own, 'a@example.com'],
    ['always', { ...own, email_verified: false }, null],
    ['always', { ...own, email_verified: 'true' }, null],
    ['always', { email: 'a@example.com' }, null],
    ['always', { email_verified: true }, null],
    ['always', { ...own, email: ['a@example.com'] }, null],
    ['google', gmail, 'a@gmail.com'],
    ['google', { ...gmail, email: 'A@Gmail.COM' }, 'A@Gmail.COM'],
    ['google', { ...gmail, email_verified: false }, null],
    ['google', own, null],
    ['google', { ...own, hd: 'example.com' }, 'a@example.com'],
    ['google', { ...own, hd: '' }, null],
    ['google', { ...own, hd: 'example.com', email_verified: false }, null],
    ['google', { ...own, email: 'a@gmail.com.evil.example' }, null],
    ['google', { ...own, email: 'a@notgmail.com' }, null],
    ['never', gmail, null],
    ['never', { ...own, hd: 'example.com' }, null],
  ])('%s %j: %s', (trusts, claims, email) => {
    expect(trustedEmail({ sub: 'x', ...claims }, trusts)).toBe(email)
  })
})
