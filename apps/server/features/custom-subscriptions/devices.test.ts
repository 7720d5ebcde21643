import { afterAll, beforeAll, expect, test } from 'vitest'
import { CustomTests, configItem, notFound } from '../../../../test/support/custom-subscriptions.ts'
import { startTestService, type TestService } from '../../../../test/support/service.ts'

/** What happens to devices is tested with the account's; here, that these are this subscription's. */

let service: TestService
let custom: CustomTests
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  custom = new CustomTests(service)
})
afterAll(() => service.stop())

const deviceNotFound = { status: false, statusCode: 404, errorCode: 40, message: 'DEVICE_NOT_FOUND' }

const seen = (key: string, name: string) =>
  service.call('GET', `/sub/${key}`, {
    headers: {
      'x-hwid': `hwid-of-device-${name}`,
      'x-device-model': name,
      'x-device-os': 'iOS',
      'x-ver-os': '18.1',
    },
  })

/** Two subscriptions of a customer; the first was fetched by these devices, the account's by one more. */
const start = async (...names: string[]) => {
  const user = await custom.customer()
  const item = configItem((await service.buy(user)).id)
  const [one, other] = [await custom.made(user, item), await custom.made(user, item)]
  for (const name of names) {
    service.clock.advance(1)
    await seen(one.subscription_key, name)
  }
  await seen(user.subscription_key, 'account')
  const call = (method: string, path = '', body?: unknown, id = one.id) =>
    custom.call(user, method, `/${id}/devices${path}`, body)
  const list = async (query = '') => (await call('GET', query)).body.data
  return { user, one, other, call, list }
}

test('the list has what is told of a device of a subscription, and no settings', async () => {
  const { list, call, other } = await start('a', 'b')
  const page = await list()
  expect(page).toEqual({
    devices: ['b', 'a'].map((name) => ({
      id: expect.any(Number),
      device_name: name,
      device_type: 'ios',
      device_model: name,
      os_version: '18.1',
      is_blocked: false,
      last_seen_at: expect.any(Number),
      created_at: expect.any(Number),
    })),
    total: 2,
    page: 1,
    limit: 20,
  })
  expect(page.devices[0].created_at - page.devices[1].created_at).toBe(1)
  expect((await call('GET', '', undefined, other.id)).body.data.total).toBe(0)
})

test('the list is read in pages', async () => {
  const { list, call } = await start('a', 'b', 'c')
  const pages = [await list('?limit=2'), await list('?limit=2&page=2')]
  expect(
    pages.map((page) => page.devices.map((device: { device_name: string }) => device.device_name)),
  ).toEqual([['c', 'b'], ['a']])
  expect(pages[1]).toMatchObject({ total: 3, page: 2, limit: 2 })
  for (const query of ['?limit=0', '?limit=101', '?page=0'])
    expect((await call('GET', query)).status, query).toBe(400)
})

test('settings are this subscription’s own', async () => {
  const { user, one, other, call } = await start('a')
  const usual = { block_unknown_devices: false, device_limit: 0 }
  expect((await call('GET', '/settings')).body.data).toEqual(usual)
  expect((await call('PATCH', '/settings', { device_limit: 1 })).body.data).toEqual({
    ...usual,
    device_limit: 1,
  })
  expect((await call('PATCH', '/settings', {})).body.data).toEqual({ ...usual, device_limit: 1 })
  expect((await call('GET', '/settings', undefined, other.id)).body.data).toEqual(usual)
  expect((await service.customer(user, 'GET', '/profile/devices/settings')).body.data).toEqual(usual)
  expect((await seen(one.subscription_key, 'b')).headers.get('x-hwid-limit')).toBe('true')
  expect((await seen(one.subscription_key, 'a')).headers.has('announce')).toBe(false)
  expect((await seen(other.subscription_key, 'b')).headers.has('announce')).toBe(false)
  expect((await seen(user.subscription_key, 'b')).headers.has('announce')).toBe(false)
  for (const body of [{ device_limit: 101 }, { device_limit: -1 }, { block_unknown_devices: 1 }])
    expect((await call('PATCH', '/settings', body)).status).toBe(400)
})

test('one is blocked, let in again and forgotten', async () => {
  const { one, call, list } = await start('a')
  const [{ id }] = (await list()).devices
  const announced = async () => (await seen(one.subscription_key, 'a')).headers.has('announce')
  expect((await call('PATCH', `/${id}/blocked`, { is_blocked: true })).body.data).toBe(true)
  expect([await announced(), (await list()).devices[0].is_blocked]).toEqual([true, true])
  expect((await call('PATCH', `/${id}/blocked`, { is_blocked: false })).body.data).toBe(true)
  expect(await announced()).toBe(false)
  expect((await call('DELETE', `/${id}`)).body.data).toBe(true)
  expect((await list()).total).toBe(0)
  expect((await call('DELETE', `/${id}`)).body).toEqual(deviceNotFound)
  expect((await call('PATCH', `/${id}/blocked`, { is_blocked: true })).body).toEqual(deviceNotFound)
})

test('those of the account and of another subscription are none of it', async () => {
  const { user, other, call, list } = await start('a')
  const [{ id }] = (await list()).devices
  const account = (await service.customer(user, 'GET', '/profile/devices')).body.data.devices
  expect((await call('DELETE', `/${id}`, undefined, other.id)).body).toEqual(deviceNotFound)
  expect((await call('DELETE', `/${account[0].id}`)).body).toEqual(deviceNotFound)
  expect((await call('DELETE', `/${id}`, undefined, 999_999_999)).body).toEqual(notFound)
  expect((await service.customer(user, 'DELETE', `/profile/devices/${id}`)).body).toEqual(deviceNotFound)
  expect((await list()).total).toBe(1)
})

test('all are forgotten, and the answer says how many there were', async () => {
  const { user, call } = await start('a', 'b', 'c')
  expect((await call('DELETE')).body).toEqual({ status: true, statusCode: 200, data: { deleted_count: 3 } })
  expect((await call('DELETE')).body.data).toEqual({ deleted_count: 0 })
  expect((await service.customer(user, 'GET', '/profile/devices')).body.data.total).toBe(1)
})
