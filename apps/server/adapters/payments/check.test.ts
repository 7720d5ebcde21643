import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CryptoPayStandIn } from '../../../../test/support/providers/crypto-pay.ts'
import { StarsStandIn } from '../../../../test/support/providers/stars.ts'
import { StripeStandIn } from '../../../../test/support/providers/stripe.ts'
import { YooKassaStandIn } from '../../../../test/support/providers/yookassa.ts'
import { type PaymentProvider, ProviderRefusal, ProviderUnreachable } from '../../ports/payments.ts'
import { CryptoPay } from './crypto-pay/crypto-pay.ts'
import { TelegramStars } from './stars/stars.ts'
import { Stripe } from './stripe/stripe.ts'
import { YooKassa } from './yookassa/yookassa.ts'

/** Every provider says whether our credentials are good, by reads alone. */

const now = () => Math.floor(Date.now() / 1000)
const yookassa = new YooKassaStandIn()
const cryptoPay = new CryptoPayStandIn()
const telegram = new StarsStandIn(now)
const stripe = new StripeStandIn(now)
const all = [yookassa, cryptoPay, telegram, stripe]

beforeAll(() => Promise.all(all.map((one) => one.start())))
afterAll(() => Promise.all(all.map((one) => one.stop())))
beforeEach(() => {
  for (const one of all) Object.assign(one, { fault: () => 'none' }).requests.length = 0
})

const open: Record<string, (secret?: string) => PaymentProvider> = {
  yookassa: (secretKey = yookassa.secretKey) =>
    new YooKassa({ shopId: yookassa.shopId, secretKey, url: `${yookassa.url}/v3` }),
  crypto_pay: (token = cryptoPay.token) => new CryptoPay({ token, url: `${cryptoPay.url}/api` }),
  stars: (botToken = telegram.token) =>
    new TelegramStars({ botToken, webhookSecret: telegram.webhookSecret, url: telegram.url }),
  stripe: (secretKey = stripe.secretKey) =>
    new Stripe({ secretKey, webhookSecret: stripe.webhookSecret, url: stripe.url }),
}
const names = Object.keys(open)
const opened = (name: string, secret?: string) => (open[name] ?? expect.fail(name))(secret)

test.each([
  ['yookassa', { account: 'shop 100500', isTest: true, webhooks: undefined }],
  ['crypto_pay', { account: 'app 12345 (Sallyport)', isTest: true, webhooks: undefined }],
  ['stars', { account: '@stand_in_bot', isTest: undefined, webhooks: [] }],
  ['stripe', { account: 'a test account', isTest: true, webhooks: [] }],
])('%s tells whose the credentials are', async (name, account) => {
  expect(await opened(name).check()).toEqual({ problem: undefined, ...account })
})

test.each(names)('%s refuses others, without repeating them', async (name) => {
  const refusal = await opened(name, '1:wrong-secret')
    .check()
    .catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ProviderRefusal)
  expect(String(refusal)).not.toContain('wrong-secret')
})

test.each(names)('%s that does not answer is not a refusal', async (name) => {
  for (const one of all) one.fault = () => 'cut-before'
  await expect(opened(name).check()).rejects.toBeInstanceOf(ProviderUnreachable)
  for (const one of all) one.fault = () => 'error-before'
  await expect(opened(name).check()).rejects.toBeInstanceOf(ProviderUnreachable)
})

test('a shop that is not enabled takes no money', async () => {
  yookassa.shop = { ...yookassa.shop, status: 'disabled' }
  expect(await opened('yookassa').check()).toMatchObject({ problem: 'the shop is disabled' })
})

describe('where events go', () => {
  const url = 'https://vpn.example.com/webhooks/stars'

  test.each([
    [{ url: '' }, []],
    [{ url }, [{ url, problem: undefined }]],
    [
      { url, last_error_date: now() - 60, last_error_message: 'Wrong response: 403' },
      [{ url, problem: 'Telegram could not deliver: Wrong response: 403' }],
    ],
    [{ url, last_error_date: now() - 9000, last_error_message: 'Old' }, [{ url, problem: undefined }]],
    [
      { url, allowed_updates: ['message'] },
      [{ url, problem: 'allowed_updates leaves out pre_checkout_query' }],
    ],
  ])('Telegram: %j', async (info, webhooks) => {
    telegram.webhookInfo = info
    expect((await opened('stars').check()).webhooks).toEqual(webhooks)
  })

  test.each([
    [{ status: 'enabled', enabled_events: ['*'] }, undefined],
    [{ status: 'enabled', enabled_events: ['checkout.session.completed'] }, undefined],
    [{ status: 'disabled', enabled_events: ['*'] }, 'it is switched off'],
    [{ status: 'enabled', enabled_events: ['charge.updated'] }, 'it is not sent checkout.session.completed'],
  ])('Stripe: %j', async (endpoint, problem) => {
    stripe.webhookEndpoints = [{ url, ...endpoint }]
    expect((await opened('stripe').check()).webhooks).toEqual([{ url, problem }])
  })

  test('a restricted key of Stripe cannot tell', async () => {
    const error = { type: 'invalid_request_error', message: 'The provided key does not have access' }
    stripe.says = ({ path }) =>
      path === '/v1/webhook_endpoints' ? { status: 403, json: { error } } : undefined
    expect((await opened('stripe').check()).webhooks).toBeUndefined()
  })
})
