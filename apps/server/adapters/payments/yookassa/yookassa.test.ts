import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../../../../test/support/providers/stand-in.ts'
import { YooKassaStandIn } from '../../../../../test/support/providers/yookassa.ts'
import { type Charge, ProviderRefusal, ProviderUnreachable, type Refund } from '../../../ports/payments.ts'
import { YooKassa } from './yookassa.ts'

const standIn = new YooKassaStandIn()
let yooKassa: YooKassa
const credentials = { shopId: standIn.shopId, secretKey: standIn.secretKey }
beforeAll(async () => {
  await standIn.start()
  yooKassa = new YooKassa({ ...credentials, url: `${standIn.url}/v3` })
})
afterAll(() => standIn.stop())
beforeEach(() => {
  standIn.fault = () => 'none'
  standIn.refundsBecome = 'succeeded'
  standIn.requests.length = 0
})

let made = 0
const aCharge = (changes: Partial<Charge> = {}): Charge => ({
  paymentId: `pay-${++made}`,
  method: 'sbp',
  amount: 250,
  currency: 'RUB',
  title: { ru: 'Конфигурация, 30 дней', en: 'A configuration, 30 days' },
  returnUrl: 'https://vpn.example.com/paid',
  createdAt: 1_800_000_000,
  expiresAt: 1_800_003_600,
  ...changes,
})
const created = async (charge = aCharge()) => {
  const { providerPaymentId } = await yooKassa.create(charge)
  const known = { ...charge, providerPaymentId: providerPaymentId as string }
  return { id: known.providerPaymentId, known }
}
const paid = async (amount = 250) => {
  const payment = await created(aCharge({ amount }))
  standIn.pay(payment.id)
  return payment
}
const aRefund = (receiptId: string, changes: Partial<Refund> = {}): Refund => ({
  refundId: `refund-${++made}`,
  receiptId,
  providerPaymentId: receiptId,
  amount: 250,
  currency: 'RUB',
  payer: null,
  recipient: null,
  ...changes,
})
const refundsOf = (id: string) => [...standIn.refunds.values()].filter((refund) => refund.payment_id === id)
const faults = ['error-before', 'error-after', 'cut-before', 'cut-after'] as const
const failOnce = (fault: Fault, method: string) => {
  let isOver = false
  standIn.fault = (request) => {
    if (isOver || request.method !== method) return 'none'
    isOver = true
    return fault
  }
}

describe('creating', () => {
  test.each([
    ['sbp', 'sbp'],
    ['card', 'bank_card'],
  ])('%s is a payment with a link', async (method, type) => {
    const charge = aCharge({ method })
    const { providerPaymentId, link } = await yooKassa.create(charge)
    const payment = standIn.findByPaymentId(charge.paymentId)
    expect(payment).toMatchObject({
      id: providerPaymentId,
      status: 'pending',
      amount: { value: '250.00', currency: 'RUB' },
      description: 'Конфигурация, 30 дней',
      payment_method: { type },
      confirmation: { return_url: 'https://vpn.example.com/paid', confirmation_url: link },
    })
    expect(link).toMatch(/^https:/)
  })

  test('a long title is cut to what the provider takes', async () => {
    const charge = aCharge({ title: { ru: 'Ж'.repeat(300), en: 'Z' } })
    await yooKassa.create(charge)
    expect(standIn.findByPaymentId(charge.paymentId)?.description).toBe('Ж'.repeat(128))
  })

  test('repeated, it is the same payment', async () => {
    const charge = aCharge()
    const before = standIn.payments.size
    const answers = await Promise.all([1, 2, 3].map(() => yooKassa.create(charge)))
    expect(new Set(answers.map((answer) => answer.providerPaymentId)).size).toBe(1)
    expect(standIn.payments.size).toBe(before + 1)
  })

  test.each(faults)('after %s the outcome is unknown, and the repeat makes one payment', async (fault) => {
    const charge = aCharge()
    const before = standIn.payments.size
    failOnce(fault, 'POST')
    await expect(yooKassa.create(charge)).rejects.toThrow(ProviderUnreachable)
    expect(standIn.payments.size).toBe(fault.endsWith('after') ? before + 1 : before)
    const { providerPaymentId } = await yooKassa.create(charge)
    expect(standIn.payments.size).toBe(before + 1)
    expect(standIn.findByPaymentId(charge.paymentId)?.id).toBe(providerPaymentId)
  })

  test.each([
    ['the same payment with another amount', { amount: 251, paymentId: 'pay-clash' }, /Idempotence-Key/],
    ['an amount above the limit', { amount: 700_001 }, /amount/],
    ['another method', { method: 'ton' }, /ton/],
    ['another currency', { currency: 'USDT' }, /USDT/],
  ])('%s is refused', async (_what, changes, message) => {
    await yooKassa.create(aCharge({ paymentId: 'pay-clash' }))
    const refusal = yooKassa.create(aCharge(changes))
    await expect(refusal).rejects.toThrow(ProviderRefusal)
    await expect(refusal).rejects.toThrow(message)
  })

  test('a wrong key is refused, and the message says so without the key', async () => {
    const other = new YooKassa({ shopId: '1', secretKey: 'wrong-key', url: `${standIn.url}/v3` })
    const refusal = other.create(aCharge())
    await expect(refusal).rejects.toThrow(ProviderRefusal)
    await expect(refusal).rejects.toThrow(/secret key/)
    await expect(refusal).rejects.not.toThrow(/wrong-key/)
  })
})

describe('reading', () => {
  test('what was made and not paid says nothing', async () => {
    const { known } = await created()
    expect(await yooKassa.read(known)).toEqual([])
    expect(await yooKassa.read({ ...known, providerPaymentId: null })).toEqual([])
    expect(await yooKassa.read({ ...known, providerPaymentId: 'unknown' })).toEqual([])
  })

  test('paid, then refunded in the provider’s cabinet in two parts', async () => {
    const { id, known } = await paid()
    const received = {
      kind: 'received',
      paymentId: known.paymentId,
      providerPaymentId: id,
      receiptId: id,
      amount: 250,
      currency: 'RUB',
      payer: null,
    }
    expect(await yooKassa.read(known)).toEqual([received])
    standIn.refundOutside(id, 100)
    const refunded = { kind: 'refunded', receiptId: id, amount: 100, currency: 'RUB' }
    expect(await yooKassa.read(known)).toEqual([received, refunded])
    standIn.refundOutside(id)
    expect(await yooKassa.read(known)).toEqual([received, { ...refunded, amount: 250 }])
  })

  test('canceled, with the reason', async () => {
    const { id, known } = await created()
    standIn.cancel(id, 'insufficient_funds')
    const { paymentId } = known
    expect(await yooKassa.read(known)).toEqual([
      { kind: 'canceled', paymentId, providerPaymentId: id, reason: 'insufficient_funds' },
    ])
  })

  test('another amount and another currency are told as they are', async () => {
    const less = await created()
    standIn.pay(less.id, { amount: 249 })
    expect(await yooKassa.read(less.known)).toMatchObject([{ amount: 249, currency: 'RUB' }])
    const other = await created()
    standIn.pay(other.id, { currency: 'USD' })
    expect(await yooKassa.read(other.known)).toMatchObject([{ amount: 25_000, currency: 'USD' }])
  })
})

describe('refunding', () => {
  test('in full and in part', async () => {
    const { id } = await paid()
    expect(await yooKassa.refund(aRefund(id, { amount: 100 }))).toBe('done')
    expect(await yooKassa.refund(aRefund(id, { amount: 150 }))).toBe('done')
    expect(standIn.payments.get(id)?.refunded_amount).toEqual({ value: '250.00', currency: 'RUB' })
  })

  test.each(faults)('after %s the repeat makes one refund', async (fault) => {
    const { id } = await paid(300)
    const refund = aRefund(id, { amount: 100 })
    failOnce(fault, 'POST')
    await expect(yooKassa.refund(refund)).rejects.toThrow(ProviderUnreachable)
    expect(await yooKassa.refund(refund)).toBe('done')
    expect(refundsOf(id)).toHaveLength(1)
  })

  test('asked again at once or after the provider forgot the key, it is made once', async () => {
    const { id } = await paid(300)
    const refund = aRefund(id, { amount: 100 })
    await Promise.all([1, 2, 3].map(() => yooKassa.refund(refund)))
    standIn.forgetKeys()
    expect(await yooKassa.refund(refund)).toBe('done')
    expect(refundsOf(id)).toHaveLength(1)
  })

  test('pending until the provider ends it', async () => {
    const { id } = await paid()
    const refund = aRefund(id)
    standIn.refundsBecome = 'pending'
    expect(await yooKassa.refund(refund)).toBe('pending')
    expect(await yooKassa.refund(refund)).toBe('pending')
    standIn.settleRefund(refundsOf(id)[0]?.id ?? '', 'succeeded')
    expect(await yooKassa.refund(refund)).toBe('done')
    expect(refundsOf(id)).toHaveLength(1)
  })

  test('canceled by the provider, it is refused with the reason', async () => {
    const { id } = await paid()
    standIn.refundsBecome = 'canceled'
    const refusal = yooKassa.refund(aRefund(id))
    await expect(refusal).rejects.toThrow(ProviderRefusal)
    await expect(refusal).rejects.toThrow(/insufficient_funds/)
  })

  test('more than is left, of an unpaid payment, or in another currency: refused', async () => {
    const { id } = await paid()
    standIn.refundOutside(id, 1)
    await expect(yooKassa.refund(aRefund(id))).rejects.toThrow(ProviderRefusal)
    const unpaid = await created()
    await expect(yooKassa.refund(aRefund(unpaid.id))).rejects.toThrow(ProviderRefusal)
    await expect(yooKassa.refund(aRefund(id, { currency: 'USDT' }))).rejects.toThrow(ProviderRefusal)
    expect(refundsOf(id)).toHaveLength(1)
  })
})

test('the provider’s own notifications lead to the payment, and to no fact', async () => {
  const { id } = await created()
  const judge = ({ body }: { body: string }) =>
    yooKassa.judge({ headers: {}, body: Buffer.from(body), ip: '185.71.76.5', now: 0 })
  const received = standIn.pay(id)
  const refunded = standIn.refundOutside(id)
  const refundId = refundsOf(id)[0]?.id
  expect(judge(received)).toEqual({ kind: 'event', eventId: `payment.succeeded:${id}` })
  expect(judge(refunded)).toEqual({ kind: 'event', eventId: `refund.succeeded:${refundId}` })
  const look = { kind: 'look', providerPaymentId: id }
  expect(yooKassa.interpret(received.body)).toEqual([{ ...look, for: 'received' }])
  expect(yooKassa.interpret(refunded.body)).toEqual([{ ...look, for: 'refunded' }])
})
