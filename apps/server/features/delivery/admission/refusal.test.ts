import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import {
  hwidHeaders,
  laptop,
  linksOf,
  phone,
  subscriptionsOf,
  titleOf,
} from '../../../../../test/support/subscription.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterEach(() => decide('fingerprint'))
afterAll(() => service.stop())

const { fetchWith, rowsOf, set, buyer } = subscriptionsOf(() => service)

const decide = (unnamed_devices: string) =>
  service.operator('PATCH', '/delivery/settings', { unnamed_devices })

const announced = (headers: Headers): string =>
  Buffer.from(headers.get('announce')?.replace('base64:', '') ?? '', 'base64').toString()

const noticesOf = async (user: TestUser, language = 'ru'): Promise<string[]> => {
  const headers = { 'accept-language': language }
  const { body } = await service.customer(user, 'GET', '/profile/notifications', undefined, headers)
  return body.data.map((notice: { content: string }) => notice.content)
}

describe('who is refused', () => {
  const cases: [
    string,
    (user: TestUser) => Promise<unknown>,
    Record<string, string>,
    string[],
    RegExp,
    RegExp,
  ][] = [
    [
      'over the limit',
      (user) => set(user, { device_limit: 1 }),
      phone,
      ['x-hwid-active: true', 'x-hwid-limit: true', 'x-hwid-max-devices-reached: true'],
      /лимит устройств/i,
      /device limit/i,
    ],
    [
      'unknown',
      (user) => set(user, { block_unknown_devices: true }),
      phone,
      ['x-hwid-active: true', 'x-hwid-limit: true'],
      /новые устройства запрещены/i,
      /new devices are not allowed/i,
    ],
    [
      'blocked',
      async (user) => {
        const [device] = await rowsOf(user)
        return service.customer(user, 'PATCH', `/profile/devices/${device?.id}/blocked`, { is_blocked: true })
      },
      laptop,
      ['x-hwid-active: true', 'x-hwid-limit: true'],
      /заблокирован/i,
      /blocked/i,
    ],
    [
      'without a name where one is wanted, under a limit',
      (user) => Promise.all([set(user, { device_limit: 5 }), decide('refuse')]),
      {},
      ['x-hwid-active: true', 'x-hwid-not-supported: true'],
      /HWID/,
      /HWID/,
    ],
    [
      'without a name where one is wanted, when unknown ones are blocked',
      (user) => Promise.all([set(user, { block_unknown_devices: true }), decide('refuse')]),
      {},
      ['x-hwid-active: true', 'x-hwid-not-supported: true'],
      /HWID/,
      /HWID/,
    ],
  ]

  test.each(cases)('%s: told in both languages, nothing kept, noticed once a day', async (...given) => {
    const [, prepare, headers, expected, ru, en] = given
    const { user, url } = await buyer()
    const served = await fetchWith(user, laptop)
    await prepare(user)
    const before = await rowsOf(user)
    for (const [language, text] of [
      ['ru', ru],
      ['en', en],
    ] as const) {
      const answer = await fetchWith(user, { ...headers, 'accept-language': language })
      expect(answer.status).toBe(200)
      expect(linksOf(answer.body)).toHaveLength(1)
      expect(answer.body).not.toContain(Buffer.from(url).toString('base64').slice(0, 40))
      expect(titleOf(answer.body)).toMatch(text)
      expect(announced(answer.headers)).toBe(titleOf(answer.body))
      expect(answer.headers.get('announce')?.length).toBeLessThanOrEqual(200)
      expect(hwidHeaders(answer.headers)).toEqual(expected)
      for (const name of ['subscription-userinfo', 'profile-title', 'profile-update-interval'])
        expect(answer.headers.get(name)).toBe(served.headers.get(name))
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
    expect(await rowsOf(user)).toEqual(before)
    await Promise.all(Array.from({ length: 10 }, () => fetchWith(user, headers)))
    const told = await noticesOf(user)
    expect(told).toHaveLength(1)
    expect(told[0]).toMatch(/кабинет.*смените ссылку/s)
    await fetchWith(user, headers)
    expect(await noticesOf(user)).toEqual([])
    service.clock.advance(86_400)
    await fetchWith(user, headers)
    expect((await noticesOf(user, 'en'))[0]).toMatch(/account.*reset the subscription link/s)
  })

  test('known devices are served even under a limit lowered later; deleting makes room for a new one', async () => {
    const { user, url } = await buyer()
    const tablet = { 'x-hwid': 'tablet-0123456789' }
    for (const device of [phone, laptop]) await fetchWith(user, device)
    await set(user, { device_limit: 1 })
    for (const device of [phone, laptop]) {
      const answer = await fetchWith(user, device)
      expect(linksOf(answer.body)).toEqual([url])
      expect(hwidHeaders(answer.headers)).toEqual(['x-hwid-active: true'])
    }
    expect((await fetchWith(user, tablet)).headers.get('x-hwid-max-devices-reached')).toBe('true')
    for (const { id } of await rowsOf(user)) await service.customer(user, 'DELETE', `/profile/devices/${id}`)
    expect(linksOf((await fetchWith(user, tablet)).body)).toEqual([url])
  })

  test('blocked devices take no place', async () => {
    const user = await service.createUser()
    await fetchWith(user, phone)
    await set(user, { device_limit: 1 })
    const [device] = await rowsOf(user)
    await service.customer(user, 'PATCH', `/profile/devices/${device?.id}/blocked`, { is_blocked: true })
    expect((await fetchWith(user, laptop)).headers.get('announce')).toBeNull()
    expect((await fetchWith(user, phone)).headers.get('x-hwid-limit')).toBe('true')
  })

  test('a deleted device does not come back while unknown ones are blocked', async () => {
    const { user, url } = await buyer()
    await fetchWith(user, phone)
    await set(user, { block_unknown_devices: true })
    expect(linksOf((await fetchWith(user, phone)).body)).toEqual([url])
    const [device] = await rowsOf(user)
    await service.customer(user, 'DELETE', `/profile/devices/${device?.id}`)
    expect((await fetchWith(user, phone)).headers.get('x-hwid-limit')).toBe('true')
    await set(user, { block_unknown_devices: false })
    expect(linksOf((await fetchWith(user, phone)).body)).toEqual([url])
  })

  test('an answer kept by the app never stands in for the other', async () => {
    const { user, url } = await buyer()
    const served = await fetchWith(user, phone)
    const good = served.headers.get('etag') as string
    expect(served.headers.get('vary')).toContain('x-hwid')
    expect((await fetchWith(user, { ...phone, 'if-none-match': good })).status).toBe(304)
    const [device] = await rowsOf(user)
    const path = `/profile/devices/${device?.id}/blocked`
    await service.customer(user, 'PATCH', path, { is_blocked: true })
    for (const tag of [good, '*']) {
      const refused = await fetchWith(user, { ...phone, 'if-none-match': tag })
      expect([refused.status, refused.headers.get('etag')]).toEqual([200, null])
      expect(refused.headers.get('vary')).toContain('x-hwid')
      expect(titleOf(refused.body)).toMatch(/заблокировано/)
    }
    await service.customer(user, 'PATCH', path, { is_blocked: false })
    expect(linksOf((await fetchWith(user, phone)).body)).toEqual([url])
    expect((await fetchWith(user, { ...phone, 'if-none-match': good })).status).toBe(304)
  })
})
