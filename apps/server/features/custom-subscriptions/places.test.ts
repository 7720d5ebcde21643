import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CustomTests } from '../../../../test/support/custom-subscriptions.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

/** Places that devices have in an option go with what brought them there. */

let service: TestService
let custom: CustomTests
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  custom = new CustomTests(service)
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const fetchWith = (key: string, name: string) =>
  service.call('GET', `/sub/${key}`, {
    headers: { 'x-hwid': `hwid-of-device-${name}`, 'x-device-model': name, 'x-device-os': 'iOS' },
  })
const placesOf = async (user: TestUser): Promise<string[]> => {
  const { body } = await service.customer(user, 'GET', '/paid-options/1/devices')
  return body.data.devices.map((device: { device_model: string }) => device.device_model).sort()
}

/** An option that a phone fetches by a custom subscription, a laptop by the account, and a tablet by both. */
const start = async () => {
  const user = await service.createUser({ balance: 10_000 })
  const order = { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 }
  await service.customer(user, 'POST', '/paid-options', order)
  const item = { item_type: 'paid_option', item_reference_id: 1 }
  const one = await custom.made(user, item)
  await fetchWith(one.subscription_key, 'phone')
  await fetchWith(user.subscription_key, 'laptop')
  await fetchWith(one.subscription_key, 'tablet')
  service.clock.advance(61)
  await fetchWith(user.subscription_key, 'tablet')
  expect(await placesOf(user)).toEqual(['laptop', 'phone', 'tablet'])
  const call = (method: string, path = '', body?: unknown) =>
    custom.call(user, method, `/${one.id}${path}`, body)
  const deviceOf = async (model: string): Promise<number> =>
    (await call('GET', '/devices')).body.data.devices.find(
      (device: { device_model: string }) => device.device_model === model,
    ).id
  return { user, one, call, deviceOf }
}

describe('who came with no other key loses the place', () => {
  test('when the key is another', async () => {
    const { user, one, call } = await start()
    const { body } = await call('POST', '/reset-key')
    expect(await placesOf(user)).toEqual(['laptop', 'tablet'])
    expect((await fetchWith(one.subscription_key, 'phone')).status).toBe(404)
    await fetchWith(body.data.subscription_key, 'other')
    expect(await placesOf(user)).toEqual(['laptop', 'other', 'tablet'])
  })

  test('when the subscription is deleted', async () => {
    const { user, call } = await start()
    expect((await call('DELETE')).status).toBe(200)
    expect(await placesOf(user)).toEqual(['laptop', 'tablet'])
  })

  test('when the device is removed, or all are', async () => {
    const { user, call, deviceOf } = await start()
    expect((await call('DELETE', `/devices/${await deviceOf('tablet')}`)).status).toBe(200)
    expect(await placesOf(user)).toEqual(['laptop', 'phone', 'tablet'])
    expect((await call('DELETE', `/devices/${await deviceOf('phone')}`)).status).toBe(200)
    expect(await placesOf(user)).toEqual(['laptop', 'tablet'])
    expect((await service.customer(user, 'DELETE', '/profile/devices')).body.data).toBe(2)
    expect(await placesOf(user)).toEqual([])
  })

  test('when the device is blocked; unblocked, it takes one again', async () => {
    const { user, one, call, deviceOf } = await start()
    await service.customer(user, 'PATCH', '/paid-options/1/limits', { device_limit: 3 })
    const block = async (is_blocked: boolean) =>
      call('PATCH', `/devices/${await deviceOf('phone')}/blocked`, { is_blocked })
    expect((await block(true)).status).toBe(200)
    expect(await placesOf(user)).toEqual(['laptop', 'tablet'])
    expect((await block(false)).status).toBe(200)
    await fetchWith(one.subscription_key, 'phone')
    expect(await placesOf(user)).toEqual(['laptop', 'phone', 'tablet'])
  })
})

test('a place that went with the key is free for another', async () => {
  const { user, call } = await start()
  await service.customer(user, 'PATCH', '/paid-options/1/limits', { device_limit: 3 })
  const full = await fetchWith(user.subscription_key, 'new')
  const { body } = await call('POST', '/reset-key')
  const free = await fetchWith(body.data.subscription_key, 'new')
  const entries = (text: string) => Buffer.from(text, 'base64').toString().trim().split('\n').length
  expect([entries(full.body), entries(free.body)]).toEqual([1, 3])
})
