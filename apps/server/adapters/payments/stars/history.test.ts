import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { StarsStandIn } from '../../../../../test/support/providers/stars.ts'
import { ProviderUnreachable } from '../../../ports/payments.ts'
import { TelegramStars } from './stars.ts'

/** Reading payments out of the list of all the bot's transactions. */

let now: number
let telegram: StarsStandIn
let stars: TelegramStars

const known = (change = {}) => ({
  paymentId: 'pay_1',
  providerPaymentId: null,
  amount: 150,
  currency: 'XTR',
  createdAt: now,
  ...change,
})
/** A link to our payment, as the service asks for it. */
const link = async () => {
  await stars.create({
    ...known(),
    method: 'stars',
    title: { ru: 'Дни', en: 'Days' },
    returnUrl: 'https://vpn.example/',
    expiresAt: now + 3600,
  })
  return telegram.findByPaymentId('pay_1') ?? expect.fail('no link was made')
}

beforeAll(async () => {
  telegram = await new StarsStandIn(() => now).start()
})
afterAll(() => telegram.stop())
beforeEach(() => {
  now = 1_800_000_000
  telegram.transactions.length = 0
  telegram.webhooks.length = 0
  telegram.says = () => undefined
  const { token: botToken, webhookSecret, url } = telegram
  stars = new TelegramStars({ botToken, webhookSecret, url })
})

/** Other people's payments of the same bot, one a minute. */
const fill = (count: number): void => {
  for (let i = 0; i < count; i++) {
    now += 60
    const user = { id: 77, is_bot: false, first_name: 'Other' }
    telegram.transactions.push({
      id: `other_${now}`,
      amount: 1,
      date: now,
      source: { type: 'user', transaction_type: 'invoice_payment', user, invoice_payload: `other_${now}` },
    })
  }
}

test('finds nothing while nothing is paid', async () => {
  expect(await stars.read(known())).toEqual([])
})

test('finds each payment of a link, and refunds', async () => {
  const payment = await link()
  telegram.pay(payment.id)
  telegram.pay(payment.id, { userId: 42 })
  telegram.refundOutside(payment.id)
  const [first, second] = payment.charges.map(({ chargeId }) => chargeId)
  const common = { paymentId: 'pay_1', providerPaymentId: null, amount: 150, currency: 'XTR' }
  expect(await stars.read(known())).toEqual([
    { kind: 'received', ...common, receiptId: first, payer: '5000001' },
    { kind: 'received', ...common, receiptId: second, payer: '42' },
    { kind: 'refunded', receiptId: second, amount: 150, currency: 'XTR' },
  ])
})

test('what is read and what is told have the same names', async () => {
  const payment = await link()
  telegram.pay(payment.id)
  telegram.refundOutside(payment.id)
  const told = telegram.webhooks.flatMap(({ body }) => stars.interpret(body))
  expect(await stars.read(known())).toEqual(told)
  expect(told.map(({ kind }) => kind)).toEqual(['received', 'refunded'])
})

test.each([0, 1, 99, 100, 101, 2345])('finds it behind %i older and before newer ones', async (older) => {
  fill(older)
  now += 7200
  const createdAt = now
  const payment = await link()
  telegram.pay(payment.id)
  fill(230)
  telegram.refundOutside(payment.id)
  telegram.requests.length = 0
  const facts = await stars.read(known({ createdAt }))
  expect(facts.map(({ kind }) => kind)).toEqual(['received', 'refunded'])
  expect(telegram.requests.length).toBeLessThan(20)
  telegram.requests.length = 0
  expect(await stars.read(known({ createdAt }))).toEqual(facts)
  expect(telegram.requests.length).toBeLessThan(9)
  expect((await stars.read(known({ createdAt: 1_800_000_000 }))).length).toBe(2)
})

const partner = {
  type: 'user',
  transaction_type: 'invoice_payment',
  user: { id: 5 },
  invoice_payload: 'pay_1',
}
const whole = { id: 'stx', amount: 150, date: 1_800_000_000, source: partner }
test.each([
  ['a negative amount', { ...whole, amount: -150 }],
  ['no amount', { ...whole, amount: undefined }],
  ['an amount in words', { ...whole, amount: '150' }],
  ['a fraction', { ...whole, amount: 1.5 }],
  ['another payload', { ...whole, source: { ...partner, invoice_payload: 'pay_2' } }],
  ['a gift', { ...whole, source: { ...partner, transaction_type: 'gift_purchase' } }],
  ['another partner', { ...whole, source: { ...partner, type: 'fragment' } }],
  ['what goes out', { ...whole, source: undefined, receiver: partner }],
])('%s is no payment', async (_what, transaction) => {
  telegram.says = () => ({ status: 200, json: { ok: true, result: { transactions: [transaction] } } })
  expect(await stars.read(known())).toEqual([])
})

test.each([
  ['no list', {}],
  ['a list of nothing', { transactions: [null] }],
  ['a nameless transaction', { transactions: [{ ...whole, id: 5 }] }],
  ['a transaction without a date', { transactions: [{ ...whole, date: 'today' }] }],
  ['the newest first', { transactions: [{ ...whole, date: 1_800_000_001 }, whole] }],
  ['more than was asked for', { transactions: Array.from({ length: 101 }, () => whole) }],
  ['old ones without an end', { transactions: [{ ...whole, date: 1 }] }],
])('%s is no answer', async (_what, result) => {
  telegram.says = ({ body }) => {
    const isProbe = JSON.parse(body).limit === 1
    const isOne = 'transactions' in result && result.transactions.length === 1
    return { status: 200, json: { ok: true, result: isProbe && !isOne ? { transactions: [] } : result } }
  }
  await expect(stars.read(known())).rejects.toThrow(ProviderUnreachable)
})
