import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CryptoPayStandIn } from '../../../../../test/support/providers/crypto-pay.ts'
import type { Fault, Webhook } from '../../../../../test/support/providers/stand-in.ts'
import { type Charge, ProviderRefusal, ProviderUnreachable, type Refund } from '../../../ports/payments.ts'
import { CryptoPay } from './crypto-pay.ts'

const standIn = new CryptoPayStandIn()
let cryptoPay: CryptoPay
beforeAll(async () => {
  await standIn.start()
  cryptoPay = new CryptoPay({ token: standIn.token, url: `${standIn.url}/api` })
})
afterAll(() => standIn.stop())
beforeEach(() => {
  standIn.fault = () => 'none'
  standIn.areTransfersEnabled = true
})

let made = 0
const aCharge = (changes: Partial<Charge> = {}): Charge => ({
  paymentId: `pay-${++made}`,
  method: 'ton',
  amount: 125,
  currency: 'TON',
  title: { ru: 'Конфигурация, 30 дней', en: 'A configuration, 30 days' },
  returnUrl: 'https://vpn.example.com/paid',
  createdAt: 1_800_000_000,
  expiresAt: 1_800_003_600,
  ...changes,
})
const created = async (charge = aCharge()) => {
  const { providerPaymentId } = await cryptoPay.create(charge)
  const known = { ...charge, providerPaymentId: providerPaymentId as string }
  return { id: known.providerPaymentId, known }
}
const paid = async () => {
  const payment = await created()
  standIn.pay(payment.id)
  return payment
}
const aRefund = (receiptId: string, changes: Partial<Refund> = {}): Refund => ({
  refundId: `refund-${++made}`,
  receiptId,
  providerPaymentId: receiptId,
  amount: 125,
  currency: 'TON',
  payer: null,
  recipient: '777000',
  ...changes,
})
const judge = ({ headers, body }: Webhook) =>
  cryptoPay.judge({ headers, body: Buffer.from(body), ip: '203.0.113.1', now: 0 })
const faults = ['error-before', 'error-after', 'cut-before', 'cut-after'] as const
const failOnce = (fault: Fault, path: string) => {
  let isOver = false
  standIn.fault = (request) => {
    if (isOver || request.path !== path) return 'none'
    isOver = true
    return fault
  }
}

describe('creating', () => {
  test.each([
    ['TON', 125, '1.25'],
    ['USDT', 5, '0.05'],
    ['USDT', 100_000, '1000.00'],
  ])('%s %i is an invoice of %s with a link', async (currency, amount, written) => {
    const charge = aCharge({ currency, amount })
    const { providerPaymentId, link } = await cryptoPay.create(charge)
    const invoice = standIn.findByPaymentId(charge.paymentId)
    expect(invoice).toMatchObject({
      id: providerPaymentId,
      currency_type: 'crypto',
      asset: currency,
      amount: written,
      description: 'Конфигурация, 30 дней / A configuration, 30 days',
      bot_invoice_url: link,
      paid_btn_name: 'callback',
      paid_btn_url: 'https://vpn.example.com/paid',
      allow_comments: false,
      allow_anonymous: true,
    })
    const { created_at = '', expiration_date = '' } = invoice ?? {}
    expect(Date.parse(expiration_date) - Date.parse(created_at)).toBeCloseTo(3_600_000, -2)
  })

  test('a link that is not https is no button, and a life is at least a minute', async () => {
    const charge = aCharge({ returnUrl: 'http://127.0.0.1:8080/', expiresAt: 1_800_000_001 })
    await cryptoPay.create(charge)
    const {
      created_at = '',
      expiration_date = '',
      ...invoice
    } = standIn.findByPaymentId(charge.paymentId) ?? {}
    expect(invoice).not.toHaveProperty('paid_btn_url')
    expect(invoice).not.toHaveProperty('paid_btn_name')
    expect(Date.parse(expiration_date) - Date.parse(created_at)).toBeCloseTo(60_000, -2)
  })

  test.each(faults)('after %s the outcome is unknown, and the repeat makes one invoice', async (fault) => {
    const charge = aCharge()
    const before = standIn.payments.size
    failOnce(fault, '/api/createInvoice')
    await expect(cryptoPay.create(charge)).rejects.toThrow(ProviderUnreachable)
    expect(standIn.payments.size).toBe(fault.endsWith('after') ? before + 1 : before)
    const { providerPaymentId } = await cryptoPay.create(charge)
    expect(standIn.payments.size).toBe(before + 1)
    expect(standIn.findByPaymentId(charge.paymentId)?.id).toBe(providerPaymentId)
  })

  test('nothing is made while it cannot be known whether it was made before', async () => {
    const before = standIn.payments.size
    failOnce('error-before', '/api/getInvoices')
    await expect(cryptoPay.create(aCharge())).rejects.toThrow(ProviderUnreachable)
    expect(standIn.payments.size).toBe(before)
  })

  test('refusals', async () => {
    await expect(cryptoPay.create(aCharge({ currency: 'RUB' }))).rejects.toThrow(ProviderRefusal)
    await expect(cryptoPay.create(aCharge({ amount: 0 }))).rejects.toThrow(/AMOUNT_INVALID/)
    const other = new CryptoPay({ token: '1:wrong', url: `${standIn.url}/api` })
    const refusal = other.create(aCharge())
    await expect(refusal).rejects.toThrow(ProviderRefusal)
    await expect(refusal).rejects.toThrow(/token/)
    await expect(refusal).rejects.not.toThrow(/1:wrong/)
  })
})

describe('reading', () => {
  test('active, paid and expired, by the invoice’s id and without it', async () => {
    const { id, known } = await created()
    const { paymentId } = known
    const unnamed = { ...known, providerPaymentId: null }
    expect(await cryptoPay.read(known)).toEqual([])
    expect(await cryptoPay.read(unnamed)).toEqual([])
    standIn.pay(id)
    const received = {
      kind: 'received',
      paymentId,
      providerPaymentId: id,
      receiptId: id,
      amount: 125,
      currency: 'TON',
      payer: null,
    }
    expect(await cryptoPay.read(known)).toEqual([received])
    expect(await cryptoPay.read(unnamed)).toEqual([received])

    const late = await created()
    standIn.cancel(late.id)
    const canceled = { kind: 'canceled', providerPaymentId: late.id, reason: 'expired' }
    expect(await cryptoPay.read(late.known)).toEqual([{ ...canceled, paymentId: late.known.paymentId }])
  })

  test('an invoice that is not there', async () => {
    const { known } = await created()
    expect(await cryptoPay.read({ ...known, providerPaymentId: '1' })).toEqual([])
    expect(await cryptoPay.read({ ...known, paymentId: 'never', providerPaymentId: null })).toEqual([])
  })

  test('another amount and another asset are told as they are', async () => {
    const less = await created()
    const { body } = standIn.pay(less.id, { amount: 124 })
    expect(await cryptoPay.read(less.known)).toMatchObject([{ amount: 124, currency: 'TON' }])
    expect(cryptoPay.interpret(body)).toMatchObject([{ amount: 124, currency: 'TON' }])
    const other = await created()
    standIn.pay(other.id, { currency: 'USDT' })
    expect(await cryptoPay.read(other.known)).toMatchObject([{ amount: 125, currency: 'USDT' }])
  })
})

describe('refunding', () => {
  test('is a transfer to the user whom the operator names', async () => {
    const { id } = await paid()
    expect(await cryptoPay.refund(aRefund(id))).toBe('done')
    expect([...standIn.refunds.values()].at(-1)).toMatchObject({
      user_id: '777000',
      asset: 'TON',
      amount: '1.25',
    })
  })

  test.each(faults)('after %s the repeat makes one transfer', async (fault) => {
    const { id } = await paid()
    const refund = aRefund(id)
    const before = standIn.refunds.size
    failOnce(fault, '/api/transfer')
    await expect(cryptoPay.refund(refund)).rejects.toThrow(ProviderUnreachable)
    expect(await cryptoPay.refund(refund)).toBe('done')
    expect(await cryptoPay.refund(refund)).toBe('done')
    expect(standIn.refunds.size).toBe(before + 1)
  })

  test('two refunds of one number for two payments are two transfers', async () => {
    const before = standIn.refunds.size
    for (const { id } of [await paid(), await paid()]) await cryptoPay.refund(aRefund(id, { refundId: '1' }))
    expect(standIn.refunds.size).toBe(before + 2)
  })

  test.each([
    ['nobody is named', { recipient: null }, /Telegram user id/],
    ['a name is given', { recipient: '@somebody' }, /Telegram user id/],
    ['the user never opened the bot', { recipient: '5' }, /USER_NOT_FOUND/],
    ['the app has less', { amount: 100_000_000 }, /INSUFFICIENT_FUNDS/],
    ['the currency is another', { currency: 'RUB' }, /RUB/],
  ])('refused when %s', async (_what, changes, message) => {
    standIn.strangers.add(5)
    const { id } = await paid()
    const refusal = cryptoPay.refund(aRefund(id, changes))
    await expect(refusal).rejects.toThrow(ProviderRefusal)
    await expect(refusal).rejects.toThrow(message)
  })

  test('refused while transfers are off', async () => {
    const { id } = await paid()
    standIn.areTransfersEnabled = false
    await expect(cryptoPay.refund(aRefund(id))).rejects.toThrow(/METHOD_DISABLED/)
  })
})

describe('webhooks', () => {
  test('a paid invoice is told once by its own name, whatever the update’s number', async () => {
    const payments = [await created(), await created()]
    const webhooks = payments.map(({ id }) => standIn.pay(id))
    webhooks.push(standIn.sign(webhooks[0]?.body ?? ''))
    const [first, second, repeated] = webhooks.map(judge)
    expect(first).toEqual({ kind: 'event', eventId: `invoice_paid:${payments[0]?.id}` })
    expect(second).toEqual({ kind: 'event', eventId: `invoice_paid:${payments[1]?.id}` })
    expect(repeated).toEqual(first)
    for (const [index, { known }] of payments.entries()) {
      expect(cryptoPay.interpret(webhooks[index]?.body ?? '')).toEqual(await cryptoPay.read(known))
    }
  })

  test('one changed byte, another signature, or none is a forgery', async () => {
    const { id } = await created()
    const webhook = standIn.pay(id)
    const signature = webhook.headers['crypto-pay-api-signature'] ?? ''
    const signed = (text: string) => ({ ...webhook, headers: { 'crypto-pay-api-signature': text } })
    expect(judge(signed(signature.toUpperCase())).kind).toBe('event')
    const forgeries = [
      { ...webhook, body: webhook.body.replace('"1.25"', '"9.25"') },
      { ...webhook, body: `${webhook.body} ` },
      { ...webhook, headers: {} },
      signed(''),
      signed(signature.slice(1)),
      signed(`${signature}00`),
      signed(`${signature.startsWith('0') ? '1' : '0'}${signature.slice(1)}`),
      signed(signature.replace(/.$/, 'z')),
    ]
    for (const forgery of forgeries) expect(judge(forgery).kind).toBe('forged')
    const twice = { 'crypto-pay-api-signature': [signature, signature] }
    const body = Buffer.from(webhook.body)
    expect(cryptoPay.judge({ headers: twice, body, ip: '', now: 0 }).kind).toBe('forged')
    const other = new CryptoPay({ token: 'another' })
    expect(other.judge({ headers: webhook.headers, body, ip: '', now: 0 }).kind).toBe('forged')
  })
})
