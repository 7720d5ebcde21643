import type { ProviderReply } from './stand-in.ts'

/** Stripe's objects as its API shows them, and the rules its parameters have to keep. */

export interface StripeRefund {
  readonly id: string
  readonly amount: number
  readonly metadata: Record<string, string>
  status: string
}

/** Amounts are Stripe's: kopecks and cents. */
export interface StripePayment {
  /** The session's id. */
  readonly id: string
  readonly paymentId: string
  readonly intentId: string
  readonly amount: number
  readonly currency: string
  readonly link: string
  readonly metadata: Record<string, string>
  readonly expiresAt: number
  status: 'open' | 'complete' | 'expired'
  paymentStatus: 'unpaid' | 'paid'
  /** What was paid in truth: the test may have said another amount. */
  paid: { amount: number; currency: string }
  hasFailed: boolean
  readonly refunds: StripeRefund[]
}

export const daySeconds = 86_400
const shortestSeconds = 1800
const smallestCents = 50
const required = ['mode', 'success_url', 'line_items[0][price_data][currency]', 'line_items[0][quantity]']
const known = [
  ...required,
  'cancel_url',
  'client_reference_id',
  'expires_at',
  'adaptive_pricing[enabled]',
  'payment_method_types[0]',
  'line_items[0][price_data][unit_amount]',
  'line_items[0][price_data][product_data][name]',
]
const metadataKey = /^(?:payment_intent_data\[metadata\]|metadata)\[\w+\]$/

export const found = (json: unknown): ProviderReply => ({ status: 200, json })

export const fails = (status: number, error: Record<string, unknown>): ProviderReply => ({
  status,
  json: { error: { type: 'invalid_request_error', ...error } },
})

export const missing = (what: string, id: string, param: string): ProviderReply =>
  fails(404, { code: 'resource_missing', message: `No such ${what}: '${id}'`, param })

export const minorUnits = (amount: number | undefined): number | undefined =>
  amount === undefined ? undefined : Math.round(amount * 100)

export const metadataIn = (form: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([key, value]) => {
      const name = /^metadata\[(\w+)\]$/.exec(key)?.[1]
      return name ? [[name, value]] : []
    }),
  )

/** What is wrong with the parameters of a session, if anything. */
export const refuseSession = (form: URLSearchParams, now: number): ProviderReply | undefined => {
  const param = [...form.keys()].find((key) => !known.includes(key) && !metadataKey.test(key))
  if (param) {
    return fails(400, { code: 'parameter_unknown', message: `Received unknown parameter: ${param}`, param })
  }
  const absent = required.find((key) => !form.get(key))
  if (absent) {
    const message = `Missing required param: ${absent}.`
    return fails(400, { code: 'parameter_missing', message, param: absent })
  }
  const amount = form.get('line_items[0][price_data][unit_amount]') ?? ''
  if (!/^\d+$/.test(amount)) {
    return fails(400, { code: 'parameter_invalid_integer', message: `Invalid integer: ${amount}` })
  }
  if (form.get('line_items[0][price_data][currency]') === 'usd' && Number(amount) < smallestCents) {
    const message = 'The Checkout Session total amount due must add up to at least $0.50 usd'
    return fails(400, { code: 'amount_too_small', message })
  }
  const lifetime = Number(form.get('expires_at') ?? now + daySeconds) - now
  if (lifetime >= shortestSeconds && lifetime <= daySeconds) return undefined
  const message = 'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.'
  return fails(400, { message, param: 'expires_at' })
}

export const refundedOf = ({ refunds }: StripePayment): number =>
  refunds
    .filter(({ status }) => status !== 'failed' && status !== 'canceled')
    .reduce((sum, { amount }) => sum + amount, 0)

export const chargeObject = (payment: StripePayment) => ({
  id: `ch_of_${payment.intentId}`,
  object: 'charge',
  ...payment.paid,
  amount_refunded: refundedOf(payment),
  refunded: refundedOf(payment) >= payment.paid.amount,
  disputed: false,
  paid: true,
  status: 'succeeded',
  payment_intent: payment.intentId,
  metadata: payment.metadata,
})

const intentObject = (payment: StripePayment) => ({
  id: payment.intentId,
  object: 'payment_intent',
  ...payment.paid,
  status: payment.hasFailed
    ? 'requires_payment_method'
    : payment.paymentStatus === 'paid'
      ? 'succeeded'
      : 'processing',
  latest_charge: payment.paymentStatus === 'paid' ? chargeObject(payment) : null,
  metadata: payment.metadata,
})

/** The intent is there once the customer has done something. */
export const sessionObject = (payment: StripePayment, isExpanded = false) => {
  const intent = isExpanded ? intentObject(payment) : payment.intentId
  return {
    id: payment.id,
    object: 'checkout.session',
    mode: 'payment',
    status: payment.status,
    payment_status: payment.paymentStatus,
    amount_total: payment.paid.amount,
    currency: payment.paid.currency,
    client_reference_id: payment.paymentId,
    metadata: payment.metadata,
    payment_intent: payment.status === 'complete' ? intent : null,
    expires_at: payment.expiresAt,
    url: payment.status === 'open' ? payment.link : null,
    livemode: false,
  }
}

export const refundObject = (payment: StripePayment, refund: StripeRefund) => ({
  object: 'refund',
  ...refund,
  currency: payment.paid.currency,
  charge: `ch_of_${payment.intentId}`,
  payment_intent: payment.intentId,
  ...(refund.status === 'failed' && { failure_reason: 'lost_or_stolen_card' }),
})
