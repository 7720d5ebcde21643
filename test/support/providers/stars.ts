import { type ProviderReply, type ProviderRequest, StandIn, type Webhook } from './stand-in.ts'

/** Telegram's Bot API as far as stars go: links that can be paid again and again, and a list of transactions. */

export interface StarsCharge {
  readonly chargeId: string
  readonly userId: number
  readonly amount: number
  readonly currency: string
  isRefunded: boolean
}

export interface StarsPayment {
  readonly id: string
  readonly paymentId: string
  readonly title: string
  readonly description: string
  readonly amount: number
  readonly currency: string
  readonly link: string
  readonly charges: StarsCharge[]
}

interface Transaction {
  readonly id: string
  readonly amount: number
  readonly date: number
  readonly source?: object
  readonly receiver?: object
}

type Parameters = Readonly<Record<string, unknown>>

const ok = (result: unknown): ProviderReply => ({ status: 200, json: { ok: true, result } })
const fails = (status: number, description: string): ProviderReply => ({
  status,
  json: { ok: false, error_code: status, description },
})
const badRequest = (reason: string): ProviderReply => fails(400, `Bad Request: ${reason}`)

const parse = (body: string): Parameters | undefined => {
  try {
    return JSON.parse(body || '{}') as Parameters
  } catch {
    return undefined
  }
}

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length >= 1 && value.length <= max

export class StarsStandIn extends StandIn {
  readonly token = `110201543:${'stand-in_bot-token_'.padEnd(35, 'x')}`
  readonly webhookSecret = 'stand-in-telegram-webhook-secret'
  /** What setWebhook was told, and how delivering went. */
  webhookInfo: Readonly<Record<string, unknown>> = { url: '', pending_update_count: 0 }
  /** Links, by the part that is their own. */
  readonly payments = new Map<string, StarsPayment>()
  /** Chronological, as the Bot API gives them. */
  readonly transactions: Transaction[] = []
  /** What it answers instead, when this gives something. */
  says: (request: ProviderRequest) => ProviderReply | undefined = () => undefined
  readonly #now: () => number
  #counter = 0

  constructor(now: () => number) {
    super()
    this.#now = now
  }

  get env(): Record<string, string> {
    return {
      TELEGRAM_BOT_TOKEN: this.token,
      TELEGRAM_WEBHOOK_SECRET: this.webhookSecret,
      TELEGRAM_URL: this.url,
    }
  }

  /** The newest link to our payment. */
  findByPaymentId(paymentId: string): StarsPayment | undefined {
    return [...this.payments.values()].findLast((payment) => payment.paymentId === paymentId)
  }

  /** What Telegram asks before a payment; the answer stands in the response. */
  preCheckout(paymentId: string, change: { amount?: number; currency?: string } = {}): Webhook {
    const payment = this.findByPaymentId(paymentId)
    if (!payment) throw new Error(`no link to ${paymentId}`)
    return this.update({
      pre_checkout_query: {
        id: String(4_000_000 + ++this.#counter),
        from: this.#user(5_000_001),
        currency: change.currency ?? payment.currency,
        total_amount: change.amount ?? payment.amount,
        invoice_payload: paymentId,
      },
    })
  }

  pay(id: string, change: { amount?: number; currency?: string; userId?: number } = {}): Webhook {
    const payment = this.#payment(id)
    const charge: StarsCharge = {
      chargeId: `stxCharge_${++this.#counter}`,
      userId: change.userId ?? 5_000_001,
      amount: change.amount ?? payment.amount,
      currency: change.currency ?? payment.currency,
      isRefunded: false,
    }
    payment.charges.push(charge)
    if (charge.currency === 'XTR') this.#record(charge, 'source', payment.paymentId)
    return this.#tell(charge, 'successful_payment', payment.paymentId)
  }

  /** The customer goes away. Telegram tells nobody, and the link can still be paid. */
  cancel(id: string): void {
    this.#payment(id)
  }

  /** Telegram gives the stars back without being asked by the bot: the last charge of the link. */
  refundOutside(id: string): Webhook {
    const payment = this.#payment(id)
    const charge = payment.charges.findLast(({ isRefunded }) => !isRefunded)
    if (!charge) throw new Error(`${id} has nothing to refund`)
    return this.#giveBack(charge, payment)
  }

  protected override answer(request: ProviderRequest): ProviderReply {
    const said = this.says(request)
    if (said) return said
    const [, bot, method] = request.path.split('/')
    if (bot !== `bot${this.token}`) return fails(401, 'Unauthorized')
    const parameters = parse(request.body)
    if (!parameters) return badRequest("can't parse request body as JSON")
    if (method === 'getMe') return ok({ id: 110201543, is_bot: true, username: 'stand_in_bot' })
    if (method === 'getWebhookInfo') return ok(this.webhookInfo)
    if (method === 'createInvoiceLink') return this.#createInvoiceLink(parameters)
    if (method === 'getStarTransactions') return this.#getStarTransactions(parameters)
    if (method === 'refundStarPayment') return this.#refundStarPayment(parameters)
    return fails(404, 'Not Found: method not found')
  }

  protected override failure(): ProviderReply {
    return fails(500, 'Internal Server Error')
  }

  #createInvoiceLink({ title, description, payload, currency, prices, provider_token }: Parameters) {
    if (!isText(title, 32)) return badRequest('invoice title must be 1-32 characters long')
    if (!isText(description, 255)) return badRequest('invoice description must be 1-255 characters long')
    if (!isText(payload, 128) || Buffer.byteLength(payload) > 128)
      return badRequest('INVOICE_PAYLOAD_INVALID')
    if (currency !== 'XTR') return badRequest('CURRENCY_INVALID')
    if (provider_token) return badRequest('PAYMENT_PROVIDER_INVALID')
    const [price, ...more] = Array.isArray(prices) ? prices : []
    if (!isText(price?.label, 255) || more.length > 0) return badRequest('STARS_INVOICE_INVALID')
    if (!Number.isInteger(price.amount) || price.amount < 1)
      return badRequest('CURRENCY_TOTAL_AMOUNT_INVALID')
    const id = `$stand-in_${++this.#counter}`
    const link = `https://t.me/${id}`
    const { amount } = price
    const invoice = { id, paymentId: payload, title, description, amount, currency, link, charges: [] }
    this.payments.set(id, invoice)
    return ok(link)
  }

  #getStarTransactions({ offset = 0, limit = 100 }: Parameters) {
    const size = Math.min(Math.max(Number(limit), 1), 100)
    return ok({ transactions: this.transactions.slice(Number(offset), Number(offset) + size) })
  }

  #refundStarPayment({ user_id, telegram_payment_charge_id: chargeId }: Parameters) {
    if (!Number.isInteger(user_id)) return badRequest('invalid user_id specified')
    for (const payment of this.payments.values()) {
      const charge = payment.charges.find((one) => one.chargeId === chargeId && one.userId === user_id)
      if (charge?.isRefunded) return badRequest('CHARGE_ALREADY_REFUNDED')
      if (charge) {
        this.#giveBack(charge, payment)
        return ok(true)
      }
    }
    return badRequest('CHARGE_ID_INVALID')
  }

  #giveBack(charge: StarsCharge, payment: StarsPayment): Webhook {
    charge.isRefunded = true
    this.#record(charge, 'receiver', payment.paymentId)
    return this.#tell(charge, 'refunded_payment', payment.paymentId)
  }

  #payment(id: string): StarsPayment {
    const payment = this.payments.get(id)
    if (!payment) throw new Error(`no link ${id}`)
    return payment
  }

  #user(id: number): object {
    return { id, is_bot: false, first_name: 'Customer', language_code: 'ru' }
  }

  #record({ chargeId, amount, userId }: StarsCharge, side: 'source' | 'receiver', payload: string): void {
    const partner = { type: 'user', transaction_type: 'invoice_payment', user: this.#user(userId) }
    const common = { id: chargeId, amount, date: this.#now() }
    this.transactions.push({ ...common, [side]: { ...partner, invoice_payload: payload } })
  }

  #tell(charge: StarsCharge, what: 'successful_payment' | 'refunded_payment', payload: string): Webhook {
    const message = {
      message_id: ++this.#counter,
      date: this.#now(),
      chat: { id: charge.userId, type: 'private', first_name: 'Customer' },
      from: this.#user(charge.userId),
      [what]: {
        currency: charge.currency,
        total_amount: charge.amount,
        invoice_payload: payload,
        telegram_payment_charge_id: charge.chargeId,
        provider_payment_charge_id: `${charge.userId}_${charge.chargeId}`,
      },
    }
    const webhook = this.update({ message })
    this.webhooks.push(webhook)
    return webhook
  }

  /** An update as it comes to the webhook; tests make strange ones with it. */
  update(content: object): Webhook {
    return {
      provider: 'stars',
      headers: { 'x-telegram-bot-api-secret-token': this.webhookSecret },
      body: JSON.stringify({ update_id: 870_000_000 + ++this.#counter, ...content }),
    }
  }
}
