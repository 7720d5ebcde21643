import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, content: 'demo' })
  await service.heartbeat()
})
afterAll(() => service.stop())

interface Offered {
  readonly id: string
  readonly stores: { readonly url: string }[]
  readonly left_out: string[]
  readonly is_first: boolean
}

const list = (user: TestUser, platform = 'android') =>
  service.customer(user, 'GET', `/apps?platform=${platform}`)

const idsOf = async (user: TestUser, platform?: string): Promise<string[]> =>
  (await list(user, platform)).body.data.map(({ id }: Offered) => id)

const customer = () => service.createUser({ balance: 5000 })

test('the catalogue for the platform, with the links filled in by whoever shows them', async () => {
  const user = await customer()
  await service.buy(user)
  const { status, body } = await list(user, 'ios')
  expect(status).toBe(200)
  expect(body.data[0]).toEqual({
    id: 'happ',
    title: 'Happ',
    publisher: 'Flyfrog LLC',
    stores: [
      {
        title: 'App Store',
        url: 'https://apps.apple.com/ru/app/id6799917773',
        region: 'ru',
        publisher: null,
      },
      {
        title: 'App Store',
        url: 'https://apps.apple.com/app/id6504287215',
        region: 'abroad',
        publisher: 'Flyfrog LLC',
      },
    ],
    import_template: 'happ://add/{url}',
    opens_scheme: null,
    reads: 'subscription',
    left_out: [],
    names_device: 'always',
    is_first: true,
  })
  expect(body.data.filter(({ is_first }: Offered) => is_first)).toHaveLength(1)
})

test('who has nothing yet is offered what there is, and a platform has to be named', async () => {
  const user = await customer()
  for (const platform of ['ios', 'android', 'windows', 'macos', 'linux', 'tv']) {
    const { body } = await list(user, platform)
    expect(body.data.length, platform).toBeGreaterThan(0)
    expect(body.data.length, platform).toBeLessThanOrEqual(8)
    expect(JSON.stringify(body).length, platform).toBeLessThan(8192)
  }
  for (const query of ['', '?platform=toaster']) {
    const { status, body } = await service.customer(user, 'GET', `/apps${query}`)
    expect([status, body.errorCode]).toEqual([400, 3])
  }
})

test('nobody is sent to an app that carries none of it, and what it leaves out is said', async () => {
  const user = await customer()
  await service.buy(user, { protocol: 'amnezia-wg-2' })
  expect(await idsOf(user)).toEqual(['flclashx', 'flclash', 'clash-meta', 'amneziawg', 'amnezia-vpn'])
  await service.buy(user)
  const { body } = await list(user)
  expect(body.data).toHaveLength(8)
  expect(body.data[0]).toMatchObject({ id: 'happ', left_out: ['amneziawg'] })
  expect(body.data.at(-1)).toMatchObject({ id: 'flclashx', left_out: [] })
  service.clock.advance(31 * 86_400)
  expect(await idsOf(user)).toContain('happ')
  expect(await idsOf(user)).not.toContain('amneziawg')
})

test('as the operator arranged them, and apps that name their device where it is asked for', async () => {
  const user = await customer()
  await service.heartbeat()
  await service.buy(user)
  const { version } = (await service.operator('GET', '/delivery/apps')).body.data
  const arrangement = { order: ['karing', 'v2rayng'], hidden: ['happ'], added: [], version }
  expect((await service.operator('PUT', '/delivery/apps', arrangement)).status).toBe(200)
  expect((await idsOf(user)).slice(0, 3)).toEqual(['karing', 'v2rayng', 'incy'])
  await service.operator('PATCH', '/delivery/settings', { unnamed_devices: 'refuse' })
  expect(await idsOf(user)).toContain('v2rayng')
  await service.customer(user, 'PATCH', '/profile/devices/settings', { device_limit: 2 })
  expect(await idsOf(user)).toEqual(['karing', 'incy', 'v2raytun', 'flclashx'])
})
