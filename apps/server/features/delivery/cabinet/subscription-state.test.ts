import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CustomTests, configItem, notFound } from '../../../../../test/support/custom-subscriptions.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, content: 'demo' })
})
afterAll(() => service.stop())

const state = (subscription_key: string, language = 'ru') =>
  service.call('POST', '/v1/subscription/state', {
    body: { subscription_key },
    headers: { 'accept-language': language },
  })

const customer = async (): Promise<TestUser> => {
  await service.heartbeat()
  return service.createUser({ balance: 77_777, email: `person${Math.random()}@example.com` })
}

const day = 86_400

describe('whoever has the key sees what the page shows', () => {
  test('what there is, the first to end first, and nothing of the account', async () => {
    const user = await customer()
    const order = { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 }
    await service.customer(user, 'POST', '/paid-options', order)
    service.clock.advance(day)
    await service.heartbeat()
    const config = await service.buy(user)
    const { status, body } = await state(user.subscription_key)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      title: 'Sallyport',
      status: 'active',
      expires_at: expect.any(Number),
      items: [
        { title: 'Белый интернет', expires_at: expect.any(Number), paused: null },
        { title: `🇳🇱 Нидерланды · ${config.id}`, expires_at: expect.any(Number), paused: null },
      ],
      support_url: null,
      account_url: null,
    })
    expect(body.data.expires_at).toBe(body.data.items[1].expires_at)
    expect((await state(user.subscription_key, 'en')).body.data.items[0].title).toBe('White internet')
    expect(JSON.stringify(body)).not.toMatch(/@|balance|vless:|77777/)
  })

  test('nothing yet, ended, and switched off, each at once', async () => {
    const user = await customer()
    expect((await state(user.subscription_key)).body.data).toMatchObject({
      status: 'empty',
      expires_at: null,
      items: [],
    })
    const order = { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 }
    await service.customer(user, 'POST', '/paid-options', order)
    const path = `/users/${user.id}/paid-options/1`
    await service.operator('PATCH', path, { is_disabled: true, reason: 'abuse' })
    expect((await state(user.subscription_key)).body.data).toMatchObject({
      status: 'disabled',
      items: [{ paused: 'operator' }],
    })
    const ended = await customer()
    await service.buy(ended)
    const { expires_at } = (await state(ended.subscription_key)).body.data
    service.clock.advance(30 * day)
    expect((await state(ended.subscription_key)).body.data).toMatchObject({
      status: 'expired',
      expires_at,
      items: [],
    })
  })

  test('of one that was put together, only what is in it', async () => {
    const user = await customer()
    const [one] = [await service.buy(user), await service.buy(user)]
    const { subscription_key: key } = await new CustomTests(service).made(user, configItem(one.id))
    const { body } = await state(key)
    expect(body.data).toMatchObject({ title: 'Family', status: 'active' })
    expect(body.data.items).toHaveLength(1)
  })

  test('where the operator sends people is told, and long lists stay short', async () => {
    const user = await customer()
    for (let n = 0; n < 55; n++) await service.buy(user)
    const urls = { support_url: 'https://t.me/help', account_url: 'https://example.com/me' }
    await service.operator('PATCH', '/delivery/settings', { ...urls, title: 'Мой VPN' })
    const { body } = await state(user.subscription_key)
    expect(body.data).toMatchObject({ ...urls, title: 'Мой VPN' })
    expect(body.data.items).toHaveLength(50)
    expect(JSON.stringify(body).length).toBeLessThan(8192)
    await service.operator('PATCH', '/delivery/settings', {
      support_url: null,
      account_url: null,
      title: null,
    })
  })
})

test('keys that open nothing, of blocked accounts among them, are one and the same', async () => {
  const [blocked, renewed] = [await customer(), await customer()]
  await service.operator('PATCH', `/users/${blocked.id}/blocked`, { is_blocked: true })
  await service.customer(renewed, 'PATCH', '/profile/subscriptionLink')
  for (const key of ['A'.repeat(32), blocked.subscription_key, renewed.subscription_key, 'x'])
    expect((await state(key)).body).toEqual(notFound)
  for (const key of ['', 'A'.repeat(129)]) expect((await state(key)).status).toBe(400)
})
