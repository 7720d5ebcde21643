import type { TestService, TestUser } from './service.ts'

/** What client apps send for a subscription, and what is in the answers. */

export const phone = {
  'x-hwid': 'phone-0123456789',
  'x-device-os': 'Android',
  'x-ver-os': '14',
  'x-device-model': 'Pixel 8',
  'user-agent': 'Happ/3.5.0',
}
export const laptop = { 'x-hwid': 'laptop-0123456789', 'user-agent': 'Happ/2.1 (windows)' }

export const linksOf = (body: string): string[] => Buffer.from(body, 'base64').toString().split('\n')

export const titleOf = (body: string): string => decodeURIComponent(linksOf(body)[0]?.split('#')[1] ?? '')

export const hwidHeaders = (headers: Headers): string[] =>
  [...headers].filter(([name]) => name.startsWith('x-hwid')).map(([name, value]) => `${name}: ${value}`)

/** Fetches, settings and rows of the service a test file runs. */
export const subscriptionsOf = (serviceNow: () => TestService) => ({
  fetchWith: (user: TestUser, headers: Record<string, string> = {}) =>
    serviceNow().call('GET', `/sub/${user.subscription_key}`, { headers }),

  rowsOf: (user: TestUser) =>
    serviceNow()
      .db.selectFrom('devices as d')
      .innerJoin('subscriptions as s', 's.id', 'd.subscription_id')
      .selectAll('d')
      .where('s.user_id', '=', user.id)
      .orderBy('d.id')
      .execute(),

  set: (user: TestUser, settings: object) =>
    serviceNow().customer(user, 'PATCH', '/profile/devices/settings', settings),

  /** A customer with one configuration, and its link. */
  buyer: async () => {
    const user = await serviceNow().createUser({ balance: 1000 })
    await serviceNow().heartbeat()
    return { user, url: (await serviceNow().buy(user)).connection_url as string }
  },
})
