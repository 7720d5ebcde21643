import { CompiledQuery } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { brokenRules } from '../../../../../test/support/databases/invariants.ts'
import { deliver } from '../../../../../test/support/providers/stand-in.ts'
import { YooKassaStandIn } from '../../../../../test/support/providers/yookassa.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'

let service: TestService
let user: TestUser
const yookassa = new YooKassaStandIn()
beforeAll(async () => {
  await yookassa.start()
  service = await startTestService({ withoutLimits: true, env: yookassa.env })
  await service.operator('PATCH', '/payment-methods/2', { provider: 'yookassa' })
})
beforeEach(async () => {
  await service.heartbeat()
  user = await service.createUser()
  yookassa.fault = () => 'none'
  yookassa.refundsBecome = 'succeeded'
})
afterAll(async () => {
  await service.stop()
  await yookassa.stop()
})

const query = async (sql: string) =>
  (await service.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql))).rows
afterEach(async () => expect(await brokenRules(query)).toEqual([]))

const day = 86_400
const jobs = () => service.running.runJobs()
const pass = async (seconds: number) => {
  service.clock.advance(seconds)
  await service.heartbeat()
  await jobs()
}
const post = (path: string, body: object) => service.customer(user, 'POST', path, body)
const get = async (path: string) => (await service.customer(user, 'GET', path)).body.data
const balance = async (): Promise<number> => (await get('/profile')).balance
const byLink = { ...usualOrder, payment_method_id: 2 }

const lastOrder = async () => {
  const { body } = await service.operator('GET', `/payments?user_id=${user.id}&limit=1`)
  return body.data[0] as {
    id: number
    state: string
    provider_payment_id: string
    refunded_to: string | null
  }
}
const payLast = async () => {
  const { provider_payment_id: id } = await lastOrder()
  await deliver(service.running.url, yookassa.pay(id))
  await jobs()
  return id
}
const refund = async (to: 'source' | 'balance', orderId?: number) =>
  service.operator('POST', `/payments/${orderId ?? (await lastOrder()).id}/refund`, { to, reason: 'asked' })
const alerts = async (kind: string) =>
  (await service.operator('GET', '/alerts?is_open=true')).body.data.filter(
    (alert: { kind: string }) => alert.kind === kind,
  )

describe('to the balance', () => {
  test('of what was paid from it: the money back, the days gone, once', async () => {
    user = await service.createUser({ balance: 500 })
    await service.buy(user)
    const { id } = await lastOrder()
    const answers = await Promise.all([1, 2, 3].map(() => refund('balance', id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    await jobs()
    expect(await balance()).toBe(500)
    expect(await lastOrder()).toMatchObject({ state: 'refunded', refunded_to: 'balance' })
    expect((await get('/configs'))[0].expires_at).toBeLessThanOrEqual(service.clock.now())
    expect((await get('/profile/notifications')).at(-1).content).toContain('деньги возвращены на баланс')
  })

  test('of what was paid by link, and of what was paid with referral earnings', async () => {
    await post('/configs', byLink)
    await payLast()
    expect((await refund('balance')).body.data).toMatchObject({ state: 'done', amount: 200, currency: 'RUB' })
    expect(await balance()).toBe(200)
    user = await service.createUser({ referral_balance: 300 })
    await service.buy(user, { payment_method_id: 7 })
    await refund('balance')
    expect(await get('/profile')).toMatchObject({ balance: 0, referral_balance: 300 })
  })

  test('not of a top-up, a promocode, an unpaid order, or to a source that is the balance', async () => {
    user = await service.createUser({ balance: 500 })
    await service.buy(user)
    expect((await refund('source')).body).toMatchObject({ statusCode: 409, errorCode: 6 })
    await post('/profile/balance/topup', { amount: 100, payment_method_id: 2 })
    expect((await refund('source')).status).toBe(409)
    await payLast()
    expect((await refund('balance')).status).toBe(409)
    const code = { product_type: 'configs', days: 30, count: 1 }
    const [promocode] = (await service.operator('POST', '/promocodes', code)).body.data.codes
    await post('/configs', { location_id: 1, protocol: 'vless', promocode })
    expect((await refund('balance')).status).toBe(409)
  })

  test('takes only its own days: a renewal that is paid stays', async () => {
    user = await service.createUser({ balance: 400 })
    const config = await service.buy(user)
    const { id } = await lastOrder()
    await pass(29 * day)
    const renewal = await post(`/configs/renewal/${config.id}`, { payment_method_id: 1 })
    const renewedAt = service.clock.now()
    expect(renewal.body.data.expires_at).toBe(config.expires_at + 30 * day)
    await pass(10 * day)
    expect((await refund('balance', id)).status).toBe(201)
    await jobs()
    expect((await get('/configs'))[0].expires_at).toBe(renewedAt + 30 * day)
  })
})

describe('to the source', () => {
  test('a refusal gives a top-up back to the balance, tells the operator, and may be asked again', async () => {
    await post('/profile/balance/topup', { amount: 300, payment_method_id: 2 })
    await payLast()
    yookassa.refundsBecome = 'canceled'
    await refund('source')
    expect(await balance()).toBe(0)
    await jobs()
    expect(await balance()).toBe(300)
    expect(await alerts('refund_failed')).not.toEqual([])
    yookassa.refundsBecome = 'succeeded'
    expect((await refund('source')).status).toBe(201)
    await jobs()
    expect([await balance(), (await lastOrder()).state]).toEqual([0, 'refunded'])
  })

  test('a refusal leaves the money of a deleted account where it was, and it may be asked again', async () => {
    await post('/configs', byLink)
    const { id, provider_payment_id: paymentId } = await lastOrder()
    await service.call('DELETE', '/v1/profile', { token: user.session_token })
    await deliver(service.running.url, yookassa.pay(paymentId, { amount: 230 }))
    await jobs()
    const onBalance = async () =>
      (await service.operator('GET', `/users?search=${user.id}`)).body.data.items[0].balance
    expect(await onBalance()).toBe(230)
    yookassa.refundsBecome = 'canceled'
    expect((await refund('source', id)).status).toBe(201)
    expect(await onBalance()).toBe(0)
    await jobs()
    expect(await onBalance()).toBe(230)
    yookassa.refundsBecome = 'succeeded'
    expect((await refund('source', id)).body.data).toMatchObject({ amount: 230 })
    await jobs()
    expect([await onBalance(), [...yookassa.refunds.values()].at(-1)]).toEqual([
      0,
      expect.objectContaining({ payment_id: paymentId, status: 'succeeded' }),
    ])
  })

  test('what a deleted account had paid from its balance goes nowhere', async () => {
    user = await service.createUser({ balance: 200 })
    await service.buy(user)
    const { id } = await lastOrder()
    await service.call('DELETE', '/v1/profile', { token: user.session_token })
    const answers = [await refund('source', id), await refund('balance', id)]
    expect(answers.map(({ body }) => body.details[0].problem)).toEqual(
      Array(2).fill(expect.stringContaining('the account is deleted, and the balance')),
    )
  })

  test('a top-up that was spent is not refunded', async () => {
    await post('/profile/balance/topup', { amount: 300, payment_method_id: 2 })
    await payLast()
    const { id } = await lastOrder()
    await service.buy(user)
    expect((await refund('source', id)).body).toMatchObject({ statusCode: 409 })
    expect(await balance()).toBe(100)
  })

  test('a key cannot be used while its refund is under way; a used one is not refunded', async () => {
    const buyKey = async () => {
      await post('/configs', { as_key: true, payment_method_id: 2, tariff_id: 1 })
      await payLast()
      return (await get('/profile/promocodes'))[0].code as string
    }
    const use = (promocode: string) => post('/configs', { location_id: 1, protocol: 'vless', promocode })
    const code = await buyKey()
    yookassa.refundsBecome = 'pending'
    await refund('source')
    await jobs()
    expect((await use(code)).body.errorCode).toBe(21)
    yookassa.refundsBecome = 'succeeded'
    const waiting = [...yookassa.refunds.values()].find(({ status }) => status === 'pending')
    yookassa.settleRefund(waiting?.id ?? 'none', 'succeeded')
    await pass(120)
    await pass(120)
    expect((await lastOrder()).state).toBe('refunded')
    const second = await buyKey()
    expect((await use(second)).status).toBe(201)
    const { body } = await service.operator('GET', `/payments?user_id=${user.id}`)
    const order = body.data.find(
      (row: { as_key: boolean; state: string }) => row.as_key && row.state === 'fulfilled',
    )
    expect((await refund('source', order.id)).body).toMatchObject({ statusCode: 409 })
  })

  test('before it was granted: no grant and no credit come in between', async () => {
    await post('/configs', byLink)
    service.clock.advance(91)
    const { provider_payment_id: id } = await lastOrder()
    await deliver(service.running.url, yookassa.pay(id))
    await jobs()
    expect((await lastOrder()).state).toBe('paid')
    yookassa.fault = ({ path }) => (path.endsWith('/refunds') ? 'error-before' : 'none')
    expect((await refund('source')).status).toBe(201)
    await jobs()
    await pass(700)
    expect([await balance(), await get('/configs')]).toEqual([0, []])
    yookassa.fault = () => 'none'
    await pass(3600)
    expect(await lastOrder()).toMatchObject({ state: 'refunded', refunded_to: 'source' })
    expect(await balance()).toBe(0)
  })

  test('a provider that gives back what we credited already: the balance loses it again', async () => {
    await post('/configs', byLink)
    const id = await payLast()
    await refund('balance')
    expect(await balance()).toBe(200)
    await deliver(service.running.url, yookassa.refundOutside(id))
    await jobs()
    expect(await balance()).toBe(0)
  })

  test('of a top-up that came and went before anybody granted it', async () => {
    await post('/profile/balance/topup', { amount: 300, payment_method_id: 2 })
    const { provider_payment_id: id } = await lastOrder()
    yookassa.pay(id)
    const refunded = yookassa.refundOutside(id)
    await deliver(service.running.url, refunded)
    await jobs()
    await jobs()
    expect([await balance(), (await lastOrder()).state]).toEqual([0, 'refunded'])
  })

  test('part of it is a person’s matter', async () => {
    await post('/configs', byLink)
    const id = await payLast()
    await deliver(service.running.url, yookassa.refundOutside(id, 50))
    await jobs()
    expect((await lastOrder()).state).toBe('fulfilled')
    expect((await alerts('partial_refund')).length).toBe(1)
  })
})

test('refunds and renewals at once do not wait for each other in a ring', async () => {
  user = await service.createUser({ balance: 100_000 })
  const configs = []
  for (let n = 0; n < 8; n++) configs.push(await service.buy(user))
  const { body } = await service.operator('GET', `/payments?user_id=${user.id}`)
  const answers = await Promise.all([
    ...body.data.map(({ id }: { id: number }) => refund('balance', id)),
    ...configs.map(({ id }) => post(`/configs/renewal/${id}`, { payment_method_id: 1 })),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
})

test('support may look and not refund', async () => {
  user = await service.createUser({ balance: 200 })
  await service.buy(user)
  const { id } = await lastOrder()
  const token = await createOperator(service.db, { name: 'help', role: 'support', now: service.clock.now() })
  expect((await service.call('GET', `/operator/v1/payments/${id}`, { token })).status).toBe(200)
  const body = { to: 'balance', reason: 'x' }
  expect((await service.call('POST', `/operator/v1/payments/${id}/refund`, { token, body })).status).toBe(403)
  const gift = await service.call('POST', '/operator/v1/users', { token, body: { balance: 1 } })
  expect(gift.body).toMatchObject({ statusCode: 403, errorCode: 4 })
})
