import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { enrolNode } from '../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { randomBase62 } from '../../core/kernel/tokens.ts'
import { sha256 } from '../../core/kernel/vault.ts'
import { createOperator } from '../../core/operators/operators.ts'

/** What strangers send in numbers, and how much of it the database hears. */
let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(() => service.clock.advance(3600))

/** Statements about credentials that reach the database while the test runs; jobs go on beside it. */
const statements = () => {
  const { engine } = service.running.database
  const seen: string[] = []
  const note = (sql: string) => {
    if (/api_keys|sessions|operators|nodes|subscriptions|security_counters/.test(sql)) seen.push(sql)
  }
  const [read, acquire] = [engine.read, engine.acquire]
  const spies = [
    vi.spyOn(engine, 'read').mockImplementation((sql, params) => {
      note(sql)
      return read.call(engine, sql, params)
    }),
    vi.spyOn(engine, 'acquire').mockImplementation(async () => {
      const connection = await acquire.call(engine)
      const query: typeof connection.query = (sql, params) => {
        note(sql)
        return connection.query(sql, params)
      }
      return { query, release: () => connection.release() }
    }),
  ]
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
  })
  return () => seen.length
}

const profile = (token: string) => service.call('GET', '/v1/profile', { token })
const madeUp = () => `slp_${randomBase62(8)}_${randomBase62(24)}`
const countOf = (statuses: readonly number[], status: number) =>
  statuses.filter((one) => one === status).length

const flood = async (count: number, send: () => Promise<{ status: number }>): Promise<number[]> =>
  (await Promise.all(Array.from({ length: count }, send))).map(({ status }) => status)

const madeUpOperator = () => madeUp().replace('slp', 'slo')
const madeUpAgent = () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const kid = String(1 + Math.floor(Math.random() * 1e9))
  return `${part({ alg: 'EdDSA', typ: 'agent+jwt', kid })}.${part({})}.${'A'.repeat(86)}`
}

/** Operators and nodes are few, and a look a second is left for them. */
describe.each([
  ['API keys', 0, () => profile(madeUp())],
  ['operator tokens', 5, () => service.call('GET', '/operator/v1/nodes', { token: madeUpOperator() })],
  ['agents', 5, () => service.call('GET', '/agent/v1/state?since=0', { token: madeUpAgent() })],
])('made-up %s', (_name, beyond, send) => {
  test('are looked up as often as the limit allows, also when they all come at once', async () => {
    const heard = statements()
    const statuses = await flood(200, send)
    expect([countOf(statuses, 401), countOf(statuses, 429)]).toEqual([60, 140])
    expect(heard()).toBeLessThanOrEqual(60 + beyond)
    const before = heard()
    expect(countOf(await flood(50, send), 429)).toBe(50)
    expect(heard() - before).toBeLessThanOrEqual(beyond)
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

  test('operators who were never seen here are let in, and so are nodes', async () => {
    const token = await createOperator(service.db, { name: 'new', role: 'owner', now: service.clock.now() })
    const node = await enrolNode(service, 1)
    await flood(80, () => profile(madeUp()))
    const statuses = async () => [
      (await service.call('GET', '/operator/v1/nodes', { token })).status,
      (await node.report()).status,
    ]
    await expect.poll(statuses, { timeout: 3000, interval: 100 }).toEqual([200, 200])
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

  test('one that bears no mark and was good here before is good still', async () => {
    const user = await service.createUser()
    const key = randomBase62(32)
    const key_hash = sha256(key)
    await service.db.updateTable('subscriptions').set({ key_hash }).where('user_id', '=', user.id).execute()
    expect((await fetchKey(key)).status).toBe(200)
    await flood(40, () => fetchKey(randomBase62(32)))
    expect((await fetchKey(key)).status).toBe(200)
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
