import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../test/support/service.ts'

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService()
  user = await service.createUser()
})
afterAll(() => service.stop())

const statusOf = async (token: string): Promise<number> =>
  (await service.call('GET', '/v1/profile', { token })).status

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

test('tokens that were not signed by the service are worth nothing', async () => {
  const [header = '', payload = '', signature = ''] = user.session_token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  const { privateKey } = generateKeyPairSync('ed25519')
  const foreign = await new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' }).sign(privateKey)
  const none = `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`
  const hmacHead = encode({ alg: 'HS256', typ: 'JWT' })
  const hmac = createHmac('sha256', 'sallyport').update(`${hmacHead}.${payload}`).digest('base64url')
  const other = `${header}.${encode({ ...claims, sub: '1' })}.${signature}`
  expect(await statusOf(user.session_token)).toBe(200)
  for (const token of [foreign, none, `${hmacHead}.${payload}.${hmac}`, other, `${header}.${payload}.`]) {
    expect(await statusOf(token)).toBe(401)
  }
})

test('a well-signed token of a session that does not exist is refused', async () => {
  const { sessions } = service.running.services
  const { token } = await sessions.issue(randomUUID(), user.id)
  expect(await statusOf(token)).toBe(401)
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
