import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { laptop, linksOf, phone } from '../../../../test/support/subscription.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const call = (user: TestUser, method: string, path = '', body?: unknown) =>
  service.customer(user, method, `/paid-options/1${path}`, body)
const customer = async () => {
  const user = await service.createUser({ balance: 10_000 })
  const order = { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 }
  const { body } = await service.customer(user, 'POST', '/paid-options', order)
  return { user, option: body.data }
}
const titles = async (user: TestUser, headers: Record<string, string> = {}): Promise<string[]> => {
  const { body } = await service.call('GET', `/sub/${user.subscription_key}`, { headers })
  return linksOf(body).map((link) => decodeURIComponent(link.split('#')[1] ?? ''))
}
const device = (n: number) => ({ ...phone, 'x-hwid': `device-${n}-0123456789` })
const listed = async (user: TestUser) => (await call(user, 'GET', '/devices')).body.data

describe('the account’s link', () => {
  test('carries the option in index order with custom titles, after what is sold alone', async () => {
    const { user } = await customer()
    const config = await service.buy(user)
    await call(user, 'PATCH', '/titles/1', { title: 'Средний' })
    const added = await call(user, 'POST', '/configs', { protocol: 'trojan', title: 'ТВ' })
    expect(added.status).toBe(200)
    expect(await titles(user, phone)).toEqual([
      `🇳🇱 Нидерланды · ${config.id}`,
      '🇳🇱 Нидерланды · Белый интернет 1',
      'Средний',
      '🇫🇮 Финляндия · Белый интернет 3',
      'ТВ',
    ])
    expect((await titles(user, { ...phone, 'accept-language': 'en' }))[1]).toBe(
      '🇳🇱 Netherlands · White internet 1',
    )
  })

  test('makes the app a device of the option, as it calls itself', async () => {
    const { user } = await customer()
    await titles(user, phone)
    await titles(user, phone)
    await titles(user, laptop)
    expect(await listed(user)).toEqual({
      total: 2,
      devices: [
        {
          hwid: 'phone-0123456789',
          platform: 'Android',
          os_version: '14',
          device_model: 'Pixel 8',
          created_at: service.clock.now() - 1,
        },
        {
          hwid: 'laptop-0123456789',
          platform: 'windows',
          os_version: '',
          device_model: '',
          created_at: service.clock.now() - 1,
        },
      ],
    })
  })

  test('over the limit one entry says why, the rest is delivered, and a place that is freed is taken', async () => {
    const { user } = await customer()
    const config = await service.buy(user)
    await call(user, 'PATCH', '/limits', { device_limit: 2 })
    expect(await titles(user, device(1))).toHaveLength(4)
    expect(await titles(user, device(2))).toHaveLength(4)
    const refused = [`🇳🇱 Нидерланды · ${config.id}`, 'Белый интернет: лимит устройств исчерпан']
    expect(await titles(user, device(3))).toEqual(refused)
    expect(await titles(user)).toEqual(refused)
    expect(await titles(user, device(1))).toHaveLength(4)
    expect((await listed(user)).total).toBe(2)
    const gone = await call(user, 'DELETE', '/devices/device-1-0123456789')
    expect(gone.body.data).toBe(true)
    expect(await titles(user, device(3))).toHaveLength(4)
    expect(await titles(user, device(1))).toEqual(refused)
    const again = await call(user, 'DELETE', '/devices/device-1-0123456789')
    expect([again.status, again.body.errorCode]).toEqual([404, 40])
    expect((await call(user, 'DELETE', '/devices')).body.data).toBe(true)
    expect((await listed(user)).total).toBe(0)
    const { body } = await service.customer(user, 'GET', '/profile/notifications')
    const told = body.data.filter((notice: { content: string }) => /лимит устройств/.test(notice.content))
    expect(told).toHaveLength(1)
  })

  test('two apps that race for the last place: one gets it', async () => {
    const { user } = await customer()
    await call(user, 'PATCH', '/limits', { device_limit: 3 })
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => titles(user, device(n))))
    expect(answers.filter((entries) => entries.length === 3)).toHaveLength(3)
    expect((await listed(user)).total).toBe(3)
  })

  test('a new link revokes them all', async () => {
    const { user } = await customer()
    await call(user, 'PATCH', '/limits', { device_limit: 1 })
    await titles(user, device(1))
    const reset = await service.customer(user, 'PATCH', '/profile/subscriptionLink')
    expect(await listed(user)).toEqual({ total: 0, devices: [] })
    const renewed = { ...user, subscription_key: reset.body.data }
    expect(await titles(renewed, device(2))).toHaveLength(3)
  })

  test('a new link gives all of an option new credentials; what is sold alone keeps its own', async () => {
    const { user } = await customer()
    const alone = await service.buy(user)
    const { id } = (await call(user, 'POST', '/configs', { protocol: 'amnezia-wg-2' })).body.data
    const proxyOf = async () => (await call(user, 'GET', `/configs/${id}/subconfig`)).body.data.connection_url
    await call(user, 'POST', `/configs/${id}/subconfig`, { protocol: 'socks5' })
    const links = async (key: string) => {
      const { body } = await service.call('GET', `/sub/${key}`, { headers: phone })
      return linksOf(body)
    }
    const [before, proxy] = [await links(user.subscription_key), await proxyOf()]
    expect(before).toHaveLength(5)
    const revisions = () =>
      service.db.selectFrom('placements').select(['access_id', 'revision']).orderBy('access_id').execute()
    const told = await revisions()
    const { body } = await service.customer(user, 'PATCH', '/profile/subscriptionLink')
    const after = await links(body.data)
    expect(new Set(before).intersection(new Set(after)).size).toBe(1)
    expect(after[0]).toBe(before[0])
    expect(await proxyOf()).not.toBe(proxy)
    const again = (await revisions()).filter(({ revision }, at) => revision !== told[at]?.revision)
    expect(again).toHaveLength(5)
    expect(again.map((row) => row.access_id)).not.toContain(alone.id)
  })

  test('a new link also renews an option that is off, which comes back with the new ones', async () => {
    const { user, option } = await customer()
    const path = `/users/${user.id}/paid-options/1`
    await service.operator('PATCH', path, { is_disabled: true, reason: 'abuse' })
    await service.customer(user, 'PATCH', '/profile/subscriptionLink')
    const ids = option.configs.map((config: { id: number }) => config.id)
    const present = async () =>
      service.db
        .selectFrom('placements')
        .select('access_id')
        .where('access_id', 'in', ids)
        .where('is_present', '=', true)
        .execute()
    expect(await present()).toEqual([])
    await service.operator('PATCH', path, { is_disabled: false, reason: 'a mistake' })
    expect(await present()).toHaveLength(3)
    const [now] = (await service.customer(user, 'GET', '/paid-options')).body.data
    expect(now.configs[0].connection_url).not.toBe(option.configs[0].connection_url)
  })

  test('says why an option is off', async () => {
    const { user } = await customer()
    const path = `/users/${user.id}/paid-options/1`
    await service.operator('PATCH', path, { is_disabled: true, reason: 'abuse' })
    expect(await titles(user, phone)).toEqual(['Белый интернет: отключено сервисом'])
    expect((await listed(user)).total).toBe(0)
    service.clock.advance(31 * 86_400)
    await service.running.runJobs()
    expect(await titles(user, phone)).toEqual([expect.stringContaining('Нет активных')])
  })
})
