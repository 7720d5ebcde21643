import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const path = '/profile/custom-subscriptions'
const ask = async (user: TestUser, method: string, rest: string, body?: unknown) => {
  const answer = await service.customer(user, method, `${path}${rest}`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body.data
}
const linksOf = async (key: string, headers: Record<string, string> = {}): Promise<string[]> => {
  const { body } = await service.call('GET', `/sub/${key}?format=links`, { headers })
  return String(body).split('\n')
}
const own = (id: number) => ({ item_type: 'user_config', item_reference_id: id })

const withThree = async () => {
  const user = await service.createUser({ balance: 10_000 })
  const bought = [await service.buy(user), await service.buy(user), await service.buy(user)]
  return { user, bought }
}

test('what was chosen, in the order it was chosen in, under its own title', async () => {
  const { user, bought } = await withThree()
  const items = [own(bought[2].id), own(bought[0].id)]
  const made = await ask(user, 'POST', '', { title: 'Дача 🏡', items })
  expect(await linksOf(made.subscription_key)).toEqual([bought[2].connection_url, bought[0].connection_url])
  const { headers } = await service.call('GET', `/sub/${made.subscription_key}`)
  expect(headers.get('profile-title')).toBe(`base64:${Buffer.from('Дача 🏡').toString('base64')}`)
  await ask(user, 'PUT', `/${made.id}/items`, { items: [own(bought[1].id)] })
  expect(await linksOf(made.subscription_key)).toEqual([bought[1].connection_url])
  await ask(user, 'PATCH', `/${made.id}/title`, { title: 'Work' })
  const renamed = await service.call('GET', `/sub/${made.subscription_key}`)
  expect(renamed.headers.get('profile-title')).toBe(`base64:${Buffer.from('Work').toString('base64')}`)
})

test('a whole option in the order of its indexes, or one of it', async () => {
  const user = await service.createUser({ balance: 10_000 })
  await service.customer(user, 'POST', '/paid-options', {
    paid_option_id: 1,
    payment_method_id: 1,
    tariff_id: 11,
  })
  // The option counts devices.
  const phone = { 'x-hwid': 'phone-of-the-owner' }
  const account = await linksOf(user.subscription_key, phone)
  expect(account.length).toBeGreaterThan(1)
  const whole = await ask(user, 'POST', '', {
    title: 'All',
    items: [{ item_type: 'paid_option', item_reference_id: 1 }],
  })
  expect(await linksOf(whole.subscription_key, phone)).toEqual(account)
  const second = await ask(user, 'POST', '', {
    title: 'One',
    items: [{ item_type: 'paid_option_index', item_reference_id: 1, item_index: 1 }],
  })
  expect(await linksOf(second.subscription_key, phone)).toEqual([account[1]])
})

test('nothing of what ended, was deleted, or is somebody else’s now', async () => {
  const { user, bought } = await withThree()
  const made = await ask(user, 'POST', '', { title: 'All', items: bought.map(({ id }) => own(id)) })
  const stranger = await service.createUser()
  await service.db
    .updateTable('terms')
    .set({ user_id: stranger.id })
    .where('item_id', '=', bought[0].id)
    .where('product', '=', 'configs')
    .execute()
  expect(await linksOf(made.subscription_key)).toEqual([bought[1].connection_url, bought[2].connection_url])
  service.clock.advance(bought[2].expires_at - service.clock.now())
  expect(await linksOf(made.subscription_key)).toEqual([expect.stringMatching(/^vless:.*127\.0\.0\.1:1\?/)])
})

test('a key that was reset or deleted is the same 404 as any other', async () => {
  const { user, bought } = await withThree()
  const made = await ask(user, 'POST', '', { title: 'All', items: [own(bought[0].id)] })
  const reset = await ask(user, 'POST', `/${made.id}/reset-key`)
  const gone = await service.call('GET', `/sub/${made.subscription_key}`)
  expect([gone.status, gone.body]).toEqual([404, 'Not found\n'])
  expect(await linksOf(reset.subscription_key)).toEqual([bought[0].connection_url])
  await ask(user, 'DELETE', `/${made.id}`)
  expect((await service.call('GET', `/sub/${reset.subscription_key}`)).status).toBe(404)
})

test('Xray’s JSON by the customer’s template, for apps that take it, while it is on', async () => {
  const { user, bought } = await withThree()
  const made = await ask(user, 'POST', '', { title: 'All', items: [own(bought[0].id)] })
  const fetched = async (userAgent = 'Happ/3.5.0') =>
    (await service.call('GET', `/sub/${made.subscription_key}`, { headers: { 'user-agent': userAgent } }))
      .body
  const before = await fetched()
  expect(typeof before).toBe('string')
  const template = JSON.parse(await ask(user, 'GET', `/${made.id}/xray-template`))
  await ask(user, 'PUT', `/${made.id}/xray-template`, {
    template: JSON.stringify({ ...template, log: { loglevel: 'error' } }),
  })
  expect(await fetched()).toBe(before)
  await ask(user, 'PATCH', `/${made.id}/xray-template/settings`, { enabled: true })
  expect(await fetched()).toMatchObject([{ log: { loglevel: 'error' } }])
  expect(await fetched('Shadowrocket/2.2.62')).toBe(before)
  await ask(user, 'DELETE', `/${made.id}/xray-template`)
  expect(await fetched()).not.toMatchObject([{ log: { loglevel: 'error' } }])
})

test('devices are its own, and not the account’s', async () => {
  const { user, bought } = await withThree()
  const made = await ask(user, 'POST', '', { title: 'All', items: [own(bought[0].id)] })
  await ask(user, 'PATCH', `/${made.id}/devices/settings`, { device_limit: 1 })
  const [first, second] = [{ 'x-hwid': 'first-device-123' }, { 'x-hwid': 'second-device-12' }]
  expect(await linksOf(made.subscription_key, first)).toEqual([bought[0].connection_url])
  expect(decodeURIComponent((await linksOf(made.subscription_key, second))[0] ?? '')).toMatch(
    /Лимит устройств/,
  )
  expect(await linksOf(user.subscription_key, second)).toHaveLength(3)
})
