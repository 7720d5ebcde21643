import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../test/support/service.ts'
import { randomBase62 } from '../core/tokens.ts'

/** What strangers send in numbers, and how much of it the database hears. */
let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(() => service.clock.advance(3600))

/** Every statement that reaches the database while the test runs. */
const statements = () => {
  const { engine } = service.running.database
  const spies = [vi.spyOn(engine, 'read'), vi.spyOn(engine, 'acquire')]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
}

const profile = (token: string) => service.call('GET', '/v1/profile', { token })
const madeUp = () => `slp_${randomBase62(8)}_${randomBase62(24)}`
const countOf = (statuses: readonly number[], status: number) =>
  statuses.filter((one) => one === status).length

const flood = async (count: number, send: () => Promise<{ status: number }>): Promise<number[]> =>
  (await Promise.all(Array.from({ length: count }, send))).map(({ status }) => status)

describe.each([
  ['API keys', () => profile(madeUp())],
  [
    'operator tokens',
    () => service.call('GET', '/operator/v1/nodes', { token: madeUp().replace('slp', 'slo') }),
  ],
])('made-up %s', (_name, send) => {
  test('are looked up as often as the limit allows, also when they all come at once', async () => {
    const heard = statements()
    const statuses = await flood(200, send)
    expect([countOf(statuses, 401), countOf(statuses, 429)]).toEqual([60, 140])
    expect(heard()).toBeLessThanOrEqual(60)
    const before = heard()
    expect(countOf(await flood(50, send), 429)).toBe(50)
    expect(heard()).toBe(before)
  })
})

describe('from an address whose limit is spent', () => {
  let owner: TestUser
  beforeEach(async () => {
    owner = await service.createUser()
    await flood(80, () => profile(madeUp()))
  })

  test('a key that was never seen here works, and so does a session', async () => {
    expect((await profile(owner.api_key)).status).toBe(200)
    expect((await profile(owner.session_token)).status).toBe(200)
  })

  test('a key that is ours and dead reaches the database once', async () => {
    await service.db.deleteFrom('api_keys').where('user_id', '=', owner.id).execute()
    const heard = statements()
    expect(countOf(await flood(1, () => profile(owner.api_key)), 429)).toBe(1)
    const once = heard()
    expect(countOf(await flood(50, () => profile(owner.api_key)), 429)).toBe(50)
    expect(heard()).toBe(once)
    service.clock.advance(60)
    expect((await profile(owner.api_key)).status).toBe(401)
  })

  test('a right key with a wrong secret costs nothing after the first look', async () => {
    await profile(owner.api_key)
    const wrong = owner.api_key.slice(0, -1) + (owner.api_key.endsWith('A') ? 'B' : 'A')
    const heard = statements()
    expect(countOf(await flood(50, () => profile(wrong)), 429)).toBe(50)
    expect(heard()).toBe(0)
  })
})

test('a good key that bears no mark, as older ones, is looked up within the limit and takes nothing of it', async () => {
  const user = await service.createUser()
  const [, , secret] = user.api_key.split('_')
  const prefix = 'olderKey'
  await service.db.updateTable('api_keys').set({ prefix }).where('user_id', '=', user.id).execute()
  expect((await profile(`slp_${prefix}_${secret}`)).status).toBe(200)
  const { headers } = await profile(madeUp())
  expect(headers.get('x-ratelimit-remaining')).toBe('59')
})

describe('subscription keys', () => {
  const fetchKey = (key: string) => service.call('GET', `/sub/${key}`)

  test('made-up ones reach the database as often as the limit allows, and right ones always', async () => {
    const user = await service.createUser()
    await flood(40, () => fetchKey(randomBase62(32)))
    const heard = statements()
    expect(countOf(await flood(100, () => fetchKey(randomBase62(32))), 429)).toBe(100)
    expect(heard()).toBe(0)
    expect((await fetchKey(user.subscription_key)).status).toBe(200)
  })

  test('a replaced one reaches it once when the limit is spent', async () => {
    const user = await service.createUser()
    await service.call('PATCH', '/v1/profile/subscriptionLink', { token: user.api_key })
    await flood(40, () => fetchKey(randomBase62(32)))
    expect((await fetchKey(user.subscription_key)).status).toBe(429)
    const heard = statements()
    expect(countOf(await flood(50, () => fetchKey(user.subscription_key)), 429)).toBe(50)
    expect(heard()).toBe(0)
  })
})
