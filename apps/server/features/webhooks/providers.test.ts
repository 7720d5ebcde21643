import { CompiledQuery } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { brokenRules } from '../../../../test/support/databases/invariants.ts'
import { CryptoPayStandIn } from '../../../../test/support/providers/crypto-pay.ts'
import { deliver, type StandIn, type Webhook } from '../../../../test/support/providers/stand-in.ts'
import { StarsStandIn } from '../../../../test/support/providers/stars.ts'
import { StripeStandIn } from '../../../../test/support/providers/stripe.ts'
import { YooKassaStandIn } from '../../../../test/support/providers/yookassa.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../../test/support/service.ts'

/** The same story with every real provider: link, webhook, reconciler, refund, and what goes wrong in between. */

interface Payable extends StandIn {
  readonly env: Record<string, string>
  findByPaymentId(paymentId: string): { id?: string } | undefined
  pay(id: string, change?: { amount?: number }): Webhook
}

let service: TestService
let user: TestUser
const clock = { now: () => service.clock.now() }
const yookassa = new YooKassaStandIn()
const cryptoPay = new CryptoPayStandIn()
const stars = new StarsStandIn(() => clock.now())
const stripe = new StripeStandIn(() => clock.now())
const all: Payable[] = [yookassa, cryptoPay, stars, stripe]

beforeAll(async () => {
  for (const standIn of all) await standIn.start()
  const env = Object.assign({}, ...all.map((standIn) => standIn.env))
  service = await startTestService({ withoutLimits: true, env: { ...env, TRUSTED_PROXIES: '127.0.0.1' } })
  const providers = [
    [2, 'yookassa'],
    [3, 'stripe'],
    [4, 'crypto_pay'],
    [5, 'crypto_pay'],
    [6, 'stars'],
  ]
  for (const [id, provider] of providers) {
    expect((await service.operator('PATCH', `/payment-methods/${id}`, { provider })).status).toBe(200)
  }
})
beforeEach(async () => {
  await service.heartbeat()
  user = await service.createUser()
  for (const standIn of all) {
    standIn.webhooks.length = 0
    standIn.fault = () => 'none'
  }
})
afterAll(async () => {
  await service.stop()
  for (const standIn of all) await standIn.stop()
})

const query = async (sql: string) =>
  (await service.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql))).rows
afterEach(async () => expect(await brokenRules(query)).toEqual([]))

const jobs = () => service.running.runJobs()
const pass = async (seconds: number) => {
  service.clock.advance(seconds)
  await service.heartbeat()
  await jobs()
}
const post = (path: string, body: object, headers?: Record<string, string>) =>
  service.customer(user, 'POST', path, body, headers)
const get = async (path: string) => (await service.customer(user, 'GET', path)).body.data
const tell = async (webhook: Webhook) => {
  expect((await deliver(service.running.url, webhook)).status).toBe(200)
  await jobs()
}

const tellTwenty = async (webhook: Webhook) => {
  const sent = Array.from({ length: 20 }, () => deliver(service.running.url, webhook))
  const answers = (await Promise.all(sent)).map(({ status }) => status)
  expect(new Set(answers)).toEqual(new Set([200]))
  await jobs()
}

/** What the provider calls the payment of the customer's last order. */
const lastPayment = async () =>
  service.db
    .selectFrom('payments as p')
    .innerJoin('orders as o', 'o.id', 'p.order_id')
    .select(['p.public_id', 'p.provider_payment_id', 'p.order_id', 'p.link', 'o.state'])
    .where('o.user_id', '=', user.id)
    .orderBy('p.id', 'desc')
    .executeTakeFirstOrThrow()
const idAt = async (standIn: Payable): Promise<string> => {
  const { public_id, provider_payment_id } = await lastPayment()
  return provider_payment_id ?? (standIn.findByPaymentId(public_id)?.id as string)
}

/** What others may send in its name. YooKassa signs nothing: it is known by where it calls from. */
const forgeriesOf = (standIn: Payable, { headers, body }: Webhook): Record<string, Partial<Webhook>> => {
  if (standIn === yookassa) {
    const from = (callers: string) => ({ headers: { 'x-forwarded-for': callers } })
    return { 'from elsewhere': from('203.0.113.7'), 'in its name': from('127.0.0.1, 203.0.113.7') }
  }
  const changed = Object.entries(headers).map(([name, value]) => [
    name,
    value.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  ])
  const edited = body.replace(/\d/, (digit) => String((Number(digit) + 1) % 10))
  const signedAt = (at: number) => ({ headers: stripe.sign(body, at) })
  return {
    unsigned: { headers: {} },
    'signed by somebody else': { headers: Object.fromEntries(changed) },
    ...(standIn !== stars && { edited: { body: edited } }),
    ...(standIn === stripe && { stale: signedAt(clock.now() - 301), early: signedAt(clock.now() + 301) }),
  }
}

describe.each<[string, number, Payable]>([
  ['YooKassa by СБП', 2, yookassa],
  ['Stripe by card', 3, stripe],
  ['Crypto Pay in TON', 4, cryptoPay],
  ['Crypto Pay in USDT', 5, cryptoPay],
  ['Telegram Stars', 6, stars],
])('%s', (_name, method, standIn) => {
  const order = { ...usualOrder, payment_method_id: method }
  const buy = async () => (await post('/configs', order)).body.data.link as string

  test('check 15: a paid link becomes a configuration, twenty webhooks or one', async () => {
    expect(await buy()).toMatch(/^https?:\/\//)
    const webhook = standIn.pay(await idAt(standIn))
    await tellTwenty(webhook)
    expect(await get('/configs')).toHaveLength(1)
    expect((await lastPayment()).state).toBe('fulfilled')
    await tell(webhook)
    expect(await get('/configs')).toHaveLength(1)
    expect((await get('/profile')).balance).toBe(0)
  })

  test('check 15: a paid top-up is credited once, twenty webhooks or one', async () => {
    await post('/profile/balance/topup', { amount: 1000, payment_method_id: method })
    const webhook = standIn.pay(await idAt(standIn))
    await tellTwenty(webhook)
    expect((await get('/profile')).balance).toBe(1000)
    await tell(webhook)
    expect((await get('/profile')).balance).toBe(1000)
  })

  test('a lost webhook is found by looking', async () => {
    await buy()
    standIn.pay(await idAt(standIn))
    await jobs()
    expect(await get('/configs')).toEqual([])
    await pass(301)
    await jobs()
    expect(await get('/configs')).toHaveLength(1)
  })

  test('check 15: money that is told of three days after the link ended is not lost', async () => {
    await buy()
    const webhook = standIn.pay(await idAt(standIn))
    standIn.fault = () => 'error-before'
    await pass(3700)
    expect((await lastPayment()).state).toBe('expired')
    await pass(3 * 86_400)
    expect(await get('/configs')).toEqual([])
    // Stripe signs again each time it sends.
    const { headers, body } = webhook
    const sent = standIn === stripe ? { ...webhook, headers: { ...headers, ...stripe.sign(body) } } : webhook
    standIn.fault = () => 'none'
    await tell(sent)
    expect(await get('/configs')).toHaveLength(1)
    expect((await get('/profile')).balance).toBe(0)
  })

  test('check 14: a forged, edited or stale webhook changes nothing', async () => {
    await buy()
    const webhook = standIn.pay(await idAt(standIn))
    for (const [how, forged] of Object.entries(forgeriesOf(standIn, webhook))) {
      const { status } = await deliver(service.running.url, { ...webhook, ...forged })
      expect([how, status]).toEqual([how, 403])
    }
    await jobs()
    expect(await get('/configs')).toEqual([])
    expect((await lastPayment()).state).toBe('created')
    // It was for nothing else that they were refused.
    await tell(webhook)
    expect(await get('/configs')).toHaveLength(1)
  })

  test('a cut connection after the payment was made: 503, and the same key gets the same payment', async () => {
    const before = standIn.requests.length
    let cuts = 2
    standIn.fault = ({ method: verb }) => (verb === 'POST' && cuts-- > 0 ? 'cut-after' : 'none')
    const headers = { 'idempotency-key': `cut-${method}` }
    const first = await post('/configs', order, headers)
    expect(first.body).toMatchObject({ statusCode: 503, errorCode: 53 })
    const answers = []
    for (let n = 0; n < 3; n++) answers.push(await post('/configs', order, headers))
    const links = answers.filter(({ status }) => status === 201).map(({ body }) => body.data.link)
    expect(new Set(links).size).toBe(1)
    expect(standIn.requests.length).toBeGreaterThan(before)
    const orders = await service.db.selectFrom('orders').select('id').where('user_id', '=', user.id).execute()
    expect(orders).toHaveLength(1)
    await tell(standIn.pay(await idAt(standIn)))
    expect(await get('/configs')).toHaveLength(1)
  })

  test('a refund gives the money back and takes the days', async () => {
    await buy()
    await tell(standIn.pay(await idAt(standIn)))
    const { order_id: orderId } = await lastPayment()
    const wish = { to: 'source', reason: 'did not work', ...(standIn === cryptoPay && { recipient: '4242' }) }
    const { status, body } = await service.operator('POST', `/payments/${orderId}/refund`, wish)
    expect([status, body.data.state]).toEqual([201, 'requested'])
    await pass(10)
    await pass(10)
    expect((await lastPayment()).state).toBe('refunded')
    expect((await get('/configs'))[0].expires_at).toBeLessThanOrEqual(service.clock.now())
    const again = await service.operator('POST', `/payments/${orderId}/refund`, wish)
    expect(again.body).toMatchObject({ statusCode: 409, errorCode: 6 })
  })
})

describe('wrong money', () => {
  test('check 16: too little is put aside with an alert; the operator may credit it, once', async () => {
    await post('/configs', { ...usualOrder, payment_method_id: 5 })
    await tell(cryptoPay.pay(await idAt(cryptoPay), { amount: 100 }))
    expect(await get('/configs')).toEqual([])
    const { body } = await service.operator('GET', '/alerts?is_open=true')
    expect(body.data[0]).toMatchObject({ kind: 'wrong_amount' })
    expect((await get('/profile/notifications'))[0].content).toContain('Деньги не потеряны')
    expect((await get('/profile')).balance).toBe(0)
    const { receipts } = (await service.operator('GET', `/payments/${body.data[0].details.order_id}`)).body
      .data
    const credit = () => service.operator('POST', `/receipts/${receipts[0].id}/credit`, { reason: 'agreed' })
    const answers = await Promise.all([credit(), credit(), credit()])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect((await get('/profile')).balance).toBe(90)
    const left = await service.operator('GET', '/alerts?is_open=true')
    expect(left.body.data.filter(({ kind }: { kind: string }) => kind === 'wrong_amount')).toEqual([])
  })

  test.each([
    ['YooKassa', 2, yookassa, 'USD'],
    ['Stripe', 3, stripe, 'usd'],
    ['Crypto Pay', 5, cryptoPay, 'TON'],
    ['Telegram Stars', 6, stars, 'RUB'],
  ] as const)('check 16: another currency by %s is put aside with an alert', async (_name, method, standIn, currency) => {
    const before = (await service.operator('GET', '/alerts?is_open=true')).body.data.length
    await post('/configs', { ...usualOrder, payment_method_id: method })
    await tell(standIn.pay(await idAt(standIn), { currency }))
    expect(await get('/configs')).toEqual([])
    expect((await get('/profile')).balance).toBe(0)
    const { body } = await service.operator('GET', '/alerts?is_open=true')
    expect(body.data).toHaveLength(before + 1)
    expect(body.data[0].kind).toMatch(/^wrong_/)
  })

  test('too much fulfils the order, and the rest is on the balance', async () => {
    await post('/configs', { ...usualOrder, payment_method_id: 5 })
    await tell(cryptoPay.pay(await idAt(cryptoPay), { amount: 440 }))
    expect(await get('/configs')).toHaveLength(1)
    expect((await get('/profile')).balance).toBe(200)
  })

  test('a Stars link paid twice is one configuration and a credit', async () => {
    await post('/configs', { ...usualOrder, payment_method_id: 6 })
    const id = await idAt(stars)
    await tell(stars.pay(id))
    await tell(stars.pay(id))
    expect(await get('/configs')).toHaveLength(1)
    expect((await get('/profile')).balance).toBe(200)
  })
})

describe('Telegram asks before it takes', () => {
  test('and only what is still wanted, at its price, may be paid', async () => {
    await post('/configs', { ...usualOrder, payment_method_id: 6 })
    const { public_id: id } = await lastPayment()
    const ask = async (webhook: Webhook) => (await deliver(service.running.url, webhook)).json()
    expect(await ask(stars.preCheckout(id))).toMatchObject({ method: 'answerPreCheckoutQuery', ok: true })
    expect(await ask(stars.preCheckout(id, { amount: 1 }))).toMatchObject({ ok: false })
    await pass(3700)
    expect(await ask(stars.preCheckout(id))).toMatchObject({ ok: false, error_message: expect.any(String) })
  })
})

describe('what providers do by themselves', () => {
  test('an event that is ahead of the provider’s own books waits for them', async () => {
    await post('/configs', { ...usualOrder, payment_method_id: 2 })
    const id = await idAt(yookassa)
    const payment = yookassa.payments.get(id)
    const paid = yookassa.pay(id)
    Object.assign(payment ?? {}, { status: 'pending', paid: false })
    await tell(paid)
    expect(await get('/configs')).toEqual([])
    Object.assign(payment ?? {}, { status: 'succeeded', paid: true })
    await pass(11)
    expect(await get('/configs')).toHaveLength(1)
  })

  test('a provider that is silent holds up nobody else', async () => {
    await post('/configs', { ...usualOrder, payment_method_id: 2 })
    const silent = yookassa.pay(await idAt(yookassa))
    await post('/configs', { ...usualOrder, payment_method_id: 3 })
    const alive = stripe.pay(await idAt(stripe))
    yookassa.fault = () => 'cut-before'
    await tell(silent)
    await tell(alive)
    expect(await get('/configs')).toHaveLength(1)
    yookassa.fault = () => 'none'
    await pass(20)
    expect(await get('/configs')).toHaveLength(2)
  })

  test('check 14: YooKassa signs nothing, so what is told in its name counts as far as it shows the same', async () => {
    await post('/configs', { ...usualOrder, payment_method_id: 2 })
    const id = await idAt(yookassa)
    const payment = yookassa.payments.get(id)
    const lie = (event: string, object: object) =>
      tell({
        provider: 'yookassa',
        headers: {},
        body: JSON.stringify({ type: 'notification', event, object }),
      })
    await lie('payment.succeeded', { ...payment, status: 'succeeded', paid: true })
    await lie('payment.canceled', { ...payment, status: 'canceled' })
    await lie('refund.succeeded', { ...payment, id: `of-${id}`, payment_id: id, status: 'succeeded' })
    expect(await get('/configs')).toEqual([])
    expect((await lastPayment()).state).toBe('created')
    yookassa.pay(id)
    await pass(60)
    // Whatever it has not shown in three days is told to a person.
    await pass(3 * 86_400)
    const { body } = await service.operator('GET', '/alerts?is_open=true')
    expect(body.data.slice(0, 2).map(({ kind }: { kind: string }) => kind)).toEqual([
      'webhook_failed',
      'webhook_failed',
    ])
    expect(await get('/configs')).toHaveLength(1)
    expect((await lastPayment()).state).toBe('fulfilled')
    expect((await get('/profile')).balance).toBe(0)
  })

  // Asked about a payment YooKassa shows its refund too; Stripe tells of each apart, and the refund has to wait.
  test.each([
    ['YooKassa', 2, yookassa, 'refunded'],
    ['Stripe', 3, stripe, 'created'],
  ] as const)('check 15: a refund from the cabinet of %s takes the days back; before its payment was told it waits for it', async (_name, method, standIn, meanwhile) => {
    await post('/configs', { ...usualOrder, payment_method_id: method })
    const id = await idAt(standIn)
    const paid = standIn.pay(id)
    const refunded = standIn.refundOutside(id)
    await tell(refunded)
    expect((await lastPayment()).state).toBe(meanwhile)
    await tell(paid)
    await pass(60)
    await pass(60)
    expect((await lastPayment()).state).toBe('refunded')
    for (const { expires_at } of await get('/configs'))
      expect(expires_at).toBeLessThanOrEqual(service.clock.now())
    expect((await get('/profile')).balance).toBe(0)
  })

  test('a top-up refunded outside is taken from the balance, and what was spent is told to the operator', async () => {
    await post('/profile/balance/topup', { amount: 500, payment_method_id: 2 })
    const id = await idAt(yookassa)
    await tell(yookassa.pay(id))
    await post('/configs', usualOrder)
    expect((await get('/profile')).balance).toBe(300)
    await tell(yookassa.refundOutside(id))
    expect((await get('/profile')).balance).toBe(0)
    const { body } = await service.operator('GET', '/alerts?is_open=true')
    expect(body.data[0]).toMatchObject({ kind: 'refund_uncovered', details: { missing_rub: 200 } })
  })

  test('a dispute is told to the operator', async () => {
    await post('/configs', { ...usualOrder, payment_method_id: 3 })
    const id = await idAt(stripe)
    await tell(stripe.pay(id))
    await tell(stripe.dispute(id))
    expect((await service.operator('GET', '/alerts')).body.data[0].kind).toBe('dispute')
  })

  test('a refusal closes the method for this order, and the key is free again', async () => {
    yookassa.fault = () => 'none'
    const headers = { 'idempotency-key': 'refused' }
    const secret = yookassa.secretKey
    Object.assign(yookassa, { secretKey: 'changed' })
    const refused = await post('/configs', { ...usualOrder, payment_method_id: 2 }, headers)
    Object.assign(yookassa, { secretKey: secret })
    expect(refused.body).toMatchObject({ statusCode: 400, errorCode: 23 })
    expect((await lastPayment()).state).toBe('cancelled')
    expect((await post('/configs', { ...usualOrder, payment_method_id: 2 }, headers)).status).toBe(201)
  })
})
