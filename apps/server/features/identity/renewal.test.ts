import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CloudTests } from '../../../../test/support/cloud-servers.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const renewAll = (user: TestUser, token = user.session_token) =>
  service.call('POST', '/v1/profile/resetCredentials', { token })

describe('POST /profile/resetCredentials', () => {
  test('everything that the account has, of whatever product, on or off', async () => {
    const user = await service.createUser({ balance: 100_000 })
    const stranger = await service.createUser({ balance: 1000 })
    const foreign = await service.buy(stranger)
    const clouds = new CloudTests(service)
    const { id: machine } = await clouds.active(user)
    await service.customer(user, 'POST', '/paid-options', {
      paid_option_id: 1,
      payment_method_id: 1,
      tariff_id: 11,
    })
    const [first, second] = [await service.buy(user), await service.buy(user, { protocol: 'wg' })]
    await service.customer(user, 'POST', `/configs/${first.id}/subconfig`, { protocol: 'http' })
    await clouds.call(user, 'POST', `/${machine}/configs`, { protocol: 'mtproto' })
    await clouds.call(user, 'POST', `/${machine}/proxies`, { protocol: 'socks5' })
    const ended = await service.buy(user)
    await service.db
      .updateTable('terms')
      .set({ expires_at: service.clock.now() - 5 })
      .where('item_id', '=', ended.id)
      .where('product', '=', 'configs')
      .execute()
    await service.running.runJobs()
    const get = async (path: string) => (await service.customer(user, 'GET', path)).body.data
    const paths = [
      '/configs',
      '/paid-options',
      `/cloud-servers/${machine}/configs`,
      `/cloud-servers/${machine}/proxies`,
      `/configs/${first.id}/subconfig`,
    ]
    const links = async (): Promise<string[]> => {
      const all = JSON.stringify(await Promise.all(paths.map(get)))
      return [...all.matchAll(/"connection_url":"([^"]+)"/g)].map(([, link]) => link as string)
    }
    const before = await links()
    // Three configurations sold alone, three of the option, two on the machine, and the proxy beside one.
    expect(before).toHaveLength(9)
    expect((await renewAll(user)).body).toMatchObject({ statusCode: 200, data: 8 })
    const after = await links()
    expect(after).toHaveLength(9)
    expect(new Set(before).intersection(new Set(after))).toEqual(new Set())
    expect((await service.customer(stranger, 'GET', '/configs')).body.data[0].connection_url).toBe(
      foreign.connection_url,
    )
    expect((await get('/profile')).subscription_key).toBe(user.subscription_key)
    const off = await service.db
      .selectFrom('placements')
      .select('is_present')
      .where('access_id', '=', ended.id)
      .execute()
    expect(off.map((row) => row.is_present)).not.toContain(true)
    expect(second.protocol).toBe('wg')
  })

  test('nothing of an empty account; not with an API key, nor after signing out', async () => {
    const user = await service.createUser()
    expect((await renewAll(user)).body.data).toBe(0)
    expect((await renewAll(user, user.api_key)).body).toMatchObject({ statusCode: 403, errorCode: 4 })
    await service.call('POST', '/v1/auth/logoutAll', { token: user.session_token })
    expect((await renewAll(user)).status).toBe(401)
  })

  test('together with everything else that holds the same: nobody waits for ever', async () => {
    const user = await service.createUser({ balance: 100_000 })
    const [first, second] = [await service.buy(user), await service.buy(user)]
    const call = (method: string, path: string, body?: object) => service.customer(user, method, path, body)
    const bridge = { first_config_id: second.id, second_config_id: first.id }
    await call('POST', '/configs/makeBridge', bridge)
    const settings = { location_id: 1, protocol: 'vless' }
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => [
        renewAll(user),
        call('PATCH', '/profile/subscriptionLink'),
        call('POST', `/configs/${first.id}/resetCredentials`),
        call('PATCH', `/configs/${first.id}/settings`, settings),
        call('POST', '/configs/makeBridge', bridge),
      ]).flat(),
    )
    expect([...new Set(answers.map((answer) => answer.status))].sort()).toEqual([200, 201])
  })
})
