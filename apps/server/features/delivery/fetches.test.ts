import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

/** What is kept of the last fetch of a key. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const fetchBy = (user: TestUser, headers: Record<string, string> = {}, query = '') =>
  service.call('GET', `/sub/${user.subscription_key}${query}`, {
    headers: { 'user-agent': 'Happ/3.7.0/Android (arm64)', ...headers },
  })

const lastOf = async (user: TestUser) => {
  await service.running.runJobs()
  return service.db
    .selectFrom('subscription_fetches as f')
    .innerJoin('subscriptions as s', 's.id', 'f.subscription_id')
    .select(['f.at', 'f.app', 'f.outcome', 'f.revision', 's.revision as current'])
    .where('s.user_id', '=', user.id)
    .executeTakeFirst()
}

test('an app that was served, and one that has it already, is kept with the revision that it got', async () => {
  const user = await service.createUser({ balance: 1000 })
  await service.heartbeat()
  await service.buy(user)
  expect(await lastOf(user)).toBeUndefined()
  const first = await fetchBy(user)
  const at = service.clock.now()
  const last = await lastOf(user)
  expect(last).toMatchObject({ at, app: 'Happ/3.7.0/Android', outcome: 'served', revision: last?.current })
  service.clock.advance(60)
  const again = await fetchBy(user, { 'if-none-match': first.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
  expect(await lastOf(user)).toMatchObject({ at: at + 60, outcome: 'not_modified', revision: last?.current })
})

test('an app that went away before it was answered has got nothing', async () => {
  const user = await service.createUser({ balance: 1000 })
  await service.heartbeat()
  await service.buy(user)
  const { engine } = service.running.database
  const read = engine.read.bind(engine)
  const away = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const spy = vi.spyOn(engine, 'read').mockImplementation(async (sql, params) => {
    asked.resolve()
    await away.promise
    return read(sql, params)
  })
  const leaving = new AbortController()
  const fetching = fetch(`${service.running.url}/sub/${user.subscription_key}`, {
    headers: { 'user-agent': 'Happ/3.7.0' },
    signal: leaving.signal,
  }).catch(() => undefined)
  await asked.promise
  leaving.abort()
  await fetching
  await setTimeout(100)
  away.resolve()
  spy.mockRestore()
  await setTimeout(300)
  expect(await lastOf(user)).toBeUndefined()
  await fetchBy(user)
  expect(await lastOf(user)).toMatchObject({ outcome: 'served' })
})

test('a browser and an unknown key leave nothing, one entry alone leaves no revision', async () => {
  const user = await service.createUser({ balance: 1000 })
  await service.heartbeat()
  await service.buy(user)
  await fetchBy(user, { accept: 'text/html' })
  await fetchBy(user, { accept: 'text/html' }, '?format=links')
  expect(await lastOf(user)).toBeUndefined()
  await fetchBy(user, {}, '?item=1')
  expect(await lastOf(user)).toMatchObject({ outcome: 'served', revision: null })
})

test('one that is refused leaves why, and what was got before stays known', async () => {
  const user = await service.createUser({ balance: 1000 })
  await service.heartbeat()
  await service.buy(user)
  await fetchBy(user, { 'x-hwid': 'device-one-1' })
  const served = await lastOf(user)
  await service.db
    .updateTable('subscriptions')
    .set({ device_limit: 1 })
    .where('user_id', '=', user.id)
    .where('kind', '=', 'account')
    .execute()
  service.clock.advance(10)
  await fetchBy(user, { 'x-hwid': 'device-two-2', 'user-agent': '' })
  expect(await lastOf(user)).toMatchObject({
    at: service.clock.now(),
    app: 'unknown',
    outcome: 'limit',
    revision: served?.revision,
  })
})

test('what could not be written is written with the next', async () => {
  const user = await service.createUser()
  const { fetches } = service.running.services
  const { id } = await service.db
    .selectFrom('subscriptions')
    .select('id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  const at = service.clock.now()
  fetches.note({ subscriptionId: id, at, app: 'late', outcome: 'served', revision: 3 })
  fetches.note({ subscriptionId: id, at: at - 5, app: 'early', outcome: 'served', revision: 4 })
  fetches.note({ subscriptionId: 999_999, at, app: 'gone', outcome: 'served', revision: 1 })
  expect(await lastOf(user)).toMatchObject({ at, app: 'late', revision: 4 })
})
