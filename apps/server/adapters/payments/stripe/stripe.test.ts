import { inspect } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Fault } from '../../../../../test/support/providers/stand-in.ts'
import { StripeStandIn } from '../../../../../test/support/providers/stripe.ts'
import { ProviderRefusal, ProviderUnreachable } from '../../../ports/payments.ts'
import { Stripe } from './stripe.ts'

const start = 1_800_000_000
let now: number
let standIn: StripeStandIn
let stripe: Stripe

const charge = (change = {}) => ({
  paymentId: 'pay_1',
  method: 'card',
  amount: 500,
  currency: 'RUB',
  title: { ru: 'VLESS, 30 дней', en: 'VLESS, 30 days' },
  returnUrl: 'https://vpn.example/?a=1&b=2',
  createdAt: start,
  expiresAt: start + 3600,
  ...change,
})
const refundOf = (change = {}) => ({
  refundId: 'ref_1',
  receiptId: made().intentId,
  providerPaymentId: made().id,
  amount: 500,
  currency: 'RUB',
  payer: null,
  recipient: null,
  ...change,
})
const made = () => standIn.findByPaymentId('pay_1') ?? expect.fail('no session was made')
const failsOnce = (fault: Fault): void => {
  standIn.fault = ({ method }) => {
    if (method !== 'POST') return 'none'
    standIn.fault = () => 'none'
    return fault
  }
}
const faults: [Fault][] = [['error-before'], ['error-after'], ['cut-before'], ['cut-after']]

beforeEach(async () => {
  now = start
  standIn = await new StripeStandIn(() => now).start()
  const { secretKey, webhookSecret, url } = standIn
  stripe = new Stripe({ secretKey, webhookSecret, url, timeoutMs: 1000 })
  return () => standIn.stop()
})

describe('create', () => {
  test('asks for a session in kopecks, with our id everywhere', async () => {
    expect(await stripe.create(charge())).toEqual({ providerPaymentId: made().id, link: made().link })
    expect(made()).toMatchObject({ amount: 50_000, currency: 'rub', expiresAt: start + 3600 })
    const [request] = standIn.requests
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toMatchObject({
      mode: 'payment',
      client_reference_id: 'pay_1',
      'metadata[payment_id]': 'pay_1',
      'payment_intent_data[metadata][payment_id]': 'pay_1',
      success_url: 'https://vpn.example/?a=1&b=2',
      cancel_url: 'https://vpn.example/?a=1&b=2',
      'line_items[0][price_data][product_data][name]': 'VLESS, 30 дней / VLESS, 30 days',
    })
  })

  test('dollars are cents on both sides', async () => {
    await stripe.create(charge({ amount: 799, currency: 'USD' }))
    expect(made()).toMatchObject({ amount: 799, currency: 'usd' })
  })

  test.each([
    ['short', 60, 31 * 60],
    ['usual', 3600, 3600],
    ['long', 7 * 86_400, 86_340],
  ])('a %s life is one that Stripe takes', async (_what, asked, given) => {
    // The request reaches Stripe a moment after the payment was written down.
    now += 5
    await stripe.create(charge({ expiresAt: start + asked }))
    expect(made().expiresAt).toBe(start + given)
  })

  test('repeating gives the same session', async () => {
    expect(await stripe.create(charge())).toEqual(await stripe.create(charge()))
    expect(standIn.payments.size).toBe(1)
  })

  test.each(faults)('%s and a repetition make one session', async (fault) => {
    failsOnce(fault)
    await expect(stripe.create(charge())).rejects.toThrow(ProviderUnreachable)
    await stripe.create(charge())
    expect(standIn.payments.size).toBe(1)
  })

  test('a failure that Stripe repeats stays unknown and stops only this payment', async () => {
    standIn.storesFailures = true
    await expect(stripe.create(charge())).rejects.toThrow(ProviderUnreachable)
    standIn.storesFailures = false
    await expect(stripe.create(charge())).rejects.toThrow(ProviderUnreachable)
    await expect(stripe.create(charge({ paymentId: 'pay_2' }))).resolves.toBeDefined()
  })

  test('the same payment with another amount is refused', async () => {
    await stripe.create(charge())
    const another = stripe.create(charge({ amount: 501 }))
    await expect(another).rejects.toThrow(/idempotency_error/)
    await expect(another).rejects.toThrow(ProviderRefusal)
  })

  test.each([
    ['too little', { amount: 49, currency: 'USD' }, /amount_too_small/],
    ['another currency', { currency: 'TON' }, /TON/],
    ['no address to come back to', { returnUrl: '' }, /parameter_missing/],
  ])('%s is refused', async (_what, change, reason) => {
    const refused = stripe.create(charge(change))
    await expect(refused).rejects.toThrow(ProviderRefusal)
    await expect(refused).rejects.toThrow(reason)
  })

  const session = {
    id: 'cs_1',
    metadata: { payment_id: 'pay_1' },
    url: 'https://checkout.stripe.com/c/pay/cs_1',
  }
  test.each([
    ['too many requests', 429, { error: { type: 'invalid_request_error', code: 'rate_limit' } }],
    ['the same key at work', 409, { error: { type: 'idempotency_error' } }],
    ['an error of its own', 503, { error: { type: 'api_error' } }],
    ['a page of something else', 403, '<html>'],
    ['another answer', 201, session],
    ['not an object', 200, null],
    ['no id', 200, { ...session, id: undefined }],
    ['an id that is a path', 200, { ...session, id: 'cs_1/../x' }],
    ['another payment', 200, { ...session, metadata: { payment_id: 'pay_2' } }],
    ['no link', 200, { ...session, url: null }],
    ['a link that runs', 200, { ...session, url: 'javascript:alert(1)' }],
  ])('%s says nothing about the outcome', async (_what, status, json) => {
    standIn.says = () => ({ status, json })
    await expect(stripe.create(charge())).rejects.toThrow(ProviderUnreachable)
  })
})

describe('the key', () => {
  const messageOf = async (broken: Stripe): Promise<string> =>
    inspect(await broken.create(charge()).catch((error: unknown) => error), { depth: 20, showHidden: true })

  test('of somebody else is refused and stays out of the message', async () => {
    const broken = new Stripe({ secretKey: 'sk_live_wrong', webhookSecret: 's', url: standIn.url })
    await expect(broken.create(charge())).rejects.toThrow(ProviderRefusal)
    expect(await messageOf(broken)).not.toContain('sk_live_wrong')
    standIn.says = ({ headers }) => ({
      status: 400,
      json: { error: { type: 'invalid_request_error', message: `No ${headers.authorization}` } },
    })
    expect(await messageOf(broken)).toContain('No Bearer ***')
  })

  test('stays out of the message when nobody answers', async () => {
    standIn.fault = () => 'cut-before'
    expect(await messageOf(stripe)).not.toContain(standIn.secretKey)
  })

  test('with a line end is refused at once, unnamed', () => {
    expect(() => new Stripe({ secretKey: 'sk_x\n', webhookSecret: 's' })).toThrow(/^(?!.*sk_x).*$/)
    expect(() => new Stripe({ secretKey: 'sk_x', webhookSecret: '' })).toThrow(/empty/)
  })
})

describe('refund', () => {
  const paid = async (): Promise<void> => {
    await stripe.create(charge())
    standIn.pay(made().id)
  }

  test('gives back roubles as kopecks, once however often it is asked', async () => {
    await paid()
    expect(await stripe.refund(refundOf())).toBe('done')
    now += 3 * 86_400
    expect(await stripe.refund(refundOf())).toBe('done')
    expect(made().refunds).toMatchObject([{ amount: 50_000, metadata: { refund_id: 'ref_1' } }])
  })

  test.each(faults)('%s and a repetition give back once, even after Stripe forgot the key', async (fault) => {
    await paid()
    failsOnce(fault)
    await expect(stripe.refund(refundOf({ amount: 200 }))).rejects.toThrow(ProviderUnreachable)
    now += 2 * 86_400
    expect(await stripe.refund(refundOf({ amount: 200 }))).toBe('done')
    expect(made().refunds).toHaveLength(1)
  })

  test('two at the same moment, neither of which sees the other, give back once', async () => {
    await paid()
    standIn.says = ({ method }) => (method === 'GET' ? { status: 200, json: { data: [] } } : undefined)
    const refund = refundOf({ amount: 200 })
    expect(await Promise.all([stripe.refund(refund), stripe.refund(refund)])).toEqual(['done', 'done'])
    expect(made().refunds).toHaveLength(1)
  })

  test('a failure that Stripe repeats does not hide the refund it made', async () => {
    await paid()
    standIn.storesFailures = true
    await expect(stripe.refund(refundOf())).rejects.toThrow(ProviderUnreachable)
    expect(await stripe.refund(refundOf())).toBe('done')
    expect(made().refunds).toHaveLength(1)
  })

  test.each(['pending', 'requires_action'])('%s is asked about again', async (status) => {
    await paid()
    standIn.refundStatus = status
    expect(await stripe.refund(refundOf())).toBe('pending')
    expect(await stripe.refund(refundOf())).toBe('pending')
    standIn.settleRefunds(made().id, 'succeeded')
    expect(await stripe.refund(refundOf())).toBe('done')
    expect(made().refunds).toHaveLength(1)
  })

  test.each(['failed', 'canceled'])('%s is a refusal', async (status) => {
    await paid()
    standIn.refundStatus = status
    await expect(stripe.refund(refundOf())).rejects.toThrow(ProviderRefusal)
    await expect(stripe.refund(refundOf())).rejects.toThrow(status)
  })

  test('what was refunded elsewhere is done; more than is left, or of nothing, is refused', async () => {
    await paid()
    await expect(stripe.refund(refundOf({ amount: 501 }))).rejects.toThrow(ProviderRefusal)
    standIn.refundOutside(made().id)
    expect(await stripe.refund(refundOf())).toBe('done')
    await expect(stripe.refund(refundOf({ receiptId: 'pi_unknown' }))).rejects.toThrow(/resource_missing/)
  })

  test.each([
    ['another payment', { payment_intent: 'pi_other', status: 'succeeded' }],
    ['an unknown status', { status: 'splendid' }],
    ['no status', {}],
  ])('%s is no answer', async (_what, change) => {
    await paid()
    const refund = { payment_intent: made().intentId, metadata: { refund_id: 'ref_1' }, ...change }
    standIn.says = ({ method }) => ({ status: 200, json: method === 'GET' ? { data: [] } : refund })
    await expect(stripe.refund(refundOf())).rejects.toThrow(ProviderUnreachable)
    standIn.says = () => ({ status: 200, json: { data: [refund] } })
    await expect(stripe.refund(refundOf())).rejects.toThrow(ProviderUnreachable)
    standIn.says = () => ({ status: 200, json: {} })
    await expect(stripe.refund(refundOf())).rejects.toThrow(ProviderUnreachable)
  })
})
