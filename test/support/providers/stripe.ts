import { createHash, createHmac } from 'node:crypto'
import { type ProviderReply, type ProviderRequest, StandIn, type Webhook } from './stand-in.ts'
import {
  chargeObject,
  daySeconds,
  fails,
  found,
  metadataIn,
  minorUnits,
  missing,
  refundedOf,
  refundObject,
  refuseSession,
  type StripePayment,
  sessionObject,
} from './stripe-objects.ts'

/** Stripe's API as far as Checkout and refunds go: its validation, its stored answers, its signed events. */

interface StoredAnswer {
  readonly digest: string
  readonly reply: ProviderReply
  readonly storedAt: number
}

export class StripeStandIn extends StandIn {
  readonly secretKey = `sk_test_${'standin'.padEnd(24, '0')}`
  readonly webhookSecret = 'whsec_stand-in-secret-of-the-endpoint'
  /** By the ids of their sessions. */
  readonly payments = new Map<string, StripePayment>()
  /** What it answers instead, when this gives something. */
  says: (request: ProviderRequest) => ProviderReply | undefined = () => undefined
  /** Where its events go. */
  webhookEndpoints: readonly Readonly<Record<string, unknown>>[] = []
  /** What becomes of refunds made now. */
  refundStatus = 'succeeded'
  /** Stripe fails in the middle of the work, keeps that under the key and repeats it. */
  storesFailures = false
  readonly #stored = new Map<string, StoredAnswer>()
  readonly #now: () => number
  #counter = 0

  constructor(now: () => number) {
    super()
    this.#now = now
  }

  get env(): Record<string, string> {
    return {
      STRIPE_SECRET_KEY: this.secretKey,
      STRIPE_WEBHOOK_SECRET: this.webhookSecret,
      STRIPE_URL: this.url,
    }
  }

  findByPaymentId(paymentId: string): StripePayment | undefined {
    return [...this.payments.values()].findLast((payment) => payment.paymentId === paymentId)
  }

  /** The customer pays, roubles or dollars. Delayed: the bank says yes or no later, with settle. */
  pay(id: string, change: { amount?: number; currency?: string; isDelayed?: boolean } = {}): Webhook {
    this.expireDue()
    const payment = this.#open(id)
    payment.status = 'complete'
    payment.paymentStatus = change.isDelayed ? 'unpaid' : 'paid'
    const currency = change.currency?.toLowerCase() ?? payment.currency
    payment.paid = { amount: minorUnits(change.amount) ?? payment.amount, currency }
    return this.tell('checkout.session.completed', sessionObject(payment))
  }

  settle(id: string, isPaid: boolean): Webhook {
    const payment = this.#payment(id)
    if (isPaid) payment.paymentStatus = 'paid'
    else payment.hasFailed = true
    const outcome = isPaid ? 'succeeded' : 'failed'
    return this.tell(`checkout.session.async_payment_${outcome}`, sessionObject(payment))
  }

  expire(id: string): Webhook {
    const payment = this.#open(id)
    payment.status = 'expired'
    return this.tell('checkout.session.expired', sessionObject(payment))
  }

  cancel(id: string): Webhook {
    return this.expire(id)
  }

  /** Ends the sessions whose time is over, as Stripe does by itself. */
  expireDue(): void {
    for (const { id, status, expiresAt } of this.payments.values()) {
      if (status === 'open' && expiresAt <= this.#now()) this.expire(id)
    }
  }

  /** Somebody refunds in Stripe's dashboard, roubles or dollars: all that is left unless given. */
  refundOutside(id: string, amount?: number): Webhook {
    const payment = this.#payment(id)
    const left = payment.paid.amount - refundedOf(payment)
    const asked = minorUnits(amount) ?? left
    if (payment.paymentStatus !== 'paid' || asked <= 0 || asked > left)
      throw new Error(`${id} has no such refund`)
    this.#refund(payment, asked, {})
    return this.webhooks.at(-1) as Webhook
  }

  /** What becomes of a refund that was pending. */
  settleRefunds(id: string, status: string): void {
    for (const refund of this.#payment(id).refunds) refund.status = status
  }

  dispute(id: string, type = 'charge.dispute.created'): Webhook {
    const { intentId, paid } = this.#payment(id)
    const about = { charge: `ch_of_${intentId}`, payment_intent: intentId, reason: 'fraudulent' }
    return this.tell(type, { id: `du_${++this.#counter}`, object: 'dispute', ...about, ...paid })
  }

  sign(body: string, at = this.#now()): Record<string, string> {
    const signature = createHmac('sha256', this.webhookSecret).update(`${at}.${body}`).digest('hex')
    return { 'stripe-signature': `t=${at},v1=${signature}` }
  }

  /** An event on its way to the webhook; tests make strange ones with it. */
  tell(type: string, object: object): Webhook {
    const id = `evt_${++this.#counter}`
    const event = { id, object: 'event', created: this.#now(), type, livemode: false, data: { object } }
    const body = JSON.stringify(event)
    const webhook = { provider: 'stripe', headers: this.sign(body), body }
    this.webhooks.push(webhook)
    return webhook
  }

  protected override answer(request: ProviderRequest): ProviderReply {
    const said = this.says(request)
    if (said) return said
    if (request.headers.authorization !== `Bearer ${this.secretKey}`) {
      return fails(401, { message: 'Invalid API Key provided: sk_test_****0000' })
    }
    this.expireDue()
    if (request.method === 'GET') return this.#read(request)
    const form = new URLSearchParams(request.body)
    if (request.path === '/v1/checkout/sessions') return this.#once(request, () => this.#createSession(form))
    if (request.path === '/v1/refunds') return this.#once(request, () => this.#createRefund(form))
    return this.#unknown(request)
  }

  protected override failure(): ProviderReply {
    return fails(500, { type: 'api_error', message: 'An unknown error occurred' })
  }

  #unknown({ method, path }: ProviderRequest): ProviderReply {
    return fails(404, { message: `Unrecognized request URL (${method}: ${path}).` })
  }

  #payment(id: string): StripePayment {
    const payment = this.payments.get(id)
    if (!payment) throw new Error(`no session ${id}`)
    return payment
  }

  #byIntent(intentId: string): StripePayment | undefined {
    return [...this.payments.values()].find((one) => one.intentId === intentId)
  }

  #open(id: string): StripePayment {
    const payment = this.#payment(id)
    if (payment.status !== 'open') throw new Error(`session ${id} is ${payment.status}`)
    return payment
  }

  /** What was done is kept under the key for a day; refused parameters are not. */
  #once(request: ProviderRequest, execute: () => ProviderReply): ProviderReply {
    const key = String(request.headers['idempotency-key'] ?? '')
    const digest = createHash('sha256').update(`${request.path}?${request.body}`).digest('hex')
    const stored = this.#stored.get(key)
    if (stored && stored.storedAt + daySeconds > this.#now()) {
      if (stored.digest === digest) return stored.reply
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
      return fails(400, { type: 'idempotency_error', message })
    }
    const done = execute()
    const reply = this.storesFailures && done.status === 200 ? this.failure() : done
    if (key && done.status === 200) this.#stored.set(key, { digest, reply, storedAt: this.#now() })
    return reply
  }

  #read(request: ProviderRequest): ProviderReply {
    if (request.path === '/v1/balance') return found({ object: 'balance', livemode: false, available: [] })
    if (request.path === '/v1/webhook_endpoints') {
      return found({ object: 'list', has_more: false, data: this.webhookEndpoints })
    }
    if (request.path === '/v1/refunds') {
      const payment = this.#byIntent(request.query.get('payment_intent') ?? '')
      const data = payment?.refunds.map((refund) => refundObject(payment, refund)) ?? []
      return found({ object: 'list', url: '/v1/refunds', has_more: false, data: data.reverse() })
    }
    const id = /^\/v1\/checkout\/sessions\/([^/]+)$/.exec(request.path)?.[1]
    if (id === undefined) return this.#unknown(request)
    const payment = this.payments.get(id)
    if (!payment) return missing('checkout.session', id, 'session')
    const isExpanded = request.query.getAll('expand[]').includes('payment_intent.latest_charge')
    return found(sessionObject(payment, isExpanded))
  }

  #createSession(form: URLSearchParams): ProviderReply {
    const refusal = refuseSession(form, this.#now())
    if (refusal) return refusal
    const number = ++this.#counter
    const id = `cs_test_${number}`
    const metadata = metadataIn(form)
    const amount = Number(form.get('line_items[0][price_data][unit_amount]'))
    const currency = form.get('line_items[0][price_data][currency]') ?? ''
    const payment: StripePayment = {
      id,
      paymentId: metadata.payment_id ?? '',
      intentId: `pi_${number}`,
      amount,
      currency,
      link: `https://checkout.stripe.com/c/pay/${id}`,
      metadata,
      expiresAt: Number(form.get('expires_at') ?? this.#now() + daySeconds),
      status: 'open',
      paymentStatus: 'unpaid',
      paid: { amount, currency },
      hasFailed: false,
      refunds: [],
    }
    this.payments.set(id, payment)
    return found(sessionObject(payment))
  }

  #createRefund(form: URLSearchParams): ProviderReply {
    const intentId = form.get('payment_intent') ?? ''
    const payment = this.#byIntent(intentId)
    if (payment?.paymentStatus !== 'paid') return missing('payment_intent', intentId, 'payment_intent')
    const left = payment.paid.amount - refundedOf(payment)
    const amount = Number(form.get('amount') ?? left)
    if (left === 0) {
      const message = `Charge ch_of_${intentId} has already been refunded.`
      return fails(400, { code: 'charge_already_refunded', message })
    }
    if (!(amount > 0 && amount <= left)) {
      const message = `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`
      return fails(400, { message, param: 'amount' })
    }
    return found(refundObject(payment, this.#refund(payment, amount, metadataIn(form))))
  }

  #refund(payment: StripePayment, amount: number, metadata: Record<string, string>) {
    const refund = { id: `re_${++this.#counter}`, amount, metadata, status: this.refundStatus }
    payment.refunds.push(refund)
    this.tell('charge.refunded', chargeObject(payment))
    return refund
  }
}
