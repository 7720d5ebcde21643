import type { ProfileExport } from '@sallyport/contract/customer/export'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CabinetPerson } from '../../../../../test/support/people/cabinet.ts'
import { PasskeyPage } from '../../../../../test/support/people/passkeys.ts'
import { botToken } from '../../../../../test/support/people/telegram.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ env: { TELEGRAM_BOT_TOKEN: botToken } })
})
afterAll(() => service.stop())
beforeEach(() => service.clock.advance(60))

const ask = (token: string, headers: Record<string, string> = {}) =>
  service.call('GET', '/v1/profile/export', { token, headers })
const whole = async ({ session_token: token }: TestUser, headers?: Record<string, string>) => {
  const answer = await ask(token, headers)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data as ProfileExport
}

const phone = { 'x-hwid': 'export-phone', 'x-device-os': 'Android', 'user-agent': 'Happ/2.18.3' }

test('has everything of the account, and no key, code or credential', async () => {
  await service.heartbeat()
  const referrer = await service.createUser({ email: 'olga@example.com' })
  const email = 'export.friend@example.com'
  const user = await service.createUser({ email, balance: 50_000, referral_code: referrer.referral_code })
  const now = service.clock.now()
  const config = await service.buy(user)
  await service.customer(user, 'PATCH', `/configs/title/${config.id}`, { title: 'Laptop' })
  const key = { as_key: true, payment_method_id: 1, tariff_id: usualOrder.tariff_id }
  await service.customer(user, 'POST', '/configs', key)
  await service.customer(user, 'POST', '/paid-options', {
    paid_option_id: 1,
    payment_method_id: 1,
    tariff_id: 11,
  })
  await service.customer(user, 'POST', '/cloud-servers', {
    location_id: 1,
    payment_method_id: 1,
    tariff_id: 31,
  })
  const items = [{ item_type: 'paid_option', item_reference_id: 1 }]
  const custom = await service.customer(user, 'POST', '/profile/custom-subscriptions', {
    title: 'Family',
    items,
  })
  await service.call('GET', `/sub/${user.subscription_key}`, { headers: phone })
  await new PasskeyPage(service).register(user)
  const made = await service.call('POST', '/v1/profile/api-keys', {
    token: user.session_token,
    body: { title: 'Home' },
  })
  await service.operator('POST', `/users/${user.id}/notifications`, { content: 'Hello' })
  await service.operator('POST', `/users/${user.id}/pricing-rules`, { type: 'configs', percent: -10 })
  const identity = { user_id: user.id, provider: 'telegram', subject: '5000000009', created_at: now }
  await service.db.insertInto('identities').values(identity).execute()
  const card = {
    user_id: user.id,
    amount: 1000,
    status: 'paid',
    method: 'card',
    account_masked: '2200 **** 0004',
  }
  await service.db
    .insertInto('withdrawals')
    .values({ ...card, account_sealed: null, bank_id: null, created_at: now } as never)
    .execute()

  const all = await whole(user, { 'accept-language': 'en' })
  expect(all.profile).toMatchObject({
    id: user.id,
    email,
    was_invited: true,
    referral_code: user.referral_code,
  })
  expect(all.notification_settings).toMatchObject({ renewal_reminders: true })
  expect(all.identities).toMatchObject([{ provider: 'telegram', subject: '5000000009' }])
  expect(all.passkeys).toHaveLength(1)
  expect(all.api_keys.map(({ title }) => title)).toEqual(['Home', null])
  expect(all.sessions).toMatchObject([{ is_current: true }])
  expect(all.pricing_rules).toMatchObject([{ type: 'configs', percent: -10 }])
  expect(all.purchases.map(({ product_type }) => product_type)).toEqual([
    'cloud_servers',
    'paid_options',
    'configs',
  ])
  expect(all.purchases[2]).toMatchObject({
    title: 'Laptop',
    is_active: true,
    configurations: [{ id: config.id, protocol: 'vless', traffic: { up: 0, down: 0 } }],
  })
  expect(all.subscriptions).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'account' }),
      expect.objectContaining({ kind: 'custom', title: 'Family', items }),
    ]),
  )
  // The phone fetched the account's link, and with it that of the option.
  expect(all.devices.map(({ device_type }) => device_type)).toEqual(['android', 'android'])
  expect(all.payments).toHaveLength(4)
  expect(all.payments[0]).toMatchObject({ product_type: 'cloud_servers', method: 'balance', currency: 'RUB' })
  expect(all.withdrawals).toMatchObject([{ account: '2200 **** 0004' }])
  expect(all.promocodes).toMatchObject([{ product_type: 'configs', used_at: null }])
  expect(all.notifications).toContainEqual(expect.objectContaining({ content: 'Hello' }))
  expect(all.events.length).toBeGreaterThan(0)
  expect(all.cut_lists).toEqual([])

  const text = JSON.stringify(all)
  const profile = (await service.customer(user, 'GET', '/profile')).body.data
  const codes = (await service.customer(user, 'GET', '/profile/promocodes')).body.data
  const secrets = [
    user.subscription_key,
    custom.body.data.subscription_key,
    user.api_key.slice(13),
    made.body.data.api_key.slice(13),
    profile.uuid,
    codes[0].code,
    user.session_token,
    phone['x-hwid'],
    'sealed',
    'hash',
  ]
  for (const secret of secrets) expect(text).not.toContain(secret)
  const taken = (await service.customer(user, 'GET', '/profile/notifications')).body.data
  expect(taken).toContainEqual(expect.objectContaining({ content: 'Hello' }))
})

test('has nothing of others: friends are masked', async () => {
  const referrer = await service.createUser({ email: 'masked.referrer@example.com' })
  const email = 'very.long.friend@example.com'
  const friend = await service.createUser({ email, balance: 10_000, referral_code: referrer.referral_code })
  await service.heartbeat()
  const { link } = (
    await service.customer(friend, 'POST', '/configs', { ...usualOrder, payment_method_id: 2 })
  ).body.data
  await service.call('POST', new URL(link).pathname, { body: { action: 'pay' } })
  await service.running.runJobs()
  const all = await whole(referrer)
  expect(all.referral_earnings).toHaveLength(1)
  expect(JSON.stringify(all)).not.toContain(email)
  expect(all.referral_earnings[0]?.email).toBe('v•••@example.com')
  expect([all.purchases, all.payments, all.devices]).toEqual([[], [], []])
})

test('says which lists are longer than it may be', async () => {
  const user = await service.createUser()
  await service.db
    .insertInto('account_events')
    .values(
      Array.from({ length: 1001 }, (_, at) => ({
        user_id: user.id,
        kind: 'signed_in',
        details: JSON.stringify({ method: `m${at}` }),
        created_at: at,
      })),
    )
    .execute()
  const { events, cut_lists } = await whole(user)
  expect([events.length, events[0]?.method, cut_lists]).toEqual([1000, 'm1000', ['events']])
})

test('is for sessions alone, twice a minute; a link of our page downloads it', async () => {
  const user = await service.createUser()
  expect((await ask(user.api_key)).status).toBe(403)
  for (const status of [200, 200, 429]) expect((await ask(user.session_token)).status).toBe(status)
  const person = new CabinetPerson(service)
  await person.signIn()
  const followed = (site: string) =>
    service.call('GET', '/v1/profile/export', { headers: { ...person.bare, 'sec-fetch-site': site } })
  expect([(await followed('same-origin')).status, (await followed('cross-site')).status]).toEqual([200, 401])
})

test('what operators noted about somebody is theirs to read, unless it is marked internal', async () => {
  const user = await service.createUser()
  const note = async (body: object) => {
    expect((await service.operator('PATCH', `/users/${user.id}`, body)).status).toBe(200)
    return (await whole(user)).profile.operator_note
  }
  expect(await note({ note: 'Writes in the evening' })).toBe('Writes in the evening')
  service.clock.advance(60)
  expect(await note({ is_note_internal: true })).toBeNull()
  const { body } = await service.operator('GET', `/users/${user.id}`)
  expect(body.data).toMatchObject({ note: 'Writes in the evening', is_note_internal: true, version: 3 })
})
