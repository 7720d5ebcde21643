import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Webhook } from '../../../../../test/support/providers/stand-in.ts'
import { StarsStandIn } from '../../../../../test/support/providers/stars.ts'
import type { PaymentQuestion, WebhookVerdict } from '../../../ports/payments.ts'
import { TelegramStars } from './stars.ts'

/** What Telegram tells and asks, and who else might. */

const now = 1_800_000_000
let telegram: StarsStandIn
let stars: TelegramStars
let linkId: string

const judge = ({ headers, body }: { headers: Record<string, string | string[]>; body: string }) =>
  stars.judge({ headers, body: Buffer.from(body), ip: '149.154.167.197', now })
const questionOf = (verdict: WebhookVerdict): PaymentQuestion =>
  verdict.kind === 'question' ? verdict.question : expect.fail(`it is ${verdict.kind}`)

beforeAll(async () => {
  telegram = await new StarsStandIn(() => now).start()
  const { token: botToken, webhookSecret, url } = telegram
  stars = new TelegramStars({ botToken, webhookSecret, url })
})
afterAll(() => telegram.stop())
beforeEach(async () => {
  telegram.payments.clear()
  await stars.create({
    paymentId: 'pay_1',
    method: 'stars',
    amount: 150,
    currency: 'XTR',
    title: { ru: 'Дни', en: 'Days' },
    returnUrl: 'https://vpn.example/',
    createdAt: now,
    expiresAt: now + 3600,
  })
  linkId = telegram.findByPaymentId('pay_1')?.id ?? ''
})

test('a payment is an event of its own, however often the link is paid', () => {
  const [first, second] = [telegram.pay(linkId), telegram.pay(linkId, { userId: 42 })]
  const { message } = JSON.parse(first.body)
  const chargeId = message.successful_payment.telegram_payment_charge_id
  expect(judge(first)).toEqual({ kind: 'event', eventId: `paid:${chargeId}` })
  expect(judge(second)).not.toEqual(judge(first))
  const facts = [first, second].map(({ body }) => stars.interpret(body)[0])
  expect(facts).toEqual([
    expect.objectContaining({ kind: 'received', payer: '5000001' }),
    expect.objectContaining({ kind: 'received', payer: '42' }),
  ])
  const [charge] = telegram.findByPaymentId('pay_1')?.charges ?? []
  expect(facts[0]).toEqual({
    kind: 'received',
    paymentId: 'pay_1',
    providerPaymentId: null,
    receiptId: charge?.chargeId,
    amount: 150,
    currency: 'XTR',
    payer: '5000001',
  })
})

test('another amount or currency is told as it is', () => {
  const { body } = telegram.pay(linkId, { amount: 1, currency: 'USD' })
  expect(stars.interpret(body)).toMatchObject([{ amount: 1, currency: 'USD' }])
})

test('a refund names the charge', () => {
  telegram.pay(linkId)
  const webhook = telegram.refundOutside(linkId)
  expect(judge(webhook).kind).toBe('event')
  const receiptId = telegram.findByPaymentId('pay_1')?.charges[0]?.chargeId
  expect(stars.interpret(webhook.body)).toEqual([
    { kind: 'refunded', receiptId, amount: 150, currency: 'XTR' },
  ])
})

test('the question before a payment is answered in the response', () => {
  const webhook = telegram.preCheckout('pay_1')
  const question = questionOf(judge(webhook))
  expect(question).toMatchObject({ paymentId: 'pay_1', amount: 150, currency: 'XTR' })
  const id = JSON.parse(webhook.body).pre_checkout_query.id
  const common = { method: 'answerPreCheckoutQuery', pre_checkout_query_id: id }
  expect(question.answer(true)).toEqual({ ...common, ok: true })
  expect(question.answer(false)).toEqual({
    ...common,
    ok: false,
    error_message: expect.stringMatching(/оформите новый заказ.*make a new order/),
  })
  expect(stars.interpret(webhook.body)).toEqual([])
})

test.each([
  ['no header', () => ({})],
  ['an empty header', () => ({ 'x-telegram-bot-api-secret-token': '' })],
  ['another secret', () => ({ 'x-telegram-bot-api-secret-token': 'guess' })],
  ['a longer secret', () => ({ 'x-telegram-bot-api-secret-token': `${telegram.webhookSecret}x` })],
  ['several', () => ({ 'x-telegram-bot-api-secret-token': [telegram.webhookSecret] })],
])('%s is a forgery, and the reason names no secret', (_what, headersOf) => {
  for (const { body } of [telegram.pay(linkId), telegram.preCheckout('pay_1')]) {
    const verdict = judge({ headers: headersOf(), body })
    expect(verdict.kind).toBe('forged')
    expect(JSON.stringify(verdict)).not.toContain(telegram.webhookSecret)
  }
})

test.each<[string, object]>([
  ['a text', { message: { message_id: 1, text: 'hello' } }],
  ['another kind of update', { callback_query: { id: '1' } }],
  ['a question without an id', { pre_checkout_query: { invoice_payload: 'pay_1', total_amount: 1 } }],
  ['a payment without a charge id', { update_id: 1, message: { successful_payment: {} } }],
  ['a message that is none', { message: 'successful_payment' }],
])('%s is of no interest', (_what, content) => {
  expect(judge(telegram.update(content))).toEqual({ kind: 'ignored' })
})

test.each([
  '',
  'null',
  '[]',
  '{',
  '"x"',
  '{"update_id":1,"message":null}',
])('%j is of no interest', (body) => {
  const { headers } = telegram.update({})
  expect(judge({ headers: { ...headers }, body })).toEqual({ kind: 'ignored' })
  expect(stars.interpret(body)).toEqual([])
})

const payment = {
  currency: 'XTR',
  total_amount: 150,
  invoice_payload: 'pay_1',
  telegram_payment_charge_id: 'stx',
}
test.each([
  ['a negative amount', { total_amount: -150 }],
  ['nothing', { total_amount: 0 }],
  ['a fraction', { total_amount: 0.5 }],
  ['an amount in words', { total_amount: '150' }],
  ['an amount beyond counting', { total_amount: 2 ** 53 }],
  ['no payload', { invoice_payload: undefined }],
  ['a payload that is a number', { invoice_payload: 5 }],
  ['no charge', { telegram_payment_charge_id: '' }],
  ['no currency', { currency: null }],
])('%s is no money', (_what, change) => {
  const bodyOf = (what: string): Webhook =>
    telegram.update({ message: { [what]: { ...payment, ...change } } })
  expect(() => stars.interpret(bodyOf('successful_payment').body)).toThrow('unknown form')
  expect(() => stars.interpret(bodyOf('refunded_payment').body)).toThrow('unknown form')
})

test('somebody unknown can pay; a refund then asks for a name', () => {
  const { body } = telegram.update({ message: { successful_payment: payment } })
  expect(stars.interpret(body)).toMatchObject([{ kind: 'received', payer: null }])
})
