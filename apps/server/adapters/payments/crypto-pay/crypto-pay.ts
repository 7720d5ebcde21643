import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import {
  type Charge,
  type CreatedPayment,
  type KnownPayment,
  type PaymentFact,
  type PaymentProvider,
  type ProviderAccount,
  ProviderRefusal,
  ProviderUnreachable,
  type Refund,
  type WebhookRequest,
  type WebhookVerdict,
} from '../../../ports/payments.ts'
import { writeDecimal } from '../decimals.ts'
import { askProvider } from '../provider-http.ts'
import {
  confirmed,
  cryptoAssets,
  factsOf,
  type Invoice,
  invoiceIdOf,
  isAmount,
  type Outcome,
  outcomeOf,
  type Transfer,
} from './answers.ts'

export interface CryptoPayOptions {
  readonly token: string
  readonly url?: string
  readonly timeoutMs?: number
}

interface Update {
  readonly update_type?: unknown
  readonly payload?: Invoice | null
}

/** A page of the provider's largest size, 1000, would not fit into an answer that we read. */
const pageSize = 200
const maxPages = 5
const minLifeSeconds = 60
const maxDescription = 1024

const parse = (body: string): Update | null => {
  try {
    return JSON.parse(body) as Update | null
  } catch {
    return null
  }
}

const isHttps = (link: unknown): link is string => typeof link === 'string' && /^https:\/\/\S+$/.test(link)

const textOf = ({ ru, en }: Charge['title']): string =>
  [...(ru === en ? ru : `${ru} / ${en}`)].slice(0, maxDescription).join('')

/** TON and USDT through @CryptoBot: https://help.send.tg/en/articles/10279948-crypto-pay-api */
export class CryptoPay implements PaymentProvider {
  readonly name = 'crypto_pay'
  readonly methods = ['ton', 'usdt']
  readonly currencies = cryptoAssets
  readonly #url: string
  readonly #token: string
  readonly #webhookKey: Buffer
  readonly #timeoutMs: number | undefined

  constructor(options: CryptoPayOptions) {
    this.#url = options.url ?? 'https://pay.crypt.bot/api'
    this.#token = options.token
    this.#webhookKey = createHash('sha256').update(options.token).digest()
    this.#timeoutMs = options.timeoutMs
  }

  /**
   * The provider knows no idempotency key, and this call may be the repeat of one whose answer was lost. So it looks
   * for the invoice first, always: one cheap request against two invoices for one payment.
   */
  async create(charge: Charge): Promise<CreatedPayment> {
    if (!cryptoAssets.includes(charge.currency)) {
      throw new ProviderRefusal(`Crypto Pay takes no ${charge.currency}`)
    }
    const isOurs = (invoice: Invoice | null | undefined) =>
      invoice?.payload === charge.paymentId &&
      invoice.status === 'active' &&
      invoice.asset === charge.currency &&
      isAmount(invoice.amount, charge.amount)
    const invoice =
      (await this.#find(charge.currency, 'active', isOurs)) ?? (await this.#createInvoice(charge))
    const providerPaymentId = invoiceIdOf(invoice)
    const link = invoice?.bot_invoice_url
    if (!isOurs(invoice) || providerPaymentId === undefined || !isHttps(link)) {
      throw new ProviderUnreachable('Crypto Pay answered with something else than the invoice')
    }
    return { providerPaymentId, link }
  }

  async read({ paymentId, providerPaymentId, currency }: KnownPayment): Promise<readonly PaymentFact[]> {
    const isOurs = (invoice: Invoice | null) => invoice?.payload === paymentId
    const invoice =
      providerPaymentId !== null
        ? (await this.#list({ invoice_ids: providerPaymentId }))[0]
        : ((await this.#find(currency, 'active', isOurs)) ?? (await this.#find(currency, 'paid', isOurs)))
    if (invoice === undefined) return []
    const isAsked = providerPaymentId === null || invoiceIdOf(invoice) === providerPaymentId
    const facts = isAsked && isOurs(invoice) ? factsOf(invoice) : undefined
    if (facts === undefined)
      throw new ProviderUnreachable('Crypto Pay answered with an invoice that cannot be read')
    return facts
  }

  async refund(refund: Refund): Promise<'done' | 'pending'> {
    const recipient = refund.recipient ?? refund.payer
    if (recipient === null || !/^[1-9]\d{0,14}$/.test(recipient)) {
      throw new ProviderRefusal(
        'Crypto Pay does not tell who paid: name the Telegram user id of the recipient',
      )
    }
    if (!cryptoAssets.includes(refund.currency)) {
      throw new ProviderRefusal(`Crypto Pay refunds no ${refund.currency}`)
    }
    // A used spend_id counts as done, so it must never meet that of another installation with the same app.
    const spendId = createHash('sha256').update(`${refund.receiptId}:${refund.refundId}`).digest('hex')
    const outcome = await this.#ask('POST', 'transfer', {
      user_id: Number(recipient),
      asset: refund.currency,
      amount: writeDecimal(refund.amount, 2),
      spend_id: spendId,
      comment: 'Возврат платежа / Payment refund',
    })
    if (!outcome.isDone && outcome.errorName === 'SPEND_ID_ALREADY_USED') return 'done'
    const transfer = confirmed(outcome) as Transfer | null | undefined
    const isOurs = transfer?.spend_id === spendId && String(transfer.user_id) === recipient
    const isWhole = transfer?.asset === refund.currency && isAmount(transfer.amount, refund.amount)
    if (!isOurs || !isWhole || transfer.status !== 'completed') {
      throw new ProviderUnreachable('Crypto Pay answered with something else than the transfer')
    }
    return 'done'
  }

  async check(): Promise<ProviderAccount> {
    const app = confirmed(await this.#ask('GET', 'getMe', {})) as
      | { app_id?: unknown; name?: unknown; payment_processing_bot_username?: unknown }
      | null
      | undefined
    if (typeof app?.app_id !== 'number') throw new ProviderUnreachable('Crypto Pay answered with no app')
    return {
      account: `app ${app.app_id} (${String(app.name).slice(0, 60)})`,
      isTest: app.payment_processing_bot_username === 'CryptoTestnetBot',
      problem: undefined,
      webhooks: undefined,
    }
  }

  judge({ headers, body }: WebhookRequest): WebhookVerdict {
    const given = headers['crypto-pay-api-signature']
    const signature = createHmac('sha256', this.#webhookKey).update(body).digest()
    const isSigned =
      typeof given === 'string' &&
      /^[0-9a-f]{64}$/i.test(given) &&
      timingSafeEqual(Buffer.from(given, 'hex'), signature)
    if (!isSigned) return { kind: 'forged', reason: 'wrong signature' }
    const update = parse(body.toString('utf8'))
    const invoiceId = invoiceIdOf(update?.payload)
    if (update?.update_type !== 'invoice_paid' || invoiceId === undefined) return { kind: 'ignored' }
    // An update_id is documented as not unique; an invoice is paid once.
    return { kind: 'event', eventId: `invoice_paid:${invoiceId}` }
  }

  interpret(body: string): readonly PaymentFact[] {
    const invoice = parse(body)?.payload
    const providerPaymentId = invoiceIdOf(invoice)
    if (providerPaymentId === undefined) return []
    const facts = invoice?.status === 'paid' ? factsOf(invoice) : undefined
    return facts ?? [{ kind: 'look', providerPaymentId, for: 'received' }]
  }

  async #createInvoice(charge: Charge): Promise<Invoice | null | undefined> {
    const request = {
      currency_type: 'crypto',
      asset: charge.currency,
      amount: writeDecimal(charge.amount, 2),
      description: textOf(charge.title),
      payload: charge.paymentId,
      expires_in: Math.max(minLifeSeconds, charge.expiresAt - charge.createdAt),
      allow_comments: false,
      allow_anonymous: true,
      ...(isHttps(charge.returnUrl) && { paid_btn_name: 'callback', paid_btn_url: charge.returnUrl }),
    }
    return confirmed(await this.#ask('POST', 'createInvoice', request)) as Invoice | null | undefined
  }

  /** The provider cannot search by payload. Newest invoices come first; older ones than these are given up. */
  async #find(
    asset: string,
    status: 'active' | 'paid',
    isWanted: (invoice: Invoice | null) => boolean,
  ): Promise<Invoice | undefined> {
    for (let page = 0; page < maxPages; page += 1) {
      const items = await this.#list({ asset, status, offset: page * pageSize, count: pageSize })
      const found = items.find(isWanted)
      if (found || items.length < pageSize) return found ?? undefined
    }
    return undefined
  }

  async #list(query: Readonly<Record<string, string | number>>): Promise<readonly (Invoice | null)[]> {
    const result = confirmed(await this.#ask('GET', 'getInvoices', query))
    const items = (result as { items?: unknown } | null | undefined)?.items
    if (!Array.isArray(items)) throw new ProviderUnreachable('Crypto Pay answered with no list of invoices')
    return items as readonly (Invoice | null)[]
  }

  async #ask(
    method: 'GET' | 'POST',
    call: string,
    parameters: Readonly<Record<string, string | number | boolean>>,
  ): Promise<Outcome> {
    const query = new URLSearchParams()
    for (const [key, value] of Object.entries(parameters)) query.set(key, String(value))
    const answer = await askProvider(`${this.#url}/${call}${method === 'GET' ? `?${query}` : ''}`, {
      method,
      headers: { 'crypto-pay-api-token': this.#token, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify(parameters) }),
      ...(this.#timeoutMs !== undefined && { timeoutMs: this.#timeoutMs }),
    })
    return outcomeOf(answer)
  }
}
