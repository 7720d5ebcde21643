import { createHash, timingSafeEqual } from 'node:crypto'
import {
  type Charge,
  type CreatedPayment,
  type KnownPayment,
  type PaymentFact,
  type PaymentProvider,
  type PaymentQuestion,
  type ProviderAccount,
  ProviderRefusal,
  ProviderUnreachable,
  type ProviderWebhook,
  type Refund,
  type WebhookRequest,
  type WebhookVerdict,
} from '../../../ports/payments.ts'
import { BotApi, type Fields, fieldsOf } from './bot-api.ts'
import { StarHistory, type StarTransaction } from './history.ts'

/**
 * Telegram Stars. A link has no id and no end, and may be paid again: our payment id travels in it as the payload,
 * and every payment has a charge id of its own. Before each one Telegram asks whether it may be made.
 */

const maxTitle = 32
const maxDescription = 255
/** Telegram's clock and ours may differ. */
const clockSlackSeconds = 3600

const linkIsDead =
  'Эта ссылка больше не действует: оформите новый заказ. / This link is no longer valid: please make a new order.'

const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isAmount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0
const payerOf = (user: unknown): string | null => {
  const { id } = fieldsOf(user)
  return isAmount(id) ? String(id) : null
}

const parse = (text: string): Fields => {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}

const questionIn = (query: unknown): PaymentQuestion | undefined => {
  const { id, invoice_payload: paymentId, total_amount: amount, currency } = fieldsOf(query)
  if (!isName(id) || !isName(paymentId) || !isAmount(amount) || !isName(currency)) return undefined
  return {
    paymentId,
    amount,
    currency,
    answer: (isAllowed) => ({
      method: 'answerPreCheckoutQuery',
      pre_checkout_query_id: id,
      ok: isAllowed,
      ...(!isAllowed && { error_message: linkIsDead }),
    }),
  }
}

const factsOf = (message: Fields): readonly PaymentFact[] => {
  const isRefund = message.successful_payment === undefined
  const told = isRefund ? message.refunded_payment : message.successful_payment
  if (told === undefined) return []
  const payment = fieldsOf(told)
  const { telegram_payment_charge_id: receiptId, invoice_payload: paymentId, currency } = payment
  const amount = payment.total_amount
  if (!isName(receiptId) || !isName(paymentId) || !isName(currency) || !isAmount(amount)) {
    // Something was paid, so this must not pass as nothing: it is tried again, and in the end a person is told.
    throw new Error('Telegram tells of a payment in an unknown form')
  }
  if (isRefund) return [{ kind: 'refunded', receiptId, amount, currency }]
  const payer = payerOf(message.from)
  return [{ kind: 'received', paymentId, providerPaymentId: null, receiptId, amount, currency, payer }]
}

/** Failures older than the last hour are over. */
const webhookIn = ({
  url,
  last_error_message: error,
  last_error_date: at,
  allowed_updates: kinds,
}: Fields) => {
  if (typeof url !== 'string' || url === '') return []
  const isRecent = typeof at === 'number' && at > Date.now() / 1000 - 3600
  const missing = ['message', 'pre_checkout_query'].filter(
    (kind) => Array.isArray(kinds) && kinds.length > 0 && !kinds.includes(kind),
  )
  const problems = [
    ...(isRecent ? [`Telegram could not deliver: ${String(error).slice(0, 200)}`] : []),
    ...(missing.length > 0 ? [`allowed_updates leaves out ${missing.join(', ')}`] : []),
  ]
  return [{ url, problem: problems.join('; ') || undefined } satisfies ProviderWebhook]
}

const isPaymentOf = (paymentId: string, { source, amount }: StarTransaction): boolean =>
  source?.type === 'user' &&
  source.transaction_type === 'invoice_payment' &&
  source.invoice_payload === paymentId &&
  isAmount(amount)

export class TelegramStars implements PaymentProvider {
  readonly name = 'stars'
  readonly methods = ['stars']
  readonly currencies = ['XTR']
  readonly #api: BotApi
  readonly #history: StarHistory
  readonly #secretDigest: Buffer

  constructor(options: {
    readonly botToken: string
    /** What setWebhook was given as secret_token. */
    readonly webhookSecret: string
    readonly url?: string
    readonly timeoutMs?: number
  }) {
    if (options.webhookSecret === '') throw new Error('The secret of the Telegram webhook is empty')
    this.#api = new BotApi({ ...options, url: options.url ?? 'https://api.telegram.org' })
    this.#history = new StarHistory(this.#api)
    this.#secretDigest = createHash('sha256').update(options.webhookSecret).digest()
  }

  /** Repeating gives another link to the same payment: both carry our id. */
  async create({ paymentId, amount, currency, title }: Charge): Promise<CreatedPayment> {
    if (currency !== 'XTR') throw new ProviderRefusal(`Telegram Stars cannot be paid in ${currency}`)
    const link = await this.#api.call('createInvoiceLink', {
      title: cut(title.ru, maxTitle),
      description: cut(title.ru === title.en ? title.ru : `${title.ru}\n${title.en}`, maxDescription),
      payload: paymentId,
      provider_token: '',
      currency,
      prices: [{ label: cut(title.ru, maxTitle), amount }],
    })
    if (!isName(link) || !URL.canParse(link) || new URL(link).protocol !== 'https:') {
      throw new ProviderUnreachable('Telegram gave a link in an unknown form')
    }
    return { providerPaymentId: null, link }
  }

  /** A refund has the charge's own id and comes after it. */
  async read({ paymentId, createdAt }: KnownPayment): Promise<readonly PaymentFact[]> {
    const facts: PaymentFact[] = []
    const receipts = new Set<string>()
    for await (const transaction of this.#history.since(createdAt - clockSlackSeconds)) {
      const { id: receiptId, source, receiver } = transaction
      const amount = transaction.amount as number
      if (isPaymentOf(paymentId, transaction)) {
        receipts.add(receiptId)
        const payer = payerOf(source?.user)
        const received = { paymentId, providerPaymentId: null, receiptId, amount, currency: 'XTR', payer }
        facts.push({ kind: 'received', ...received })
      } else if (receiver && receipts.has(receiptId) && isAmount(amount)) {
        facts.push({ kind: 'refunded', receiptId, amount, currency: 'XTR' })
      }
    }
    return facts
  }

  /** Telegram gives back the whole charge, and knows no other refund. */
  async refund({ receiptId, payer, recipient }: Refund): Promise<'done' | 'pending'> {
    const user = payer ?? recipient ?? ''
    if (!/^\d+$/.test(user) || !Number.isSafeInteger(Number(user))) {
      throw new ProviderRefusal('Telegram has to be told who paid: name the numeric id of the Telegram user')
    }
    const parameters = { user_id: Number(user), telegram_payment_charge_id: receiptId }
    try {
      const result = await this.#api.call('refundStarPayment', parameters)
      if (result !== true) throw new ProviderUnreachable('Telegram answered a refund in an unknown form')
      return 'done'
    } catch (error) {
      if (error instanceof ProviderRefusal && error.message.includes('CHARGE_ALREADY_REFUNDED')) return 'done'
      throw error
    }
  }

  async check(): Promise<ProviderAccount> {
    const bot = fieldsOf(await this.#api.call('getMe', {}))
    if (!isName(bot.username)) throw new ProviderUnreachable('Telegram answered with no bot')
    const webhook = webhookIn(fieldsOf(await this.#api.call('getWebhookInfo', {})))
    return { account: `@${bot.username}`, isTest: undefined, problem: undefined, webhooks: webhook }
  }

  judge({ headers, body }: WebhookRequest): WebhookVerdict {
    const secret = headers['x-telegram-bot-api-secret-token']
    const digest = createHash('sha256')
      .update(typeof secret === 'string' ? secret : '')
      .digest()
    if (!timingSafeEqual(digest, this.#secretDigest)) {
      return { kind: 'forged', reason: 'the secret token is missing or wrong' }
    }
    const update = parse(body.toString('utf8'))
    const question = questionIn(update.pre_checkout_query)
    if (question) return { kind: 'question', question }
    const { successful_payment: paid, refunded_payment: refunded } = fieldsOf(update.message)
    const { telegram_payment_charge_id: chargeId } = fieldsOf(paid ?? refunded)
    if (typeof chargeId !== 'string') return { kind: 'ignored' }
    // Not by update_id: after a quiet week Telegram begins at a random one, which may have been used before.
    return { kind: 'event', eventId: `${paid ? 'paid' : 'refunded'}:${chargeId}` }
  }

  interpret(body: string): readonly PaymentFact[] {
    return factsOf(fieldsOf(parse(body).message))
  }
}
