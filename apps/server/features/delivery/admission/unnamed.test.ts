import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { countStatementsDuring } from '../../../../../test/support/statements.ts'
import {
  hwidHeaders,
  linksOf,
  phone,
  subscriptionsOf,
  titleOf,
} from '../../../../../test/support/subscription.ts'
import { apps } from '../../../../../test/support/user-agents.ts'

/** Apps that send no x-hwid. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const { fetchWith, rowsOf, set, buyer } = subscriptionsOf(() => service)

const app = (userAgent: string) => ({ 'user-agent': userAgent })
const hiddify = app('HiddifyNext/2.5.7 (android) like ClashMeta v2ray sing-box')
const streisand = app('Streisand/1.6 CFNetwork/1390 Darwin/22.0.0')
const v2rayNG = app('v2rayNG/1.10.2')
const browser = {
  accept: 'text/html',
  'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
}

const withOption = async (): Promise<TestUser> => {
  const user = await service.createUser({ balance: 10_000 })
  const order = { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 }
  expect((await service.customer(user, 'POST', '/paid-options', order)).status).toBeLessThan(300)
  return user
}
const ofOption = async (user: TestUser) =>
  (await service.customer(user, 'GET', '/paid-options/1/devices')).body.data
const decide = (unnamed_devices: string) =>
  service.operator('PATCH', '/delivery/settings', { unnamed_devices })
const devicesOf = async (user: TestUser) =>
  (await service.customer(user, 'GET', '/profile/devices?limit=100')).body.data

describe('an app that names no device', () => {
  test.each(
    apps.filter(([userAgent]) => /hiddify|streisand|shadowrocket|v2rayng/i.test(userAgent)),
  )('%s gets an option whose devices are limited, and takes one place in it', async (userAgent) => {
    const user = await withOption()
    for (let n = 0; n < 2; n++) expect(linksOf((await fetchWith(user, app(userAgent))).body)).toHaveLength(3)
    const { total, devices } = await ofOption(user)
    expect([total, devices[0].hwid]).toEqual([1, expect.stringMatching(/^[a-z0-9.-]+_(android|ios)$/)])
  })

  test('is a device like the others: listed, counted, blocked and removed', async () => {
    const { user, url } = await buyer()
    await set(user, { device_limit: 2 })
    expect(linksOf((await fetchWith(user, v2rayNG)).body)).toEqual([url])
    expect(hwidHeaders((await fetchWith(user, phone)).headers)).toEqual(['x-hwid-active: true'])
    const refused = await fetchWith(user, streisand)
    expect(hwidHeaders(refused.headers)).toContain('x-hwid-max-devices-reached: true')
    expect(titleOf(refused.body)).toMatch(/Лимит устройств/)
    const { devices } = await devicesOf(user)
    const [named, unnamed] = devices
    expect(devices).toHaveLength(2)
    expect(unnamed).toMatchObject({ device_name: 'v2rayNG', device_type: 'android', is_fingerprinted: true })
    expect(named).toMatchObject({ device_name: 'Pixel 8', is_fingerprinted: false })
    await service.customer(user, 'PATCH', `/profile/devices/${unnamed.id}/blocked`, { is_blocked: true })
    expect(titleOf((await fetchWith(user, v2rayNG)).body)).toMatch(/заблокировано/)
    expect(linksOf((await fetchWith(user, streisand)).body)).toEqual([url])
    await service.customer(user, 'PATCH', `/profile/devices/${unnamed.id}/blocked`, { is_blocked: false })
    await service.customer(user, 'DELETE', `/profile/devices/${unnamed.id}`)
    expect(titleOf((await fetchWith(user, v2rayNG)).body)).toMatch(/Лимит устройств/)
  })

  test('is the same one in its next version, and another one of another customer or under another key', async () => {
    const { user } = await buyer()
    for (const version of ['1.10.2', '1.10.3', '2.0']) await fetchWith(user, app(`v2rayNG/${version}`))
    const [own, ...more] = await rowsOf(user)
    expect(more).toEqual([])
    const { user: other } = await buyer()
    await fetchWith(other, v2rayNG)
    expect((await rowsOf(other))[0]?.hwid_hash).not.toEqual(own?.hwid_hash)
    const reset = await service.customer(user, 'PATCH', '/profile/subscriptionLink')
    expect(await rowsOf(user)).toEqual([])
    await fetchWith({ ...user, subscription_key: reset.body.data }, v2rayNG)
    expect((await rowsOf(user))[0]?.hwid_hash).not.toEqual(own?.hwid_hash)
  })

  test('has one place in an option under whatever key, and gives it back when it is removed', async () => {
    const user = await withOption()
    await service.customer(user, 'PATCH', '/paid-options/1/limits', { device_limit: 1 })
    const items = [{ item_type: 'paid_option', item_reference_id: 1 }]
    const made = await service.customer(user, 'POST', '/profile/custom-subscriptions', {
      title: 'All',
      items,
    })
    const custom = { ...user, subscription_key: made.body.data.subscription_key }
    for (const owner of [user, custom])
      expect(linksOf((await fetchWith(owner, hiddify)).body)).toHaveLength(3)
    expect(titleOf((await fetchWith(user, v2rayNG)).body)).toBe('Белый интернет: лимит устройств исчерпан')
    expect((await ofOption(user)).devices).toMatchObject([
      { hwid: 'hiddifynext_android', platform: 'android' },
    ])
    const gone = await service.customer(user, 'DELETE', '/paid-options/1/devices/hiddifynext_android')
    expect(gone.body.data).toBe(true)
    expect(linksOf((await fetchWith(user, v2rayNG)).body)).toHaveLength(3)
  })

  test('is under the limit of a custom subscription, and turned away where new ones are', async () => {
    const { user, url } = await buyer()
    const { body } = await service.customer(user, 'GET', '/configs')
    const items = [{ item_type: 'user_config', item_reference_id: body.data[0].id }]
    const made = await service.customer(user, 'POST', '/profile/custom-subscriptions', {
      title: 'All',
      items,
    })
    const { id, subscription_key } = made.body.data
    const path = `/profile/custom-subscriptions/${id}/devices/settings`
    await service.customer(user, 'PATCH', path, { device_limit: 1 })
    const custom = { ...user, subscription_key }
    expect(linksOf((await fetchWith(custom, hiddify)).body)).toEqual([url])
    expect(titleOf((await fetchWith(custom, v2rayNG)).body)).toMatch(/Лимит устройств/)
    await set(user, { block_unknown_devices: true })
    expect(titleOf((await fetchWith(user, v2rayNG)).body)).toMatch(/Новые устройства запрещены/)
  })

  test('that is known costs one read', async () => {
    for (const user of [(await buyer()).user, await withOption()]) {
      for (let n = 0; n < 2; n++) await fetchWith(user, v2rayNG)
      expect(await countStatementsDuring(service, () => fetchWith(user, app('v2rayNG/1.10.3')))).toBe(1)
    }
  })
})

describe('a new name with each fetch', () => {
  const names = async (user: TestUser) => (await rowsOf(user)).map((row) => row.device_name)
  /** A hundred of them; the first is blocked, and each was seen a second after the one before it. */
  const withHundred = async () => {
    const { user, url } = await buyer()
    await sql`insert into devices (subscription_id, hwid_hash, device_name, device_type, device_model, os_version,
        is_unnamed, is_fingerprinted, is_blocked, created_at, last_seen_at)
      select s.id, int8send(n), 'app ' || n, 'linux', '', '', true, false, n = 1, 0, ${service.clock.now() - 200} + n
      from subscriptions s, generate_series(1, 100) n where s.user_id = ${user.id} and s.kind = 'account'`.execute(
      service.db,
    )
    return { user, url }
  }

  test('is served and not kept beside a hundred that came lately, so that it writes nothing', async () => {
    const { user, url } = await withHundred()
    const before = await names(user)
    expect(linksOf((await fetchWith(user, app('Garbage-xyz/1'))).body)).toEqual([url])
    expect(await names(user)).toEqual(before)
    await set(user, { device_limit: 100 })
    expect(titleOf((await fetchWith(user, app('Garbage-xyz/1'))).body)).toMatch(/Лимит устройств/)
  })

  test('takes the place of the one that was silent longest, and never of one that is blocked', async () => {
    const { user, url } = await withHundred()
    service.clock.advance(3600)
    await service.heartbeat()
    expect(linksOf((await fetchWith(user, v2rayNG)).body)).toEqual([url])
    const kept = await names(user)
    expect(kept).toHaveLength(100)
    expect(kept.slice(0, 2)).toEqual(['app 1', 'app 3'])
    expect(kept.at(-1)).toBe('v2rayNG')
    await fetchWith(user, phone)
    expect(await names(user)).toHaveLength(101)
  })
})

describe('browsers', () => {
  test('are no devices, whatever they ask for', async () => {
    const { user } = await buyer()
    for (const query of ['', '?format=links', '?format=page&item=1'])
      await service.call('GET', `/sub/${user.subscription_key}${query}`, { headers: browser })
    await service.call('GET', `/sub/${user.subscription_key}?format=page`)
    expect(await rowsOf(user)).toEqual([])
  })

  test('get no links where devices are limited', async () => {
    const { user, url } = await buyer()
    await set(user, { device_limit: 1 })
    const path = `/sub/${user.subscription_key}?format=links`
    const { body, headers } = await service.call('GET', path, { headers: browser })
    expect(String(body)).not.toContain(url)
    expect(hwidHeaders(headers)).toContain('x-hwid-not-supported: true')
    expect(linksOf((await fetchWith(user, v2rayNG)).body)).toEqual([url])
  })
})

describe('an operator who wants devices to be named', () => {
  beforeAll(() => decide('refuse'))
  afterAll(() => decide('fingerprint'))

  test('turns away apps that name none where devices are limited, and nowhere else', async () => {
    const { user, url } = await buyer()
    expect(linksOf((await fetchWith(user, hiddify)).body)).toEqual([url])
    expect(await rowsOf(user)).toEqual([])
    await set(user, { device_limit: 5 })
    const refused = await fetchWith(user, hiddify)
    expect(hwidHeaders(refused.headers)).toContain('x-hwid-not-supported: true')
    expect(titleOf(refused.body)).toMatch(/HWID/)
    expect(linksOf((await fetchWith(user, phone)).body)).toEqual([url])
    await set(user, { device_limit: 0 })
    const [device] = await rowsOf(user)
    await service.customer(user, 'PATCH', `/profile/devices/${device?.id}/blocked`, { is_blocked: true })
    expect(hwidHeaders((await fetchWith(user, hiddify)).headers)).toContain('x-hwid-not-supported: true')
  })

  test('turns them away from an option, also those that were let in before', async () => {
    await decide('fingerprint')
    const user = await withOption()
    expect(linksOf((await fetchWith(user, hiddify)).body)).toHaveLength(3)
    await decide('refuse')
    expect(titleOf((await fetchWith(user, hiddify)).body)).toBe(
      'Белый интернет: включите отправку HWID в приложении',
    )
    expect(linksOf((await fetchWith(user, phone)).body)).toHaveLength(3)
  })
})
