import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../test/support/service.ts'
import { settleRefunded } from '../../core/settlement/outside-refunds.ts'
import { settleReceived } from '../../core/settlement/settlement.ts'

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(async () => {
  await service.heartbeat()
  user = await service.createUser({ balance: 1000 })
})
afterAll(() => service.stop())

interface Waiting {
  readonly link: string
  readonly payment_id: number
}

const sbp = { ...usualOrder, payment_method_id: 2 }
const order = async (path: string, body: object): Promise<Waiting> => {
  const answer = await service.customer(user, 'POST', path, body)
  expect(answer.body.status).toBe(true)
  return answer.body.data
}
const show = (id: number, language = 'en', by = user) =>
  service.customer(by, 'GET', `/profile/payments/${id}`, undefined, { 'accept-language': language })
const shown = async (id: number, language = 'en') => (await show(id, language)).body.data
const press = (link: string, action: string) =>
  service.call('POST', new URL(link).pathname, { body: { action } })
const jobs = () => service.running.runJobs()
const pay = async ({ link }: Waiting) => {
  await press(link, 'pay')
  await jobs()
}
const refund = (id: number, to: 'source' | 'balance') =>
  service.operator('POST', `/payments/${id}/refund`, { to, reason: 'asked' })

/** Money as the provider tells of it. */
const receive = ({ link }: Waiting, receiptId: string, amount: number) => {
  const paymentId = new URL(link).pathname.split('/').at(-1) as string
  const fact = { kind: 'received', providerPaymentId: null, currency: 'RUB', payer: null } as const
  const now = service.clock.now()
  return settleReceived(service.db, 'sandbox', { ...fact, paymentId, receiptId, amount }, now)
}

describe('a purchase by link', () => {
  test('waits, is processed, and is paid; then names what it gave', async () => {
    const made = await order('/configs', sbp)
    const [record] = (await service.customer(user, 'GET', '/profile/payments-history')).body.data
    expect(made.payment_id).toBe(record.id)
    const waiting = await shown(made.payment_id)
    expect(waiting).toEqual({
      ...record,
      state: 'waiting',
      currency: 'RUB',
      title: 'VPN connection for 30\u00a0days',
      product_type: 'configs',
      product_title: null,
      is_renewal: false,
      price: { list: 200, percent: 0, comment: null },
      promocode: null,
      item: null,
      link: made.link,
      link_expires_at: record.created_at + 3600,
      paid_at: null,
      credited: 0,
      held: null,
      refunded: null,
      receipt: null,
    })
    await receive(made, 'one', 200)
    expect(await shown(made.payment_id)).toMatchObject({
      state: 'processing',
      is_paid: true,
      link: null,
      paid_at: expect.any(Number),
      receipt: { provider: 'sandbox', number: 'one' },
    })
    await jobs()
    const [config] = (await service.customer(user, 'GET', '/configs')).body.data
    expect(await shown(made.payment_id, 'ru')).toMatchObject({
      state: 'paid',
      title: 'VPN-подключение на 30\u00a0дней',
      item: { type: 'configs', id: config.id },
    })
  })

  test('that nobody paid expires at its second, and counts when it is paid later', async () => {
    const made = await order('/configs', sbp)
    service.clock.advance(3600)
    expect(await shown(made.payment_id)).toMatchObject({ state: 'expired', link: null })
    await jobs()
    expect(await shown(made.payment_id)).toMatchObject({ state: 'expired' })
    await service.heartbeat()
    await receive(made, 'late', 200)
    await jobs()
    expect(await shown(made.payment_id)).toMatchObject({ state: 'paid', item: { type: 'configs' } })
  })

  test('that is declined is cancelled', async () => {
    const made = await order('/configs', sbp)
    await press(made.link, 'decline')
    await jobs()
    expect(await shown(made.payment_id)).toMatchObject({ state: 'cancelled', link: null, is_paid: false })
  })

  test('that cannot be given is credited, with how much', async () => {
    const made = await order('/configs', sbp)
    service.clock.advance(91)
    await receive(made, 'no room', 200)
    await jobs()
    expect(await shown(made.payment_id)).toMatchObject({ state: 'processing', credited: 0 })
    service.clock.advance(601)
    await jobs()
    expect(await shown(made.payment_id)).toMatchObject({
      state: 'credited',
      credited: 200,
      refunded: null,
      item: null,
    })
  })

  test('of another amount is held, and credited once support says so', async () => {
    const made = await order('/configs', sbp)
    await receive(made, 'too little', 90)
    expect(await shown(made.payment_id)).toMatchObject({
      state: 'processing',
      held: { amount: 90, currency: 'RUB' },
      receipt: { number: 'too little' },
    })
    const { id } = await service.db
      .selectFrom('receipts')
      .select('id')
      .where('receipt_id', '=', 'too little')
      .executeTakeFirstOrThrow()
    await service.operator('POST', `/receipts/${id}/credit`, { reason: 'agreed' })
    expect(await shown(made.payment_id)).toMatchObject({ state: 'credited', credited: 90, held: null })
  })

  test('paid twice, and with more than its price, says what is on the balance', async () => {
    const made = await order('/configs', sbp)
    await receive(made, 'more', 250)
    await jobs()
    expect(await shown(made.payment_id)).toMatchObject({ state: 'paid', credited: 50 })
    await receive(made, 'again', 200)
    expect(await shown(made.payment_id)).toMatchObject({
      state: 'paid',
      credited: 250,
      receipt: { number: 'more' },
    })
  })

  test('in another currency has its amounts in that', async () => {
    const made = await order('/configs', { ...usualOrder, payment_method_id: 4 })
    expect(await shown(made.payment_id)).toMatchObject({
      amount: '0.7',
      currency: 'TON',
      price: { list: 0.7, percent: 0 },
    })
  })
})

describe('what was given back', () => {
  test('to its source', async () => {
    const made = await order('/configs', sbp)
    await pay(made)
    expect((await refund(made.payment_id, 'source')).body.status).toBe(true)
    await jobs()
    expect(await shown(made.payment_id)).toMatchObject({
      state: 'refunded',
      refunded: { amount: 200, currency: 'RUB', to: 'source', at: expect.any(Number) },
      credited: 0,
    })
  })

  test('to the balance', async () => {
    await service.buy(user)
    const [{ id }] = (await service.customer(user, 'GET', '/profile/payments-history')).body.data
    await refund(id, 'balance')
    expect(await shown(id)).toMatchObject({
      state: 'refunded',
      refunded: { amount: 200, to: 'balance' },
      credited: 0,
    })
  })

  test('by the provider itself, after it had been credited', async () => {
    const made = await order('/configs', sbp)
    service.clock.advance(91)
    await receive(made, 'taken back', 200)
    await jobs()
    service.clock.advance(601)
    await jobs()
    expect((await shown(made.payment_id)).state).toBe('credited')
    const fact = { kind: 'refunded', receiptId: 'taken back', amount: 200, currency: 'RUB' } as const
    const { db, vault, bus, products } = service.running.services
    await settleRefunded(db, { vault, bus, products, now: service.clock.now() }, 'sandbox', fact)
    expect(await shown(made.payment_id)).toMatchObject({
      state: 'refunded',
      credited: 0,
      refunded: { to: 'source' },
    })
  })
})

test('a renewal, a top-up and an option say what they are', async () => {
  const config = await service.buy(user)
  const renewal = await order(`/configs/renewal/${config.id}`, { payment_method_id: 2, tariff_id: 2 })
  expect(await shown(renewal.payment_id)).toMatchObject({
    title: 'VPN renewal for 90\u00a0days',
    is_renewal: true,
    item: { type: 'configs', id: config.id },
  })
  const fill = await order('/profile/balance/topup', { amount: 500, payment_method_id: 4 })
  expect(await shown(fill.payment_id)).toMatchObject({
    type: 'balance_topup',
    product_type: 'balance',
    title: 'Balance top-up of 500\u00a0RUB',
    item: null,
  })
  await pay(fill)
  expect(await shown(fill.payment_id)).toMatchObject({ state: 'paid', credited: 0 })
  const option = await order('/paid-options', { paid_option_id: 1, payment_method_id: 2, tariff_id: 11 })
  await pay(option)
  const { title_ru, title_en } = await service.db
    .selectFrom('paid_options')
    .select(['title_ru', 'title_en'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  expect(await shown(option.payment_id)).toMatchObject({
    product_type: 'paid_options',
    product_title: title_en,
    item: { type: 'paid_options', id: 1 },
  })
  expect((await shown(option.payment_id, 'ru')).product_title).toBe(title_ru)
})

test('a key that was bought is shown, until it is used too', async () => {
  const made = await order('/configs', { as_key: true, payment_method_id: 3, tariff_id: 2 })
  expect(await shown(made.payment_id)).toMatchObject({ as_key: true, promocode: null })
  await pay(made)
  const [{ code }] = (await service.customer(user, 'GET', '/profile/promocodes')).body.data
  expect((await shown(made.payment_id)).promocode).toEqual({ code, is_active: true })
  const friend = await service.createUser()
  await service.customer(friend, 'POST', '/configs', { location_id: 1, protocol: 'vless', promocode: code })
  expect((await shown(made.payment_id)).promocode).toEqual({ code, is_active: false })
  const [used] = (await service.customer(friend, 'GET', '/profile/payments-history')).body.data
  expect((await show(used.id, 'en', friend)).body.data).toMatchObject({
    amount: null,
    method: 'promocode',
    state: 'paid',
    price: null,
    promocode: null,
  })
})

test('a personal price explains itself while it lasts', async () => {
  const rule = { type: 'all', percent: -10, comment: 'Old friend' }
  const { body } = await service.operator('POST', `/users/${user.id}/pricing-rules`, rule)
  await service.buy(user)
  const [{ id }] = (await service.customer(user, 'GET', '/profile/payments-history')).body.data
  expect(await shown(id)).toMatchObject({
    amount: '180',
    price: { list: 200, percent: -10, comment: 'Old friend' },
  })
  await service.operator('DELETE', `/users/${user.id}/pricing-rules/${body.data.id}`)
  expect((await shown(id)).price).toEqual({ list: 200, percent: -10, comment: null })
})

test('what another release sold has no name here, and its state all the same', async () => {
  const { id } = await service.db
    .insertInto('orders')
    .values({
      user_id: user.id,
      product: 'airships' as 'balance',
      state: 'fulfilled',
      payment_method_id: 1,
      item_id: 7,
      days: 30,
      price: 200,
      value_rub: 200,
      price_steps: '{}',
      purchase: '{}',
      created_at: service.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect(await shown(id)).toMatchObject({
    type: null,
    title: null,
    product_type: null,
    item: null,
    price: null,
    state: 'paid',
  })
})

test('somebody else’s, and what is not there, are not found', async () => {
  const { payment_id } = await order('/configs', sbp)
  const other = await service.createUser()
  expect((await show(payment_id, 'en', other)).status).toBe(404)
  expect((await show(999_999_999)).status).toBe(404)
  expect((await service.call('GET', `/v1/profile/payments/${payment_id}`)).status).toBe(401)
})
