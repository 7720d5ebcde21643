import { globalLimit, type Operation } from '@sallyport/contract/operation'
import { allOperations } from '@sallyport/contract/tables'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../test/support/service.ts'

/** Walks every row of every table: what holds for one operation holds for all. Ids in paths have guard-owners.test.ts. */

const rows = [...allOperations()].map(({ name, base, row }): [string, string, Operation] => [
  name,
  base + row.path,
  row,
])
const customerRows = rows.filter(([, , row]) => row.auth === 'customer' || row.auth === 'session')
const withIds = (path: string): string => path.replace(':provider', 'nobody').replaceAll(/:\w+/g, '999999999')

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService()
  user = await service.createUser({ balance: 1000 })
})

/** Turns the clock past every limit; sessions are short, so the customer gets a new one. */
const freshMinute = async (): Promise<void> => {
  service.clock.advance(60)
  const { body } = await service.operator('POST', `/users/${user.id}/sessions`)
  user = { ...user, session_token: body.data.session_token }
}
afterAll(() => service.stop())

const send = (path: string, row: Operation, token: string | undefined, body?: unknown) =>
  service.call(row.method, withIds(path), { ...(token && { token }), ...(body !== undefined && { body }) })

const tokenFor = (row: Operation): string =>
  row.auth === 'operator' ? service.operatorToken : user.session_token

const isOpen = (row: Operation): boolean => row.auth === 'public' || row.auth === 'visitor'
const guarded = rows.filter(([, , row]) => !isOpen(row))
const writable = rows.filter(
  ([, path, row]) => row.method !== 'GET' && row.auth !== 'agent' && !path.includes(':'),
)

test.each(
  guarded,
)('check 1: %s (%s) refuses callers without a credential and with a wrong one', async (_name, path, row) => {
  await freshMinute()
  const never = 'slp_AAAAAAAA_AAAAAAAAAAAAAAAAAAAAAAAA'
  for (const token of [undefined, 'nonsense', never, `${user.api_key}x`, never.replace('slp', 'slo')]) {
    const { status, body, headers } = await send(path, row, token)
    expect(body).toEqual({ status: false, statusCode: 401, errorCode: 2, message: 'UNAUTHORIZED' })
    expect([status, headers.get('x-ratelimit-limit')]).toEqual([401, '60'])
  }
})

const methodsAt = Map.groupBy(rows, ([, path]) => path)

test.each([...methodsAt])('%s takes its own methods and no others', async (path, own) => {
  const known = own.map(([, , { method }]) => method)
  const allow = known.toSorted().join(', ')
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    if (known.includes(method)) continue
    const { status, body, headers } = await service.call(method, withIds(path))
    expect([method, status, body.errorCode, headers.get('allow')]).toEqual([method, 405, 11, allow])
  }
})

test.each(writable)('check 3: %s (%s) refuses unknown fields by name', async (_name, path, row) => {
  await freshMinute()
  const { status, body } = await send(path, row, tokenFor(row), { no_such_field: 1 })
  expect([status, body.errorCode]).toEqual([400, 3])
  expect(body.details).toContainEqual({ path: 'no_such_field', problem: 'is not a field of this operation' })
})

/** What answers show and nobody may say by themselves. */
const privileged = {
  id: 1,
  user_id: 1,
  role: 'owner',
  balance: 1_000_000,
  referral_balance: 1_000_000,
  expires_at: 4_000_000_000,
  created_at: 1,
  is_blocked: false,
  referrer_id: 1,
  price: 0,
  traffic_used: 0,
}

test.each(
  writable.filter(([, , row]) => row.auth !== 'operator'),
)('check 3: %s (%s) takes nothing that only the service may say', async (_name, path, row) => {
  await freshMinute()
  const stateOf = () =>
    Promise.all([
      service.db.selectFrom('users').selectAll().where('id', '=', user.id).execute(),
      service.db
        .selectFrom('ledger_accounts')
        .selectAll()
        .where('user_id', '=', user.id)
        .orderBy('id')
        .execute(),
      service.db.selectFrom('terms').selectAll().where('user_id', '=', user.id).execute(),
    ])
  const before = await stateOf()
  const known = Object.keys((row.request.body as { properties?: object } | undefined)?.properties ?? {})
  const said = Object.fromEntries(Object.entries(privileged).filter(([field]) => !known.includes(field)))
  const { status, body } = await send(path, row, isOpen(row) ? undefined : tokenFor(row), said)
  expect([status, body.errorCode]).toEqual([400, 3])
  for (const field of Object.keys(said)) {
    expect(body.details).toContainEqual({ path: field, problem: 'is not a field of this operation' })
  }
  expect(await stateOf()).toEqual(before)
})

describe.each(customerRows)('limits of %s (%s)', (_name, path, row) => {
  const limit = row.limit === 'global' ? globalLimit : (row.limit as { points: number; seconds: number })

  // Refused by validation, which counts as well and leaves the account as it is: some of these end it.
  const body = row.method === 'GET' ? undefined : { no_such_field: 1 }

  test('are counted and shown exactly, and refuse with Retry-After', async () => {
    const { session_token: token } = await service.createUser()
    const startedAt = service.clock.now()
    let remaining = limit.points
    for (let n = 0; n < Math.min(limit.points, 6); n++) {
      const { headers } = await send(path, row, token, body)
      remaining--
      expect(headers.get('x-ratelimit-limit')).toBe(String(limit.points))
      expect(headers.get('x-ratelimit-remaining')).toBe(String(remaining))
      expect(headers.get('x-ratelimit-reset')).toBe(String(startedAt + limit.seconds))
    }
    if (limit.points > 6) return
    const refused = await send(path, row, token, body)
    expect(refused.body).toEqual({
      status: false,
      statusCode: 429,
      errorCode: 5,
      message: 'Too Many Requests',
      details: [
        { path: '', problem: expect.stringMatching(/^too many requests: wait \d+ seconds? and try again$/) },
      ],
    })
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(refused.body.details[0].problem).toContain(` ${wait} ${wait === 1 ? 'second ' : 'seconds '}`)
    service.clock.advance(limit.seconds)
    expect((await send(path, row, token, body)).status).not.toBe(429)
  })
})

test('check 1: session-only operations and signing in refuse API keys', async () => {
  const closed = rows.filter(([, , { auth }]) => auth === 'session' || auth === 'visitor')
  expect(closed.length).toBeGreaterThan(25)
  for (const [, path, row] of closed) {
    const { status, body } = await send(path, row, user.api_key)
    expect([status, body.errorCode], path).toEqual([403, 4])
  }
})

test('a key that may not call an operation does not use up its limit', async () => {
  await freshMinute()
  const owner = await service.createUser()
  for (let n = 0; n < 4; n++) {
    const refused = await service.call('POST', '/v1/profile/otp', { token: owner.api_key })
    expect([refused.status, refused.headers.get('x-ratelimit-limit')]).toEqual([403, '300'])
  }
  const { status, headers } = await service.call('POST', '/v1/profile/otp', { token: owner.session_token })
  expect([status, headers.get('x-ratelimit-remaining')]).toEqual([201, '2'])
})

test('answers are kept by nobody on the way', async () => {
  const { headers } = await service.call('GET', '/v1/profile', { token: user.api_key })
  expect(headers.get('cache-control')).toBe('no-store')
})

test('when guessing has run out, the headers say when it goes on', async () => {
  await freshMinute()
  const body = { login: 'nobody@example.com', password: '0000-0000' }
  const guess = () => service.call('POST', '/v1/auth/otp', { body })
  for (let n = 0; n < 10; n++) expect((await guess()).status).toBe(401)
  const { status, headers } = await guess()
  const [left, resetsAt, wait] = ['x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'].map((name) =>
    Number(headers.get(name)),
  )
  expect([status, left, resetsAt]).toEqual([429, 0, service.clock.now() + (wait as number)])
})
