import { afterAll, beforeAll, expect, test } from 'vitest'
import { outside, untilWaits } from '../../../../../test/support/databases/waiting.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { lockUser } from '../users.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const hwid = (n: number) => `hwid-number-${n}`

const fetchAs = (user: TestUser, n: number) =>
  service.call('GET', `/sub/${user.subscription_key}`, { headers: { 'x-hwid': hwid(n) } })

const fetchAll = (user: TestUser, numbers: readonly number[]) =>
  Promise.all(numbers.map((n) => fetchAs(user, n)))

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

const isServed = (answer: { headers: Headers }) => answer.headers.get('announce') === null

const devicesOf = (user: TestUser) =>
  service.db
    .selectFrom('devices as d')
    .innerJoin('subscriptions as s', 's.id', 'd.subscription_id')
    .select(['d.id', 'd.is_blocked'])
    .where('s.user_id', '=', user.id)
    .execute()

const limitTo = (user: TestUser, device_limit: number) =>
  service.customer(user, 'PATCH', '/profile/devices/settings', { device_limit })

const block = (user: TestUser, id: number, is_blocked: boolean) =>
  service.customer(user, 'PATCH', `/profile/devices/${id}/blocked`, { is_blocked })

test('check 22: 50 devices at once under a limit of 3: three are kept, and just these get the links', async () => {
  const user = await service.createUser({ balance: 1000 })
  const config = await service.buy(user)
  await limitTo(user, 3)
  const answers = await fetchAll(user, upTo(50))
  expect(answers.map((answer) => answer.status)).toEqual(Array(50).fill(200))
  const bodies = answers.map((answer) => Buffer.from(answer.body, 'base64').toString())
  expect(bodies.filter((body) => body === config.connection_url)).toHaveLength(3)
  expect(answers.filter(isServed)).toHaveLength(3)
  expect(await devicesOf(user)).toHaveLength(3)
  const again = await fetchAll(user, upTo(50))
  expect(again.map(isServed)).toEqual(answers.map(isServed))
})

test('one device that asks 20 times at once takes one place, and is served each time', async () => {
  const user = await service.createUser()
  await limitTo(user, 1)
  const answers = await fetchAll(user, Array<number>(20).fill(7))
  expect(answers.map(isServed)).toEqual(Array(20).fill(true))
  expect(await devicesOf(user)).toHaveLength(1)
})

test('50 apps that name no device at once under a limit of 3, each three times: three are kept', async () => {
  const user = await service.createUser({ balance: 1000 })
  await service.buy(user)
  await limitTo(user, 3)
  const fetchAsApp = (n: number) =>
    service.call('GET', `/sub/${user.subscription_key}`, {
      headers: { 'user-agent': `App-${'x'.repeat(n)}/1.${n}` },
    })
  const numbers = upTo(50).flatMap((n) => [n, n, n])
  const answers = await Promise.all(numbers.map(fetchAsApp))
  expect(answers.filter(isServed)).toHaveLength(9)
  expect(await devicesOf(user)).toHaveLength(3)
  expect((await Promise.all(numbers.map(fetchAsApp))).map(isServed)).toEqual(answers.map(isServed))
})

test('a new name with each of 150 fetches at once: a hundred are kept', async () => {
  const user = await service.createUser()
  const answers = await Promise.all(
    upTo(150).map((n) =>
      service.call('GET', `/sub/${user.subscription_key}`, { headers: { 'user-agent': `App${n}/1` } }),
    ),
  )
  expect(answers.every(isServed)).toBe(true)
  expect(await devicesOf(user)).toHaveLength(100)
})

test('a limit lowered while devices arrive holds for those that come after it', async () => {
  const user = await service.createUser()
  const [, ...answers] = await Promise.all([limitTo(user, 2), ...upTo(20).map((n) => fetchAs(user, n))])
  const kept = (await devicesOf(user)).length
  expect(answers.filter(isServed)).toHaveLength(kept)
  expect(kept).toBeGreaterThanOrEqual(2)
  expect((await fetchAll(user, upTo(30).slice(20))).some(isServed)).toBe(false)
  expect(await devicesOf(user)).toHaveLength(kept)
})

test('a blocked device comes back whatever the limit, and at most one new one beside it', async () => {
  for (let round = 0; round < 5; round++) {
    const user = await service.createUser()
    await fetchAll(user, [0, 1])
    await limitTo(user, 2)
    const [first] = await devicesOf(user)
    const id = first?.id as number
    await block(user, id, true)
    const [unblocked, ...answers] = await Promise.all([
      block(user, id, false),
      ...[2, 3, 4].map((n) => fetchAs(user, n)),
    ])
    const admitted = answers.filter(isServed).length
    expect(unblocked?.status).toBe(200)
    expect(admitted).toBeLessThanOrEqual(1)
    expect((await devicesOf(user)).filter((device) => !device.is_blocked)).toHaveLength(2 + admitted)
  }
})

test('a device that arrives while the link is reset is not bound to the new one', async () => {
  const user = await service.createUser()
  let fetches: ReturnType<typeof fetchAll> | undefined
  let reset: ReturnType<TestService['customer']> | undefined
  // All wait for the account; the reset almost always comes first, and the rule holds either way.
  await service.db.transaction().execute(async (tx) => {
    await lockUser(tx, user.id)
    reset = outside(() => service.customer(user, 'PATCH', '/profile/subscriptionLink'))
    await untilWaits(tx, reset)
    fetches = outside(() => fetchAll(user, upTo(5)))
    await untilWaits(tx, fetches)
  })
  expect((await reset)?.status).toBe(200)
  for (const { status } of (await fetches) ?? []) expect([200, 404]).toContain(status)
  expect((await fetchAs(user, 0)).status).toBe(404)
  expect(await devicesOf(user)).toEqual([])
})
