import crypto from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  CustomTests,
  configItem,
  notFound,
  optionItem,
} from '../../../../test/support/custom-subscriptions.ts'
import { startTestService, type TestService } from '../../../../test/support/service.ts'

let service: TestService
let custom: CustomTests
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, env: { PUBLIC_URL: 'https://vpn.example.com' } })
  custom = new CustomTests(service)
})
afterAll(() => service.stop())

const key = expect.stringMatching(/^[0-9A-Za-z]{32}$/)

describe('changing one', () => {
  test.each([
    ['<script>alert(1)</script>'],
    ["'; drop table subscriptions;--"],
    ['x'.repeat(64)],
    ['👩‍👩‍👧'.repeat(12)],
  ])('a title %s is kept as it is', async (title) => {
    const user = await custom.customer()
    const made = await custom.made(user, configItem((await service.buy(user)).id))
    const { status, body } = await custom.call(user, 'PATCH', `/${made.id}/title`, { title })
    const { items: _items, ...rest } = made
    expect([status, body.data]).toEqual([200, { ...rest, title }])
    expect((await custom.call(user, 'GET')).body.data).toEqual([{ ...rest, title }])
  })

  test('items may be given back as they are shown, an index that is null with them', async () => {
    const user = await custom.customer()
    const made = await custom.made(user, configItem((await service.buy(user)).id))
    const shown = made.items.map(({ item_type, item_reference_id, item_index }: Record<string, unknown>) => ({
      item_type,
      item_reference_id,
      item_index,
    }))
    expect(shown[0].item_index).toBeNull()
    const replaced = await custom.call(user, 'PUT', `/${made.id}/items`, { items: shown })
    expect([replaced.status, replaced.body.data.items]).toEqual([200, [expect.objectContaining(shown[0])]])
    expect((await custom.create(user, shown)).status).toBe(201)
  })

  test('a new key: the old one is dead at once, with its devices and nothing else', async () => {
    const user = await custom.customer()
    const made = await custom.made(user, configItem((await service.buy(user)).id))
    const fetchBy = (by: string) =>
      service.call('GET', `/sub/${by}`, { headers: { 'x-hwid': 'device-0123456789' } })
    for (const each of [made.subscription_key, user.subscription_key])
      expect((await fetchBy(each)).status).toBe(200)
    const { status, body } = await custom.call(user, 'POST', `/${made.id}/reset-key`)
    const { items: _items, ...rest } = made
    expect([status, body.statusCode, body.data]).toEqual([201, 201, { ...rest, subscription_key: key }])
    expect(body.data.subscription_key).not.toBe(made.subscription_key)
    expect((await fetchBy(made.subscription_key)).status).toBe(404)
    expect((await custom.call(user, 'GET', `/${made.id}/devices`)).body.data.total).toBe(0)
    expect((await service.customer(user, 'GET', '/profile/devices')).body.data.total).toBe(1)
    for (const each of [body.data.subscription_key, user.subscription_key])
      expect((await fetchBy(each)).status).toBe(200)
    const events = await service.db
      .selectFrom('account_events')
      .select('details')
      .where('user_id', '=', user.id)
      .where('kind', '=', 'subscription_key_changed')
      .execute()
    expect(events).toEqual([{ details: { subscription_id: made.id } }])
  })

  test('deleting one: its key is dead at once, and what it held is still there', async () => {
    const user = await custom.customer()
    const config = await service.buy(user)
    const [one, other] = [
      await custom.made(user, configItem(config.id)),
      await custom.made(user, configItem(config.id)),
    ]
    await custom.call(user, 'PATCH', `/${one.id}/xray-template/settings`, { enabled: true })
    const { status, body } = await custom.call(user, 'DELETE', `/${one.id}`)
    expect([status, body.data]).toEqual([200, true])
    expect((await service.call('GET', `/sub/${one.subscription_key}`)).status).toBe(404)
    expect((await service.call('GET', `/sub/${other.subscription_key}`)).status).toBe(200)
    expect((await custom.call(user, 'DELETE', `/${one.id}`)).body).toEqual(notFound)
    expect((await custom.call(user, 'GET')).body.data.map((each: { id: number }) => each.id)).toEqual([
      other.id,
    ])
    expect((await service.customer(user, 'GET', '/configs')).body.data).toHaveLength(1)
  })

  test('the account’s own subscription, and that of an option, are none', async () => {
    const user = await custom.customer()
    await custom.option(user)
    const rows = await service.db
      .selectFrom('subscriptions')
      .select(['id', 'kind', 'key_hash'])
      .where('user_id', '=', user.id)
      .execute()
    expect(rows.map((row) => row.kind).sort()).toEqual(['account', 'paid_option'])
    for (const { id } of rows) {
      const answers = [
        await custom.call(user, 'GET', `/${id}`),
        await custom.call(user, 'PATCH', `/${id}/title`, { title: 'Mine' }),
        await custom.call(user, 'PUT', `/${id}/items`, { items: [optionItem()] }),
        await custom.call(user, 'POST', `/${id}/reset-key`),
        await custom.call(user, 'DELETE', `/${id}`),
        await custom.call(user, 'GET', `/${id}/encrypted-subscription-link`),
        await custom.call(user, 'GET', `/${id}/xray-template`),
        await custom.call(user, 'PATCH', `/${id}/xray-template/settings`, { enabled: true }),
        await custom.call(user, 'GET', `/${id}/devices`),
        await custom.call(user, 'PATCH', `/${id}/devices/settings`, { device_limit: 1 }),
        await custom.call(user, 'DELETE', `/${id}/devices`),
      ]
      for (const { body } of answers) expect(body).toEqual(notFound)
    }
    const after = await service.db
      .selectFrom('subscriptions')
      .select(['id', 'kind', 'key_hash'])
      .where('user_id', '=', user.id)
      .execute()
    expect(after).toEqual(rows)
  })
})

test('the link for Happ is made here, anew each time, of the subscription’s address', async () => {
  const user = await custom.customer()
  const made = await custom.made(user, configItem((await service.buy(user)).id))
  const ask = async () =>
    (await custom.call(user, 'GET', `/${made.id}/encrypted-subscription-link`)).body.data
  // Happ alone can read it, so it is looked at on its way in.
  const encrypt = vi.spyOn(crypto, 'publicEncrypt')
  onTestFinished(() => encrypt.mockRestore())
  const links = [await ask(), await ask()]
  for (const link of links) {
    expect(link).toMatch(/^happ:\/\/crypt4\/[0-9A-Za-z+/]+=*$/)
    expect(Buffer.from(link.slice('happ://crypt4/'.length), 'base64')).toHaveLength(512)
  }
  expect(links[0]).not.toBe(links[1])
  const address = `https://vpn.example.com/sub/${made.subscription_key}`
  expect(encrypt.mock.calls.map(([, text]) => String(text))).toEqual([address, address])
})
