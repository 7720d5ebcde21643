import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Webhook } from '../../../../../test/support/providers/stand-in.ts'
import { StripeStandIn } from '../../../../../test/support/providers/stripe.ts'
import { ProviderRefusal, ProviderUnreachable } from '../../../ports/payments.ts'
import { Stripe } from './stripe.ts'

/** What Stripe tells, what it answers when asked, and who else might speak in its name. */

let now = 1_800_000_000
let serial = 0
let paymentId: string
let sessionId: string
let intentId: string
let standIn: StripeStandIn
let stripe: Stripe

const charge = (change = {}) => ({
  paymentId,
  method: 'card',
  amount: 500,
  currency: 'RUB',
  title: { ru: 'Дни', en: 'Days' },
  returnUrl: 'https://vpn.example/',
  createdAt: now,
  expiresAt: now + 3600,
  ...change,
})
const known = (change = {}) => ({ ...charge(), providerPaymentId: sessionId as string | null, ...change })
const judge = ({ headers, body }: { headers: Record<string, string | string[]>; body: string }) =>
  stripe.judge({ headers, body: Buffer.from(body), ip: '3.18.12.63', now })
const received = (change = {}) => ({
  kind: 'received',
  paymentId,
  providerPaymentId: sessionId,
  receiptId: intentId,
  amount: 500,
  currency: 'RUB',
  payer: null,
  ...change,
})
const canceled = (reason: string) => ({ kind: 'canceled', paymentId, providerPaymentId: sessionId, reason })

beforeAll(async () => {
  standIn = await new StripeStandIn(() => now).start()
  const { secretKey, webhookSecret, url } = standIn
  stripe = new Stripe({ secretKey, webhookSecret, url })
})
afterAll(() => standIn.stop())
beforeEach(async () => {
  standIn.says = () => undefined
  paymentId = `pay_${++serial}`
  sessionId = (await stripe.create(charge())).providerPaymentId ?? ''
  intentId = standIn.payments.get(sessionId)?.intentId ?? ''
})

describe('told and read alike', () => {
  const both = async (webhook: Webhook, facts: readonly object[]): Promise<void> => {
    expect(judge({ ...webhook })).toEqual({ kind: 'event', eventId: JSON.parse(webhook.body).id })
    expect(stripe.interpret(webhook.body)).toEqual(facts)
    expect(await stripe.read(known())).toEqual(facts)
  }

  test('money', () => both(standIn.pay(sessionId), [received()]))
  test('another amount', () => both(standIn.pay(sessionId, { amount: 1 }), [received({ amount: 1 })]))
  test('kopecks that make no rouble are dropped', () =>
    both(standIn.pay(sessionId, { amount: 499.99 }), [received({ amount: 499 })]))
  test('dollars are cents here too', () =>
    both(standIn.pay(sessionId, { amount: 7.99, currency: 'USD' }), [
      received({ amount: 799, currency: 'USD' }),
    ]))
  test('an end without money', () => both(standIn.expire(sessionId), [canceled('expired')]))

  test('money that comes later', async () => {
    const completed = standIn.pay(sessionId, { isDelayed: true })
    expect(judge({ ...completed })).toEqual({ kind: 'ignored' })
    expect(await stripe.read(known())).toEqual([])
    await both(standIn.settle(sessionId, true), [received()])
  })

  test('money that does not come', async () => {
    standIn.pay(sessionId, { isDelayed: true })
    await both(standIn.settle(sessionId, false), [canceled('async_payment_failed')])
  })
})

test('nothing while nothing happens, and nothing of a session nobody knows', async () => {
  expect(await stripe.read(known())).toEqual([])
  expect(await stripe.read(known({ providerPaymentId: null }))).toEqual([])
  await expect(stripe.read(known({ providerPaymentId: 'cs_none' }))).rejects.toThrow(ProviderRefusal)
})

test('refunds, the sum of them so far', async () => {
  standIn.pay(sessionId)
  const refunded = (amount: number) => ({ kind: 'refunded', receiptId: intentId, amount, currency: 'RUB' })
  expect(stripe.interpret(standIn.refundOutside(sessionId, 200).body)).toEqual([refunded(200)])
  expect(await stripe.read(known())).toEqual([received(), refunded(200)])
  const webhook = standIn.refundOutside(sessionId)
  expect(judge({ ...webhook }).kind).toBe('event')
  expect(stripe.interpret(webhook.body)).toEqual([refunded(500)])
})

test.each(['charge.dispute.created', 'charge.dispute.funds_withdrawn'])('%s', (type) => {
  standIn.pay(sessionId)
  const webhook = standIn.dispute(sessionId, type)
  expect(judge({ ...webhook }).kind).toBe('event')
  expect(stripe.interpret(webhook.body)).toEqual([
    { kind: 'disputed', receiptId: intentId, reason: 'fraudulent' },
  ])
})

describe('signatures', () => {
  const verdictOf = (header: string | string[] | undefined, body: string) =>
    judge({ headers: header === undefined ? {} : { 'stripe-signature': header }, body })
  const parts = ({ headers, body }: Webhook): [string, string] => [headers['stripe-signature'] ?? '', body]

  test('an edited body is a forgery', () => {
    const [header, body] = parts(standIn.pay(sessionId, { amount: 1 }))
    const verdict = verdictOf(header, body.replace('"amount_total":100', '"amount_total":50000'))
    expect(verdict).toMatchObject({ kind: 'forged' })
    expect(verdictOf(header, body).kind).toBe('event')
  })

  test('a moved time is a forgery, though the rest is genuine', () => {
    const [header, body] = parts(standIn.pay(sessionId))
    now += 301
    expect(verdictOf(header, body).kind).toBe('forged')
    expect(verdictOf(header.replace(/t=\d+/, `t=${now}`), body).kind).toBe('forged')
    now -= 301
  })

  test.each([
    [-301, 'forged'],
    [-300, 'event'],
    [0, 'event'],
    [300, 'event'],
    [301, 'forged'],
  ])('signed %i s from now: %s', (seconds, kind) => {
    const { body } = standIn.pay(sessionId)
    expect(judge({ headers: standIn.sign(body, now + seconds), body }).kind).toBe(kind)
  })

  test('any of several signatures will do, as when the secret is being changed', () => {
    const [header, body] = parts(standIn.pay(sessionId))
    const [time, genuine] = header.split(',')
    const other = `v1=${'0'.repeat(64)}`
    expect(verdictOf(`${time},${other},${genuine}`, body).kind).toBe('event')
    expect(verdictOf(`${time},${other},v1=short,v0=${genuine?.slice(3)}`, body).kind).toBe('forged')
    expect(verdictOf(`${time},${time},${genuine}`, body).kind).toBe('forged')
  })

  test('another secret, no header or a strange one is a forgery, and no reason shows what was expected', () => {
    const [header, body] = parts(standIn.pay(sessionId))
    const wrong = createHmac('sha256', 'guess').update(`${now}.${body}`).digest('hex')
    const headers = [
      undefined,
      '',
      't=,v1=',
      `t=${now}`,
      `t=${now},v1=${wrong}`,
      't',
      `t=x,${header}`,
      [header],
    ]
    for (const strange of headers) {
      const verdict = verdictOf(strange, body)
      expect(verdict.kind).toBe('forged')
      expect(JSON.stringify(verdict)).not.toMatch(/[0-9a-f]{16}/)
    }
  })
})

test.each<[string, string]>([
  ['an event of no interest', '{"id":"evt_1","type":"customer.created","data":{"object":{}}}'],
  ['a type from the prototype', '{"id":"evt_1","type":"constructor","data":{"object":{}}}'],
  ['no id', '{"type":"charge.refunded","data":{"object":{}}}'],
  ['nothing', ''],
  ['null', 'null'],
  ['half an object', '{'],
])('%s is ignored and means nothing', (_what, body) => {
  expect(judge({ headers: standIn.sign(body), body })).toEqual({ kind: 'ignored' })
  expect(stripe.interpret(body)).toEqual([])
})

const session = {
  id: 'cs_1',
  status: 'complete',
  payment_status: 'paid',
  amount_total: 50_000,
  currency: 'rub',
  payment_intent: 'pi_1',
  client_reference_id: 'pay_1',
  metadata: { payment_id: 'pay_1' },
}
test('a paid session as published is money', () => {
  const { body } = standIn.tell('checkout.session.completed', session)
  expect(stripe.interpret(body)).toMatchObject([{ kind: 'received', paymentId: 'pay_1', amount: 500 }])
})
test.each<[string, object, boolean?]>([
  ['a negative amount', { amount_total: -50_000 }, true],
  ['a fraction', { amount_total: 500.5 }, true],
  ['words', { amount_total: '50000' }, true],
  ['an amount beyond counting', { amount_total: 2 ** 60 }, true],
  ['no currency', { currency: undefined }, true],
  ['a strange currency', { currency: 'roubles' }, true],
  ['not paid', { payment_status: 'unpaid' }],
  ['nothing to pay', { payment_status: 'no_payment_required' }],
  ['no intent', { payment_intent: null }, true],
  ['an id chosen by the customer', { metadata: {} }],
  ['an id that is a number', { metadata: { payment_id: 5 } }],
  ['no session', { id: undefined }],
])('%s is no money, told or read', async (_what, change, isPaid = false) => {
  const strange = { ...session, ...change }
  const { body } = standIn.tell('checkout.session.completed', strange)
  const told = () => stripe.interpret(body)
  if (isPaid) expect(told).toThrow('unknown form')
  else expect(told()).toEqual([])
  standIn.says = () => ({ status: 200, json: strange })
  const facts = await stripe
    .read(known({ paymentId: 'pay_1', providerPaymentId: 'cs_1' }))
    .catch((error: unknown) => error)
  expect(facts instanceof Error || (Array.isArray(facts) && facts.length === 0)).toBe(true)
})
test.each([
  ['another session', { id: 'cs_2' }],
  ['another payment', { metadata: { payment_id: 'pay_2' } }],
])('%s is no answer', async (_what, change) => {
  standIn.says = () => ({ status: 200, json: { ...session, ...change } })
  const asked = known({ paymentId: 'pay_1', providerPaymentId: 'cs_1' })
  await expect(stripe.read(asked)).rejects.toThrow(ProviderUnreachable)
})
test.each([
  ['a negative refund', 'charge.refunded', { payment_intent: 'pi_1', amount_refunded: -1, currency: 'rub' }],
  ['a refund of nothing known', 'charge.refunded', { amount_refunded: 100, currency: 'rub' }],
  ['a dispute about nothing known', 'charge.dispute.created', { reason: 'fraudulent' }],
])('%s means nothing', (_what, type, object) => {
  expect(stripe.interpret(standIn.tell(type, object).body)).toEqual([])
})
