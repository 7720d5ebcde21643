import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { enrolNode } from '../../../../test/support/node.ts'
import { accountOf } from '../../../../test/support/people/account.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { phone } from '../../../../test/support/subscription.ts'

/** Two accounts with the same option become one: what both have used stays used. */

let service: TestService
let account: ReturnType<typeof accountOf>
let node: Awaited<ReturnType<typeof enrolNode>>
let order: { paid_option_id: number; payment_method_id: number; tariff_id: number }

beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  account = accountOf(service)
  node = await enrolNode(service, 1, { protocols: ['vless'], capacity: 500 })
  const words = { title_ru: 'Счётчик', title_en: 'Meter', caption_ru: 'Слова', caption_en: 'Words' }
  const made = await service.operator('POST', '/paid-options', {
    key: 'metered',
    ...words,
    description_ru: 'Слова',
    description_en: 'Words',
    protocol: 'vless',
    traffic_limit: 1000,
    most_traffic: 5000,
    device_limit: 2,
    most_devices: 4,
    server_ids: [node.serverId],
    tariffs: [30, 90].map((days) => ({ days, prices: [{ payment_method_id: 1, price: 100 }] })),
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const { id, tariffs } = made.body.data
  order = { paid_option_id: id, payment_method_id: 1, tariff_id: tariffs[0].id }
})
beforeEach(async () => {
  await service.heartbeat()
  await node.report()
})
afterEach(async () => expect(await account.broken()).toEqual([]))
afterAll(() => service.stop())

const day = 86_400
let boot = 0
const call = (user: TestUser, method: string, path: string, body?: unknown) =>
  service.customer(user, method, `/paid-options/${order.paid_option_id}${path}`, body)
const buy = async (user: TestUser) => {
  const bought = await service.customer(user, 'POST', '/paid-options', order)
  expect(bought.status, JSON.stringify(bought.body)).toBe(201)
  return bought.body.data
}

const customer = async () => {
  const user = await service.createUser({ balance: 10_000 })
  const [config] = (await buy(user)).configs
  const own = `boot-${boot++}`
  let up = 0
  const carry = async (bytes: number) => {
    up += bytes
    await node.report({ traffic: [{ boot_id: own, id: `a${config.id}`, up, down: 0 }] })
    await service.running.runJobs()
  }
  return { user, config, carry }
}
const info = async (user: TestUser) => (await call(user, 'GET', '/subscription')).body.data
const merge = async (from: TestUser, into: TestUser) => {
  const [one, other] = [await account.signInAgain(from), await account.signInAgain(into)]
  const moved = await account.move(one, other)
  expect(moved.status, JSON.stringify(moved.body)).toBe(200)
}
const pass = async (seconds: number) => {
  service.clock.advance(seconds)
  await service.heartbeat()
  await node.report()
  await service.running.runJobs()
}
const notices = async (user: TestUser): Promise<string> =>
  JSON.stringify((await service.customer(user, 'GET', '/profile/notifications')).body.data)

test('what both have used of the period, and ever, is added up', async () => {
  const [from, into] = [await customer(), await customer()]
  await from.carry(300)
  await into.carry(200)
  await merge(from.user, into.user)
  expect(await info(into.user)).toMatchObject({
    used_traffic_bytes: 500,
    lifetime_used_traffic_bytes: 500,
    status: 'active',
  })
  expect(await notices(into.user)).toContain('потраченный трафик сложен')
})

test('together over the limit they are limited at once, and the customer is told', async () => {
  const [from, into] = [await customer(), await customer()]
  await from.carry(600)
  await into.carry(500)
  await merge(from.user, into.user)
  expect(await info(into.user)).toMatchObject({ used_traffic_bytes: 1100, status: 'limited' })
  const placed = await service.db
    .selectFrom('placements')
    .select('access_id')
    .where('access_id', 'in', [from.config.id, into.config.id])
    .where('is_present', '=', true)
    .execute()
  expect(placed).toEqual([])
  expect(await notices(into.user)).toContain('приостановлен')
})

test('what a node still tells of the one that is gone is counted, also after it is forgotten there', async () => {
  const [from, into] = [await customer(), await customer()]
  await from.carry(300)
  await into.carry(100)
  await merge(from.user, into.user)
  await from.carry(50)
  expect((await info(into.user)).used_traffic_bytes).toBe(450)
  await node.report({ applied_revision: (await node.poll(0)).revision })
  await service.running.runJobs()
  expect(await info(into.user)).toMatchObject({ used_traffic_bytes: 450, lifetime_used_traffic_bytes: 450 })
})

test('what is more than a period’s limit is held against the next, and no longer', async () => {
  const [from, into] = [await customer(), await customer()]
  await buy(into.user)
  await from.carry(1000)
  await into.carry(1000)
  await merge(from.user, into.user)
  await pass(30 * day)
  expect(await info(into.user)).toMatchObject({
    used_traffic_bytes: 1000,
    lifetime_used_traffic_bytes: 2000,
    status: 'limited',
  })
  await pass(30 * day)
  expect(await info(into.user)).toMatchObject({ used_traffic_bytes: 0, status: 'active' })
})

test('an operator who lets traffic begin anew forgives that, too', async () => {
  const [from, into] = [await customer(), await customer()]
  await buy(into.user)
  await from.carry(1000)
  await into.carry(1000)
  await merge(from.user, into.user)
  const path = `/users/${into.user.id}/paid-options/${order.paid_option_id}`
  await service.operator('PATCH', path, { reset_traffic: true, reason: 'asked' })
  expect(await info(into.user)).toMatchObject({ used_traffic_bytes: 0, status: 'active' })
  await pass(30 * day)
  expect((await info(into.user)).used_traffic_bytes).toBe(0)
})

test('to somebody whose own had ended the period of the other goes on', async () => {
  const into = await customer()
  await into.carry(700)
  await pass(31 * day)
  const from = await customer()
  await from.carry(400)
  await pass(10 * day)
  await merge(from.user, into.user)
  expect(await info(into.user)).toMatchObject({
    used_traffic_bytes: 400,
    lifetime_used_traffic_bytes: 1100,
    status: 'active',
  })
  await buy(into.user)
  await pass(20 * day)
  expect((await info(into.user)).used_traffic_bytes).toBe(0)
})

test('of one that had ended nothing comes but what it carried in its life', async () => {
  const from = await customer()
  await from.carry(700)
  await pass(31 * day)
  const into = await customer()
  await into.carry(100)
  const { expires_at: before } = (await service.customer(into.user, 'GET', '/paid-options')).body.data[0]
  await merge(from.user, into.user)
  expect(await info(into.user)).toMatchObject({ used_traffic_bytes: 100, lifetime_used_traffic_bytes: 800 })
  const { expires_at: after } = (await service.customer(into.user, 'GET', '/paid-options')).body.data[0]
  expect(after).toBe(before)
  expect(await notices(into.user)).not.toContain('дни прибавлены')
})

test('limits and devices stay those of the account that goes on', async () => {
  const [from, into] = [await customer(), await customer()]
  await call(from.user, 'PATCH', '/limits', { traffic_limit: 5000, device_limit: 4 })
  await call(into.user, 'PATCH', '/limits', { traffic_limit: 2000, device_limit: 3 })
  for (const { user } of [from, into]) {
    await service.call('GET', `/sub/${user.subscription_key}`, {
      headers: { ...phone, 'x-hwid': `device-of-${user.id}-0123456789` },
    })
  }
  await merge(from.user, into.user)
  expect(await info(into.user)).toMatchObject({ traffic_limit_bytes: 2000, device_limit: 3 })
  const { devices } = (await call(into.user, 'GET', '/devices')).body.data
  expect(devices.map((device: { hwid: string }) => device.hwid)).toEqual([
    `device-of-${into.user.id}-0123456789`,
  ])
})
