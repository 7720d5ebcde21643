import type { Role } from '@sallyport/contract/operation'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CloudTests } from '../../../../../../test/support/cloud-servers.ts'
import { sellByHand } from '../../../../../../test/support/machines.ts'
import { addLocation, enrolNode } from '../../../../../../test/support/node.ts'
import { accountOf } from '../../../../../../test/support/people/account.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../../test/support/service.ts'
import { createOperator } from '../../../../core/operators/operators.ts'

let service: TestService
let account: ReturnType<typeof accountOf>
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  account = accountOf(service)
})
beforeEach(() => service.heartbeat())
afterEach(async () => expect(await account.broken({ isAtRest: false })).toEqual([]))
afterAll(() => service.stop())

const day = 86_400
const config = {
  product_type: 'configs',
  location_id: 1,
  protocol: 'vless',
  days: 30,
  reason: 'a mistake of ours',
}
const option = { product_type: 'paid_options', product_id: 1, days: 30, reason: 'a mistake of ours' }
const machine = {
  product_type: 'cloud_servers',
  product_id: 1,
  location_id: 1,
  days: 30,
  reason: 'a mistake of ours',
}
const grant = (user: { readonly id: number }, body: object, headers: Record<string, string> = {}) =>
  service.call('POST', `/operator/v1/users/${user.id}/grants`, {
    token: service.operatorToken,
    body,
    headers,
  })
const granted = async (user: TestUser, body: object) => {
  const answer = await grant(user, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data as { item_id: number; expires_at: number }
}
const get = async (user: TestUser, path: string) => (await service.customer(user, 'GET', path)).body.data
const ordersOf = async (user: TestUser) =>
  (await service.operator('GET', `/payments?user_id=${user.id}`)).body.data
const notes = async (user: TestUser, language = 'ru'): Promise<string[]> => {
  const headers = { 'accept-language': language }
  const { body } = await service.customer(user, 'GET', '/profile/notifications', undefined, headers)
  return body.data.map((note: { content: string }) => note.content.replaceAll('\u00a0', ' '))
}

describe('a configuration', () => {
  test('is there as if it were bought; the books, the lists and the customer know that it is a gift', async () => {
    const user = await service.createUser()
    const given = await granted(user, config)
    const [shown] = await get(user, '/configs')
    expect(shown).toMatchObject({
      id: given.item_id,
      protocol: 'vless',
      location_id: 1,
      expires_at: given.expires_at,
      auto_renewal: false,
    })
    expect(given.expires_at - service.clock.now()).toBeGreaterThan(30 * day - 60)
    const [order] = await ordersOf(user)
    expect(order).toMatchObject({
      state: 'fulfilled',
      is_gift: true,
      method: 'gift',
      amount: 0,
      value_rub: 0,
      days: 30,
      item_id: given.item_id,
    })
    const whole = (await service.operator('GET', `/payments/${order.id}`)).body.data
    expect(whole.transfers).toEqual([
      expect.objectContaining({
        kind: 'gift',
        from: 'promocode_expense',
        to: 'revenue',
        amount: 200,
      }),
    ])
    expect(await get(user, '/profile/payments-history')).toEqual([
      expect.objectContaining({ type: 'new_config', method: 'gift', amount: null, days: 30, is_paid: true }),
    ])
    expect(await account.money(user)).toEqual([0, 0])
    expect(await notes(user)).toEqual(['Подарок от поддержки: VPN-подключение на 30 дней.'])
    const { body } = await service.operator('GET', `/audit?action=grantProduct&subject=user:${user.id}`)
    expect(body.data[0].details).toEqual({
      after: { ...config, reason: undefined, order_id: order.id, ...given },
      reason: config.reason,
    })
  })

  test('of a length that nobody sells is in the books for as much a day as the nearest that is sold', async () => {
    const user = await service.createUser()
    await granted(user, { ...config, days: 17 })
    const [order] = await ordersOf(user)
    expect((await service.operator('GET', `/payments/${order.id}`)).body.data.transfers).toEqual([
      expect.objectContaining({ kind: 'gift', amount: Math.round((200 * 17) / 30) }),
    ])
    expect(await notes(user, 'en')).toEqual(['A gift from support: VPN connection for 17 days.'])
  })

  test('takes a slot as a purchase does; a full location is 409, and nothing is left of it', async () => {
    const locationId = await addLocation(service)
    const node = await enrolNode(service, locationId, { capacity: 2 })
    await node.report()
    const users = await Promise.all(Array.from({ length: 5 }, () => service.createUser()))
    const answers = await Promise.all(
      users.map((user) => grant(user, { ...config, location_id: locationId })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409])
    expect(answers.filter(({ body }) => body.errorCode === 22)).toHaveLength(3)
    const orders = await Promise.all(users.map(ordersOf))
    expect(orders.flat()).toHaveLength(2)
    const unknown = await grant(users[0] as TestUser, { ...config, location_id: 999_999 })
    expect([unknown.status, unknown.body.errorCode]).toEqual([409, 22])
  })

  test('is renewed and renews itself as any other', async () => {
    const user = await service.createUser({ balance: 1000 })
    const { item_id: id, expires_at: end } = await granted(user, { ...config, days: 17 })
    const renewal = { payment_method_id: 1, tariff_id: 1 }
    const answer = await service.customer(user, 'POST', `/configs/renewal/${id}`, renewal)
    expect(answer.body.data.expires_at).toBe(end + 30 * day)
    const [order] = await ordersOf(user)
    const path = `/payments/${order.id}/refund`
    expect((await service.operator('POST', path, { to: 'balance', reason: 'asked' })).status).toBe(201)
    expect((await get(user, '/configs'))[0].expires_at).toBe(end)
  })
})

describe('an option', () => {
  test('is opened, and given again it is prolonged', async () => {
    const user = await service.createUser()
    const first = await granted(user, option)
    const second = await granted(user, { ...option, days: 5 })
    expect(second).toEqual({ item_id: first.item_id, expires_at: first.expires_at + 5 * day })
    const [shown] = await get(user, '/paid-options')
    expect(shown).toMatchObject({ option_id: 1, expires_at: second.expires_at })
    const orders = await ordersOf(user)
    expect(orders.map((order: { is_renewal: boolean }) => order.is_renewal)).toEqual([true, false])
    expect(await notes(user)).toEqual([
      'Подарок от поддержки: Пакет серверов на 30 дней.',
      'Подарок от поддержки: Продление пакета на 5 дней.',
    ])
  })

  test('that is switched off for the customer, or off sale, is 409; an unknown one 404', async () => {
    const user = await service.createUser()
    await granted(user, option)
    const path = `/users/${user.id}/paid-options/1`
    await service.operator('PATCH', path, { is_disabled: true, reason: 'abuse' })
    const off = await grant(user, option)
    expect([off.status, off.body.errorCode]).toEqual([409, 6])
    expect(off.body.details[0].path).toBe('product_id')
    await service.operator('PATCH', '/paid-options/2', { is_active: false })
    const unsold = await grant(user, { ...option, product_id: 2 })
    expect([unsold.status, unsold.body.errorCode]).toEqual([409, 6])
    await service.operator('PATCH', '/paid-options/2', { is_active: true })
    const unknown = await grant(user, { ...option, product_id: 999 })
    expect([unknown.status, unknown.body.errorCode]).toEqual([404, 1])
  })
})

describe('a cloud server', () => {
  test('is looked for and comes up', async () => {
    const user = await service.createUser()
    const clouds = new CloudTests(service)
    const { item_id: id, expires_at: end } = await granted(user, machine)
    await clouds.pass()
    expect(await clouds.list(user)).toEqual([expect.objectContaining({ id, status: 'active' })])
    expect(end).toBeGreaterThan(service.clock.now() + 29 * day)
  })

  test('that nobody has is taken out of the books, and no money is given for it', async () => {
    const user = await service.createUser()
    const { order, cloudId } = await sellByHand(service)
    await granted(user, { ...machine, product_id: order.tariff_config_id })
    const [made] = await ordersOf(user)
    await service.running.runJobs()
    await service.operator('PATCH', `/clouds/${cloudId}`, { is_active: false })
    for (let at = 0; at < 8; at++) {
      service.clock.advance(day)
      await service.heartbeat()
      await service.running.runJobs()
    }
    const { state, refunds, transfers } = (await service.operator('GET', `/payments/${made.id}`)).body.data
    expect([state, refunds]).toEqual(['refunded', []])
    expect(transfers.map(({ from, to }: { from: string; to: string }) => [from, to])).toEqual([
      ['promocode_expense', 'revenue'],
      ['revenue', 'promocode_expense'],
    ])
    expect(await account.money(user)).toEqual([0, 0])
  })

  test('of an unknown configuration is 404, where none is offered 409', async () => {
    const user = await service.createUser()
    const unknown = await grant(user, { ...machine, product_id: 999_999 })
    expect([unknown.status, unknown.body.errorCode]).toEqual([404, 1])
    const nowhere = await grant(user, { ...machine, location_id: 999_999 })
    expect([nowhere.status, nowhere.body.errorCode]).toEqual([409, 22])
  })
})

describe('refunds and days', () => {
  test('a gift is not refunded, and its days can be taken', async () => {
    const user = await service.createUser()
    const { item_id } = await granted(user, config)
    const [order] = await ordersOf(user)
    for (const to of ['balance', 'source']) {
      const answer = await service.operator('POST', `/payments/${order.id}/refund`, { to, reason: 'asked' })
      expect([answer.status, answer.body.errorCode]).toEqual([409, 6])
      expect(answer.body.details).toEqual([
        { path: 'id', problem: 'it was given without payment: take its days instead' },
      ])
    }
    const term = await service.db
      .selectFrom('terms')
      .select('id')
      .where('item_id', '=', item_id)
      .where('product', '=', 'configs')
      .executeTakeFirstOrThrow()
    await service.operator('POST', `/terms/${term.id}/days`, { days: -3650, reason: 'given by mistake' })
    await service.running.runJobs()
    const rows = await service.db.selectFrom('terms').select('state').where('id', '=', term.id).execute()
    expect(rows).toEqual([{ state: 'expired' }])
  })

  test('a gift brings nobody a commission', async () => {
    const referrer = await service.createUser()
    const user = await service.createUser({ referral_code: referrer.referral_code })
    await granted(user, config)
    service.clock.advance(60 * day)
    await service.heartbeat()
    await service.running.runJobs()
    expect(await account.money(referrer)).toEqual([0, 0])
  })
})

describe('what is refused', () => {
  test.each([
    [{ ...config, days: 0 }, 'days'],
    [{ ...config, days: 3651 }, 'days'],
    [{ ...config, reason: '' }, 'reason'],
    [{ ...config, reason: undefined }, 'reason'],
    [{ ...config, product_type: 'balance' }, 'product_type'],
    [{ ...config, location_id: undefined }, 'location_id'],
    [{ ...config, protocol: undefined }, 'protocol'],
    [{ ...config, protocol: 'mtproto' }, 'protocol'],
    [{ ...config, product_id: 1 }, 'product_id'],
    [{ ...option, product_id: undefined }, 'product_id'],
    [{ ...option, location_id: 1 }, 'location_id'],
    [{ ...option, protocol: 'vless' }, 'protocol'],
    [{ ...machine, product_id: undefined }, 'product_id'],
    [{ ...machine, location_id: undefined }, 'location_id'],
    [{ ...machine, protocol: 'vless' }, 'protocol'],
    [{ ...config, gift: true }, 'gift'],
  ])('%j', async (body, path) => {
    const answer = await grant(await service.createUser(), body)
    expect([answer.status, answer.body.errorCode]).toEqual([400, 3])
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path)
  })

  test('whoever is not there, or is gone', async () => {
    expect(await grant({ id: 999_999_999 }, config)).toMatchObject({ status: 404, body: { errorCode: 1 } })
    const user = await service.createUser()
    await account.erase(user)
    expect(await grant(user, config)).toMatchObject({ status: 404, body: { errorCode: 1 } })
  })

  test('every role but the owner', async () => {
    const user = await service.createUser()
    const path = `/operator/v1/users/${user.id}/grants`
    for (const role of ['support', 'finance', 'technician', 'owner'] as const satisfies readonly Role[]) {
      const token = await createOperator(service.db, { name: role, role, now: service.clock.now() })
      const { status } = await service.call('POST', path, { token, body: config })
      expect(status, role).toBe(role === 'owner' ? 201 : 403)
    }
  })

  test('the same key gives once; with another body it is a conflict', async () => {
    const user = await service.createUser()
    const key = { 'idempotency-key': `grant-${user.id}` }
    const answers = await Promise.all(Array.from({ length: 4 }, () => grant(user, config, key)))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size).toBe(1)
    expect(await ordersOf(user)).toHaveLength(1)
    expect((await grant(user, { ...config, days: 31 }, key)).status).toBe(409)
  })
})
