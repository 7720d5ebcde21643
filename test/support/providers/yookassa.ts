import { randomUUID } from 'node:crypto'
import { type ProviderReply, type ProviderRequest, StandIn, type Webhook } from './stand-in.ts'

/** YooKassa as its documentation describes it: https://yookassa.ru/developers */

interface Money {
  value: string
  currency: string
}

export interface YooKassaPayment {
  id: string
  status: 'pending' | 'succeeded' | 'canceled'
  paid: boolean
  amount: Money
  description: string
  metadata: Record<string, string>
  payment_method: { type: string }
  confirmation?: { type: 'redirect'; return_url: string; confirmation_url: string }
  refunded_amount?: Money
  cancellation_details?: { party: string; reason: string }
  created_at: string
  test: boolean
}

export interface YooKassaRefund {
  id: string
  payment_id: string
  status: 'pending' | 'succeeded' | 'canceled'
  amount: Money
  description?: string
  cancellation_details?: { party: string; reason: string }
  created_at: string
}

interface Body {
  amount?: Partial<Money>
  capture?: boolean
  description?: string
  metadata?: Record<string, string>
  confirmation?: { type?: string; return_url?: string }
  payment_method_data?: { type?: string }
  payment_id?: string
}

const kopecks = (money: Money | undefined): number => Math.round(Number(money?.value ?? 0) * 100)
const moneyOf = (sum: number, currency: string): Money => ({ value: (sum / 100).toFixed(2), currency })
const isValue = (value: string): boolean => /^\d+\.\d\d$/.test(value)
const maxRub: Readonly<Record<string, number>> = { sbp: 700_000, bank_card: 350_000 }
const ok = (json: object): ProviderReply => ({ status: 200, json })
const failed = (status: number, code: string, description: string, parameter?: string): ProviderReply => ({
  status,
  json: { type: 'error', id: randomUUID(), code, description, ...(parameter && { parameter }) },
})
const invalid = (parameter: string) => failed(400, 'invalid_request', `Incorrect ${parameter}`, parameter)
const notFound = () => failed(404, 'not_found', 'The requested object does not exist')

export class YooKassaStandIn extends StandIn {
  readonly shopId = '100500'
  readonly secretKey = 'test_secret'
  /** What it tells of the shop itself. */
  shop = { account_id: this.shopId, status: 'enabled', test: true, fiscalization_enabled: false }
  /** By YooKassa's own ids. */
  readonly payments = new Map<string, YooKassaPayment>()
  readonly refunds = new Map<string, YooKassaRefund>()
  /** What becomes of the next refunds asked for through the API. */
  refundsBecome: YooKassaRefund['status'] = 'succeeded'
  readonly #byPaymentId = new Map<string, YooKassaPayment>()
  readonly #keys = new Map<string, { request: string; made: YooKassaPayment | YooKassaRefund }>()

  get env(): Record<string, string> {
    return {
      YOOKASSA_SHOP_ID: this.shopId,
      YOOKASSA_SECRET_KEY: this.secretKey,
      YOOKASSA_URL: `${this.url}/v3`,
      YOOKASSA_WEBHOOK_NETWORKS: '127.0.0.0/8',
    }
  }

  findByPaymentId(paymentId: string): YooKassaPayment | undefined {
    return this.#byPaymentId.get(paymentId)
  }

  /** The customer pays. An amount is in roubles; it and the currency are the payment's unless given. */
  pay(id: string, { amount, currency }: { amount?: number; currency?: string } = {}): Webhook {
    const payment = this.#in('pending', id)
    if (amount !== undefined) payment.amount = moneyOf(amount * 100, payment.amount.currency)
    if (currency !== undefined) payment.amount.currency = currency
    delete payment.confirmation
    Object.assign(payment, { status: 'succeeded', paid: true })
    return this.#notify('payment.succeeded', payment)
  }

  /** The customer or the bank declines, or the hour to pay is over. */
  cancel(id: string, reason = 'expired_on_confirmation'): Webhook {
    const payment = this.#in('pending', id)
    delete payment.confirmation
    Object.assign(payment, { status: 'canceled', cancellation_details: { party: 'yoo_money', reason } })
    return this.#notify('payment.canceled', payment)
  }

  /** The shop's owner refunds in YooKassa's own cabinet: an amount in roubles, all that is left unless given. */
  refundOutside(id: string, amount?: number): Webhook {
    const payment = this.#in('succeeded', id)
    const left = this.#left(payment)
    const asked = amount === undefined ? left : amount * 100
    if (asked <= 0 || asked > left) throw new Error(`${asked} of the ${left} kopecks left cannot be refunded`)
    const refund = this.#addRefund(payment, moneyOf(asked, payment.amount.currency))
    return this.settleRefund(refund.id, 'succeeded') as Webhook
  }

  /** A pending refund ends. YooKassa tells of success only. */
  settleRefund(id: string, status: 'succeeded' | 'canceled'): Webhook | undefined {
    const refund = this.refunds.get(id)
    if (refund?.status !== 'pending') throw new Error(`refund ${id} is not pending`)
    refund.status = status
    if (status === 'succeeded') return this.#paidBack(refund)
    refund.cancellation_details = { party: 'yoo_money', reason: 'insufficient_funds' }
    return undefined
  }

  /** A day passes: YooKassa keeps idempotency keys no longer. */
  forgetKeys(): void {
    this.#keys.clear()
  }

  protected failure(): ProviderReply {
    return failed(500, 'internal_server_error', 'Technical difficulties, the outcome is unknown')
  }

  protected answer(request: ProviderRequest): ProviderReply {
    const credentials = Buffer.from(`${this.shopId}:${this.secretKey}`).toString('base64')
    if (request.headers.authorization !== `Basic ${credentials}`) {
      return failed(401, 'invalid_credentials', 'Basic authentication failed', 'Authorization')
    }
    const [version, kind, id] = request.path.split('/').slice(1)
    if (version === 'v3' && kind === 'me' && id === undefined) return ok(this.shop)
    if (version !== 'v3' || (kind !== 'payments' && kind !== 'refunds')) return notFound()
    if (request.method === 'POST' && id === undefined) return this.#once(request, kind)
    if (request.method !== 'GET') return failed(405, 'invalid_request', 'Method not allowed')
    if (id !== undefined) {
      const found = (kind === 'payments' ? this.payments : this.refunds).get(decodeURIComponent(id))
      return found ? ok(found) : notFound()
    }
    const paymentId = request.query.get('payment_id')
    if (kind === 'payments' || paymentId === null) return notFound()
    const items = [...this.refunds.values()].filter((refund) => refund.payment_id === paymentId)
    return ok({ type: 'list', items: items.slice(-Number(request.query.get('limit') ?? 10)).reverse() })
  }

  /** The same key and body give the same object as it is now; the same key with another body is an error. */
  #once(request: ProviderRequest, kind: 'payments' | 'refunds'): ProviderReply {
    const key = request.headers['idempotence-key']
    if (typeof key !== 'string' || key.length === 0 || key.length > 64) return invalid('Idempotence-Key')
    const known = this.#keys.get(key)
    const signature = `${kind} ${request.body}`
    if (known) return known.request === signature ? ok(known.made) : invalid('Idempotence-Key')
    const body = JSON.parse(request.body) as Body
    const reply = kind === 'payments' ? this.#create(body) : this.#refund(body)
    if (reply.status === 200) {
      this.#keys.set(key, { request: signature, made: reply.json as YooKassaPayment | YooKassaRefund })
    }
    return reply
  }

  #create({ amount, description = '', metadata = {}, confirmation, capture, ...body }: Body): ProviderReply {
    const type = body.payment_method_data?.type ?? ''
    const limit = maxRub[type]
    const value = amount?.value ?? ''
    if (limit === undefined) return invalid('payment_method_data.type')
    if (!isValue(value) || Number(value) < 1 || Number(value) > limit) return invalid('amount.value')
    if (amount?.currency !== 'RUB') return invalid('amount.currency')
    if (confirmation?.type !== 'redirect' || !confirmation.return_url) return invalid('confirmation')
    if (capture !== true) return invalid('capture')
    if (description.length > 128) return invalid('description')
    if (Object.keys(metadata).length > 16) return invalid('metadata')
    const id = randomUUID()
    const payment: YooKassaPayment = {
      id,
      status: 'pending',
      paid: false,
      amount: { value, currency: 'RUB' },
      description,
      metadata,
      payment_method: { type },
      confirmation: {
        type: 'redirect',
        return_url: confirmation.return_url,
        confirmation_url: `https://yoomoney.ru/checkout/payments/v2/contract?orderId=${id}`,
      },
      created_at: new Date().toISOString(),
      test: true,
    }
    this.payments.set(id, payment)
    this.#byPaymentId.set(payment.metadata.payment_id ?? '', payment)
    return ok(payment)
  }

  #refund({ payment_id, amount, description }: Body): ProviderReply {
    const payment = this.payments.get(payment_id ?? '')
    const money = { value: amount?.value ?? '', currency: amount?.currency ?? '' }
    if (payment?.status !== 'succeeded') return invalid('payment_id')
    if (!isValue(money.value)) return invalid('amount.value')
    if (money.currency !== payment.amount.currency) return invalid('amount.currency')
    if (kopecks(money) <= 0 || kopecks(money) > this.#left(payment)) return invalid('amount')
    const refund = this.#addRefund(payment, money, description)
    if (this.refundsBecome !== 'pending') this.settleRefund(refund.id, this.refundsBecome)
    return ok(refund)
  }

  /** Kopecks that are neither refunded nor about to be. */
  #left(payment: YooKassaPayment): number {
    let left = kopecks(payment.amount)
    for (const { payment_id, status, amount } of this.refunds.values()) {
      if (payment_id === payment.id && status !== 'canceled') left -= kopecks(amount)
    }
    return left
  }

  #addRefund(payment: YooKassaPayment, amount: Money, description?: string): YooKassaRefund {
    const refund: YooKassaRefund = {
      id: randomUUID(),
      payment_id: payment.id,
      status: 'pending',
      amount,
      ...(description !== undefined && { description }),
      created_at: new Date().toISOString(),
    }
    this.refunds.set(refund.id, refund)
    return refund
  }

  #paidBack(refund: YooKassaRefund): Webhook {
    const payment = this.payments.get(refund.payment_id) as YooKassaPayment
    const total = kopecks(payment.refunded_amount) + kopecks(refund.amount)
    payment.refunded_amount = moneyOf(total, payment.amount.currency)
    return this.#notify('refund.succeeded', refund)
  }

  #in(status: YooKassaPayment['status'], id: string): YooKassaPayment {
    const payment = this.payments.get(id)
    if (payment?.status !== status) throw new Error(`payment ${id} is ${payment?.status ?? 'unknown'}`)
    return payment
  }

  #notify(event: string, object: object): Webhook {
    const body = JSON.stringify({ type: 'notification', event, object })
    const webhook = { provider: 'yookassa', headers: {}, body }
    this.webhooks.push(webhook)
    return webhook
  }
}
