import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto'
import fc from 'fast-check'
import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enrolNode, signNodeToken } from '../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { sessionKeyOf } from '../../core/accounts/session-tokens.ts'

let service: TestService
let user: TestUser
let ourKey: KeyObject
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser()
  ourKey = sessionKeyOf(service.running.services.vault)
})
afterAll(() => service.stop())

const statusOf = async (token: string): Promise<number> =>
  (await service.call('GET', '/v1/profile', { token })).status

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const claimsOf = (token: string): JWTPayload & { sid?: unknown } =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const without = (name: string): JWTPayload =>
  Object.fromEntries(Object.entries(claimsOf(user.session_token)).filter(([key]) => key !== name))

/** The user's own token with something changed, signed as the service signs unless another key is given. */
const signed = (
  change: Record<string, unknown>,
  { key = ourKey, ...header }: Partial<JWTHeaderParameters> & { key?: KeyObject } = {},
): Promise<string> =>
  new SignJWT({ ...claimsOf(user.session_token), ...change })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', ...header })
    .sign(key)

const hmacSigned = (alg: 'HS256' | 'HS384' | 'HS512', secret: string | Buffer): string => {
  const text = `${encode({ alg, typ: 'JWT' })}.${encode(claimsOf(user.session_token))}`
  return `${text}.${createHmac(alg.replace('HS', 'sha'), secret).update(text).digest('base64url')}`
}

const expectRefused = async (token: string): Promise<void> => {
  for (const path of ['/v1/profile', '/v1/profile/api-keys', '/operator/v1/users', '/agent/v1/state']) {
    const { status, body } = await service.call('GET', path, { token })
    expect([path, status, body.errorCode]).toEqual([path, 401, 2])
  }
}

describe('a token is believed only as the service signs it', () => {
  test('as it is', async () => {
    expect(await statusOf(user.session_token)).toBe(200)
    expect(await statusOf(await signed({}))).toBe(200)
  })

  test.each(['none', 'None', 'NONE', 'nOnE', ''])('check 25: not with the algorithm %j', async (alg) => {
    const [, payload, signature] = user.session_token.split('.')
    for (const end of ['', signature]) await expectRefused(`${encode({ alg, typ: 'JWT' })}.${payload}.${end}`)
  })

  test('check 25: not with the public key for a shared secret, in any of its forms', async () => {
    const publicKey = createPublicKey(ourKey)
    const jwk = publicKey.export({ format: 'jwk' })
    const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
    const forms: (string | Buffer)[] = [
      Buffer.from(jwk.x as string, 'base64url'),
      jwk.x as string,
      JSON.stringify(jwk),
      publicKey.export({ format: 'der', type: 'spki' }),
      pem,
      pem.trim(),
      '',
    ]
    for (const form of forms) {
      for (const alg of ['HS256', 'HS384', 'HS512'] as const) await expectRefused(hmacSigned(alg, form))
    }
  })

  test('not with another algorithm or key, whatever key the header names or brings', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const foreign = generateKeyPairSync('ed25519').privateKey
    const jwk = createPublicKey(foreign).export({ format: 'jwk' })
    const headers: Partial<JWTHeaderParameters>[] = [
      {},
      { alg: 'Ed25519' },
      { kid: '1' },
      { kid: '../../../../dev/null' },
      { kid: "' union select 'x" },
      { jwk: jwk as NonNullable<JWTHeaderParameters['jwk']> },
      { jku: `${service.running.url}/jwks.json` },
      { x5u: `${service.running.url}/cert.pem` },
      { x5c: ['AAAA'] },
    ]
    for (const header of headers) await expectRefused(await signed({}, { key: foreign, ...header }))
    for (const alg of ['RS256', 'PS256']) await expectRefused(await signed({}, { key: rsa, alg }))
    await expectRefused(await signed({}, { key: curve, alg: 'ES256' }))
  })

  test.each<[string, Record<string, unknown>]>([
    ['of another issuer', { iss: 'sallyport-agent' }],
    ['for another audience', { aud: 'sallyport-agent' }],
    ['for nobody', { aud: [] }],
    ['of another customer', { sub: '1' }],
    ['of no customer', { sub: '' }],
    ['of a customer that is no number', { sub: 'x' }],
    ['of a session that does not exist', { sid: randomUUID() }],
    ['of a session that is no UUID', { sid: "' or 1=1" }],
    ['of several sessions', { sid: [randomUUID()] }],
    ['that ended', { exp: 1_799_999_999 }],
    ['that ends this second', { exp: 1_800_000_000 }],
    ['that ends never', { exp: 'never' }],
    ['that has not begun', { nbf: 1_800_000_060 }],
    ['that begins at no time', { nbf: 'now' }],
  ])('check 25: not one %s', async (_, change) => {
    await expectRefused(await signed(change))
  })

  test.each(['sid', 'sub', 'exp', 'iat', 'iss', 'aud'])('not without %s', async (name) => {
    const token = new SignJWT(without(name)).setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
    await expectRefused(await token.sign(ourKey))
  })

  test('not under another type, nor with a demand it does not know', async () => {
    for (const typ of ['agent+jwt', 'at+jwt', 'refresh']) await expectRefused(await signed({}, { typ }))
    const untyped = new SignJWT(claimsOf(user.session_token)).setProtectedHeader({ alg: 'EdDSA' })
    await expectRefused(await untyped.sign(ourKey))
    await expectRefused(await signed({}, { alg: 'Ed25519' }))
    for (const demand of [
      { crit: ['exp'] },
      { crit: ['x'], x: 1 },
      { crit: ['b64'], b64: false },
      { crit: [] },
    ]) {
      const header = encode({ alg: 'EdDSA', typ: 'JWT', ...demand })
      const text = `${header}.${encode(claimsOf(user.session_token))}`
      await expectRefused(`${text}.${sign(null, Buffer.from(text), ourKey).toString('base64url')}`)
    }
  })

  test('not when it is taken apart, put together otherwise, or very long', async () => {
    const [header, payload, signature] = user.session_token.split('.') as [string, string, string]
    const other = encode({ ...claimsOf(user.session_token), sub: '1' })
    const broken = [
      `${header}.${other}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${header}..${signature}`,
      `.${payload}.${signature}`,
      `${user.session_token}.`,
      `${user.session_token}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -4)}`,
      `${encode(null)}.${payload}.${signature}`,
      `${header}.${encode([])}.${signature}`,
      '..',
      '.',
      'null',
      await signed({ more: 'x'.repeat(3500) }),
      'x'.repeat(12_000),
    ]
    for (const token of broken) await expectRefused(token)
  })

  test('not with any one character changed', async () => {
    const token = user.session_token
    await fc.assert(
      // The last character has bits that say nothing.
      fc.asyncProperty(
        fc.nat({ max: token.length - 2 }),
        fc.constantFrom(...'AQgw-_z9.'),
        async (at, char) => {
          fc.pre(token[at] !== char)
          expect(await statusOf(token.slice(0, at) + char + token.slice(at + 1))).toBe(401)
        },
      ),
      { numRuns: 200 },
    )
  })
})

test('one kind of credential never passes for another', async () => {
  const node = await enrolNode(service, 1)
  const session = claimsOf(user.session_token)
  const agentToken = await signNodeToken(node.nodeId, node.privateKey, { sid: session.sid, sub: session.sub })
  expect(
    (await service.call('GET', '/agent/v1/state?since=0&wait_seconds=0', { token: agentToken })).status,
  ).toBe(200)
  expect(await statusOf(agentToken)).toBe(401)
  expect(await statusOf(service.operatorToken)).toBe(401)
  const asAgent = await signed({ iss: 'sallyport-agent' }, { typ: 'agent+jwt', kid: String(node.nodeId) })
  await expectRefused(asAgent)
})

test('a session is dead with its account', async () => {
  const gone = await service.createUser()
  const tokens = [gone.session_token, gone.api_key]
  for (const token of tokens) expect(await statusOf(token)).toBe(200)
  await service.db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', gone.id).execute()
  service.running.services.bus.deliver(`auth:u:${gone.id}`)
  for (const token of tokens) expect(await statusOf(token)).toBe(401)
})

test('a blocked account is told so, and is limited like any other', async () => {
  const blocked = await service.createUser()
  await service.db.updateTable('users').set({ is_blocked: true }).where('id', '=', blocked.id).execute()
  for (const token of [blocked.api_key, blocked.session_token]) {
    const { status, body, headers } = await service.call('GET', '/v1/profile', { token })
    expect([status, body.errorCode, headers.get('x-ratelimit-limit')]).toEqual([403, 4, '300'])
  }
})

test('a revoked session ends at the announcement, though just used', async () => {
  const { db, bus } = service.running.services
  const other = await service.createUser()
  expect(await statusOf(other.session_token)).toBe(200)
  const session = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', other.id)
    .executeTakeFirstOrThrow()
  await db.updateTable('sessions').set({ revoked_at: 1 }).where('id', '=', session.id).execute()
  bus.deliver(`auth:s:${session.id}`)
  expect(await statusOf(other.session_token)).toBe(401)
})
