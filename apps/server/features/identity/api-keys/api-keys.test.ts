import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const asSession = (user: TestUser, method: string, path: string, body?: unknown) =>
  service.call(method, `/v1${path}`, { token: user.session_token, body })

test('a key is shown once, listed without its secret, and works', async () => {
  const user = await service.createUser()
  const { status, body } = await asSession(user, 'POST', '/profile/api-keys', { title: 'laptop' })
  expect(status).toBe(201)
  expect(body.data).toEqual({
    id: expect.any(Number),
    title: 'laptop',
    prefix: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
    api_key: expect.stringMatching(/^slp_[0-9A-Za-z]{8}_[0-9A-Za-z]{24}$/),
    created_at: service.clock.now(),
  })
  const listed = await asSession(user, 'GET', '/profile/api-keys')
  expect(JSON.stringify(listed.body)).not.toContain(body.data.api_key.slice(-24))
  expect(listed.body.data).toHaveLength(2)
  expect(listed.body.data[1]).toEqual({
    id: body.data.id,
    title: 'laptop',
    prefix: body.data.prefix,
    created_at: service.clock.now(),
    last_used_at: null,
  })
  expect((await service.call('GET', '/v1/profile', { token: body.data.api_key })).body.data.id).toBe(user.id)
  await service.running.runJobs()
  expect((await asSession(user, 'GET', '/profile/api-keys')).body.data[1].last_used_at).toBe(
    service.clock.now(),
  )
  const stored = await service.db.selectFrom('api_keys').selectAll().where('id', '=', body.data.id).execute()
  expect(JSON.stringify(stored)).not.toContain(body.data.api_key.slice(-24))
})

test('a key stops working the moment it is revoked, though it was just used', async () => {
  const user = await service.createUser()
  expect((await service.call('GET', '/v1/profile', { token: user.api_key })).status).toBe(200)
  const [key] = (await asSession(user, 'GET', '/profile/api-keys')).body.data
  expect((await asSession(user, 'DELETE', `/profile/api-keys/${key.id}`)).body.data).toBe(true)
  expect((await service.call('GET', '/v1/profile', { token: user.api_key })).body).toEqual({
    status: false,
    statusCode: 401,
    errorCode: 2,
    message: 'UNAUTHORIZED',
  })
  expect((await asSession(user, 'DELETE', `/profile/api-keys/${key.id}`)).body.errorCode).toBe(1)
})

test('the keys of somebody else do not exist', async () => {
  const [owner, stranger] = [await service.createUser(), await service.createUser()]
  const [key] = (await asSession(owner, 'GET', '/profile/api-keys')).body.data
  const foreign = await asSession(stranger, 'DELETE', `/profile/api-keys/${key.id}`)
  const missing = await asSession(stranger, 'DELETE', '/profile/api-keys/999999999')
  expect(foreign.status).toBe(404)
  expect(foreign.body).toEqual(missing.body)
  expect((await service.call('GET', '/v1/profile', { token: owner.api_key })).status).toBe(200)
})

test('check 22: at most 5 keys, even when asked for at once', async () => {
  const user = await service.createUser()
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => asSession(user, 'POST', '/profile/api-keys', {})),
  )
  const statuses = answers.map((answer) => answer.status).sort()
  expect(statuses).toEqual([...Array(4).fill(201), ...Array(8).fill(409)])
  expect(answers.find((answer) => answer.status === 409)?.body.message).toBe('API_KEY_LIMIT')
  expect((await asSession(user, 'GET', '/profile/api-keys')).body.data).toHaveLength(5)
})

test('an API key may not manage keys', async () => {
  const user = await service.createUser()
  const { status, body } = await service.call('GET', '/v1/profile/api-keys', { token: user.api_key })
  expect([status, body.errorCode, body.message]).toEqual([403, 4, 'FORBIDDEN'])
})

test('an idempotent repeat returns the same key, and the answer is not stored in the clear', async () => {
  const user = await service.createUser()
  const send = () =>
    service.call('POST', '/v1/profile/api-keys', {
      token: user.session_token,
      body: {},
      headers: { 'idempotency-key': 'k' },
    })
  const [first, again] = [await send(), await send()]
  expect(again.body).toEqual(first.body)
  const rows = await service.db.selectFrom('idempotency_keys').select('response_sealed').execute()
  const stored = rows.map((row) => Buffer.from(row.response_sealed ?? []).toString('latin1')).join()
  expect(stored).not.toContain(first.body.data.api_key)
})
