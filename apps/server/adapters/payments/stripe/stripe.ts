import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  type Charge,
  type CreatedPayment,
  type KnownPayment,
  type PaymentFact,
  type PaymentProvider,
  type ProviderAccount,
  ProviderRefusal,
  ProviderUnreachable,
  type ProviderWebhook,
  type Refund,
  type WebhookRequest,
  type WebhookVerdict,
} from '../../../ports/payments.ts'
import { type Fields, fieldsOf, StripeApi, StripeRefusal } from './api.ts'
import { eventFacts, factsOfRead, isOfInterest, paymentIdOf, toMinorUnits } from './facts.ts'

/**
 * Stripe Checkout. Stripe keeps the first answer to an idempotency key for a day and repeats it, a 500 too: such a
 * payment stays unknown until it runs out, and the customer goes on with a new one, whose key is another.
 */

/** Stripe takes 30 minutes to 24 hours after its own clock; a minute is left for the way and for differing clocks. */
const minLifetimeSeconds = 31 * 60
const maxLifetimeSeconds = 24 * 3600 - 60
const signatureToleranceSeconds = 300
const maxName = 250

const parse = (text: string): Fields => {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}

const nameOf = ({ ru, en }: Charge['title']): string => (ru === en ? ru : `${ru} / ${en}`).slice(0, maxName)

const sessionForm = (charge: Charge): Readonly<Record<string, string>> => {
  const lifetime = Math.min(
    Math.max(charge.expiresAt - charge.createdAt, minLifetimeSeconds),
    maxLifetimeSeconds,
  )
  return {
    mode: 'payment',
    success_url: charge.returnUrl,
    cancel_url: charge.returnUrl,
    client_reference_id: charge.paymentId,
    'metadata[payment_id]': charge.paymentId,
    'payment_intent_data[metadata][payment_id]': charge.paymentId,
    'payment_method_types[0]': 'card',
    // Otherwise the customer may pay in a currency of their own choice.
    'adaptive_pricing[enabled]': 'false',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': charge.currency.toLowerCase(),
    'line_items[0][price_data][unit_amount]': toMinorUnits(charge.amount, charge.currency),
    'line_items[0][price_data][product_data][name]': nameOf(charge.title),
    expires_at: String(charge.createdAt + lifetime),
  }
}

const outcomeOf = (refund: Fields, receiptId: string): 'done' | 'pending' => {
  if (refund.payment_intent !== receiptId)
    throw new ProviderUnreachable('Stripe answered about another refund')
  if (refund.status === 'succeeded') return 'done'
  if (refund.status === 'pending' || refund.status === 'requires_action') return 'pending'
  if (refund.status === 'failed' || refund.status === 'canceled') {
    const reason = typeof refund.failure_reason === 'string' ? `, ${refund.failure_reason}` : ''
    throw new ProviderRefusal(`Stripe could not refund: ${refund.status}${reason}`)
  }
  throw new ProviderUnreachable('Stripe answered a refund in an unknown form')
}

const readSignature = (header: unknown): { time: string; signatures: readonly string[] } | undefined => {
  if (typeof header !== 'string') return undefined
  const pairs = header.split(',').map((pair) => pair.trim().split('='))
  const valuesOf = (key: string) => pairs.filter(([name]) => name === key).map(([, value]) => value ?? '')
  const [time, ...more] = valuesOf('t')
  const signatures = valuesOf('v1').filter((value) => /^[0-9a-f]{64}$/.test(value))
  return time && /^\d{1,12}$/.test(time) && more.length === 0 ? { time, signatures } : undefined
}

export class Stripe implements PaymentProvider {
  readonly name = 'stripe'
  readonly methods = ['card']
  readonly currencies = ['RUB', 'USD']
  readonly #api: StripeApi
  readonly #webhookSecret: string

  constructor(options: {
    readonly secretKey: string
    readonly webhookSecret: string
    readonly url?: string
    readonly timeoutMs?: number
  }) {
    if (options.webhookSecret === '') throw new Error('The secret of the Stripe webhook is empty')
    this.#api = new StripeApi({ ...options, url: options.url ?? 'https://api.stripe.com' })
    this.#webhookSecret = options.webhookSecret
  }

  async create(charge: Charge): Promise<CreatedPayment> {
    const session = await this.#api.post(
      '/v1/checkout/sessions',
      sessionForm(charge),
      `payment-${charge.paymentId}`,
    )
    const { id, url } = session
    if (typeof id !== 'string' || !/^cs_\w+$/.test(id) || paymentIdOf(session) !== charge.paymentId) {
      throw new ProviderUnreachable('Stripe answered about another payment')
    }
    if (typeof url !== 'string' || !URL.canParse(url) || new URL(url).protocol !== 'https:') {
      throw new ProviderUnreachable('Stripe gave a link in an unknown form')
    }
    return { providerPaymentId: id, link: url }
  }

  /** Without Stripe's id nobody has the link either, so nobody can have paid. */
  async read({ paymentId, providerPaymentId }: KnownPayment): Promise<readonly PaymentFact[]> {
    if (providerPaymentId === null) return []
    const path = `/v1/checkout/sessions/${encodeURIComponent(providerPaymentId)}`
    const session = await this.#api.get(`${path}?expand[]=payment_intent.latest_charge`)
    if (session.id !== providerPaymentId || paymentIdOf(session) !== paymentId) {
      throw new ProviderUnreachable('Stripe answered about another payment')
    }
    return factsOfRead(session)
  }

  /**
   * A repeated key repeats the old answer for a day and starts a second refund after it, so the refund is first
   * looked for by our id.
   */
  async refund({ refundId, receiptId, amount, currency }: Refund): Promise<'done' | 'pending'> {
    const { data } = await this.#api.get(
      `/v1/refunds?payment_intent=${encodeURIComponent(receiptId)}&limit=100`,
    )
    if (!Array.isArray(data)) throw new ProviderUnreachable('Stripe listed refunds in an unknown form')
    const known = data.map(fieldsOf).find(({ metadata }) => fieldsOf(metadata).refund_id === refundId)
    if (known) return outcomeOf(known, receiptId)
    const form = {
      payment_intent: receiptId,
      amount: toMinorUnits(amount, currency),
      'metadata[refund_id]': refundId,
    }
    try {
      return outcomeOf(await this.#api.post('/v1/refunds', form, `refund-${refundId}`), receiptId)
    } catch (error) {
      if (error instanceof StripeRefusal && error.code === 'charge_already_refunded') return 'done'
      throw error
    }
  }

  async check(): Promise<ProviderAccount> {
    const balance = await this.#api.get('/v1/balance')
    if (balance.object !== 'balance') throw new ProviderUnreachable('Stripe answered with no balance')
    return {
      account: balance.livemode === true ? 'a live account' : 'a test account',
      isTest: balance.livemode !== true,
      problem: undefined,
      webhooks: await this.#webhooks(),
    }
  }

  judge({ headers, body, now }: WebhookRequest): WebhookVerdict {
    const signature = readSignature(headers['stripe-signature'])
    if (!signature) return { kind: 'forged', reason: 'the signature is missing' }
    const expected = createHmac('sha256', this.#webhookSecret)
      .update(`${signature.time}.`)
      .update(body)
      .digest()
    if (!signature.signatures.some((given) => timingSafeEqual(Buffer.from(given, 'hex'), expected))) {
      return { kind: 'forged', reason: 'the signature does not match' }
    }
    if (Math.abs(now - Number(signature.time)) > signatureToleranceSeconds) {
      return { kind: 'forged', reason: 'the signature is not of this moment' }
    }
    const event = parse(body.toString('utf8'))
    if (typeof event.id !== 'string' || event.id === '' || !isOfInterest(event)) return { kind: 'ignored' }
    return { kind: 'event', eventId: event.id }
  }

  interpret(body: string): readonly PaymentFact[] {
    return eventFacts(parse(body))
  }

  /** A restricted key may not list them. */
  async #webhooks(): Promise<readonly ProviderWebhook[] | undefined> {
    try {
      const { data } = await this.#api.get('/v1/webhook_endpoints?limit=100')
      if (!Array.isArray(data)) return undefined
      return data.map(fieldsOf).map(({ url, status, enabled_events: events }) => {
        const isOff = status !== 'enabled'
        const isDeaf =
          Array.isArray(events) && !events.includes('*') && !events.includes('checkout.session.completed')
        const deaf = isDeaf ? 'it is not sent checkout.session.completed' : undefined
        return { url: String(url), problem: isOff ? 'it is switched off' : deaf }
      })
    } catch (error) {
      if (error instanceof ProviderRefusal) return undefined
      throw error
    }
  }
}
