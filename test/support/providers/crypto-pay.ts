import { createHash, createHmac, randomBytes } from 'node:crypto'
import { type ProviderReply, type ProviderRequest, StandIn, type Webhook } from './stand-in.ts'

/** Crypto Pay as its documentation describes it: https://help.send.tg/en/articles/10279948-crypto-pay-api */

export interface CryptoPayInvoice {
  /** The invoice_id as text. */
  id: string
  invoice_id: number
  hash: string
  currency_type: 'crypto'
  asset: string
  amount: string
  status: 'active' | 'paid' | 'expired'
  bot_invoice_url: string
  mini_app_invoice_url: string
  web_app_invoice_url: string
  description: string
  payload: string
  paid_asset?: string
  paid_amount?: string
  paid_btn_name?: string
  paid_btn_url?: string
  allow_comments: boolean
  allow_anonymous: boolean
  created_at: string
  expiration_date: string
  paid_at?: string
}

export interface CryptoPayTransfer {
  transfer_id: number
  spend_id: string
  user_id: string
  asset: string
  amount: string
  status: 'completed'
  completed_at: string
  comment?: string
}

interface Parameters {
  currency_type?: string
  asset?: string
  amount?: string
  description?: string
  payload?: string
  expires_in?: number
  paid_btn_name?: string
  paid_btn_url?: string
  allow_comments?: boolean
  allow_anonymous?: boolean
  user_id?: number
  spend_id?: string
  comment?: string
}

const assets = ['USDT', 'TON', 'BTC', 'ETH', 'LTC', 'BNB', 'TRX', 'USDC']
const hundredths = (amount: string): number => Math.round(Number(amount) * 100)
const isAmount = (amount: unknown): amount is string =>
  typeof amount === 'string' && /^\d+(\.\d+)?$/.test(amount) && Number(amount) > 0
const ok = (result: unknown): ProviderReply => ({ status: 200, json: { ok: true, result } })
const failed = (code: number, name: string): ProviderReply => ({
  status: code,
  json: { ok: false, error: { code, name } },
})
const shown = ({ id: _id, ...invoice }: CryptoPayInvoice) => invoice

export class CryptoPayStandIn extends StandIn {
  readonly token = '12345:AAtestToken'
  /** By invoice_id as text. */
  readonly payments = new Map<string, CryptoPayInvoice>()
  /** Transfers by their spend_id: Crypto Pay has no other way to give money back. */
  readonly refunds = new Map<string, CryptoPayTransfer>()
  /** What the app has, in hundredths of each asset. */
  readonly balances = new Map<string, number>()
  /** New apps may not transfer until their owner allows it. */
  areTransfersEnabled = true
  /** Telegram users who never opened the bot. */
  readonly strangers = new Set<number>()
  readonly #byPaymentId = new Map<string, CryptoPayInvoice>()
  readonly #active = new Map<string, CryptoPayInvoice>()
  #updates = 0

  get env(): Record<string, string> {
    return { CRYPTO_PAY_TOKEN: this.token, CRYPTO_PAY_URL: `${this.url}/api` }
  }

  findByPaymentId(paymentId: string): CryptoPayInvoice | undefined {
    return this.#byPaymentId.get(paymentId)
  }

  /** The customer pays. An amount is in hundredths; it and the asset are the invoice's unless given. */
  pay(id: string, { amount, currency }: { amount?: number; currency?: string } = {}): Webhook {
    const invoice = this.#end(id, 'paid')
    invoice.paid_at = new Date().toISOString()
    if (amount !== undefined || currency !== undefined) {
      invoice.paid_asset = currency ?? invoice.asset
      invoice.paid_amount = amount === undefined ? invoice.amount : (amount / 100).toFixed(2)
    }
    const asset = invoice.paid_asset ?? invoice.asset
    const paid = hundredths(invoice.paid_amount ?? invoice.amount)
    this.balances.set(asset, (this.balances.get(asset) ?? 0) + paid)
    return this.#notify(invoice)
  }

  /** The time to pay is over. Crypto Pay does not tell. */
  cancel(id: string): void {
    this.#end(id, 'expired')
  }

  /** Signs any body as Crypto Pay would. */
  sign(body: string): Webhook {
    const key = createHash('sha256').update(this.token).digest()
    const signature = createHmac('sha256', key).update(body).digest('hex')
    return { provider: 'crypto_pay', headers: { 'crypto-pay-api-signature': signature }, body }
  }

  protected failure(): ProviderReply {
    return failed(500, 'INTERNAL_ERROR')
  }

  protected answer({ method, path, query, headers, body }: ProviderRequest): ProviderReply {
    if (headers['crypto-pay-api-token'] !== this.token) return failed(401, 'UNAUTHORIZED')
    const parameters = (method === 'POST' ? JSON.parse(body) : Object.fromEntries(query)) as Parameters
    switch (path) {
      case '/api/getMe':
        return ok({ app_id: 12345, name: 'Sallyport', payment_processing_bot_username: 'CryptoTestnetBot' })
      case '/api/createInvoice':
        return this.#createInvoice(parameters)
      case '/api/getInvoices':
        return this.#getInvoices(new URLSearchParams(parameters as Record<string, string>))
      case '/api/transfer':
        return this.#transfer(parameters)
      default:
        return failed(405, 'METHOD_NOT_FOUND')
    }
  }

  #createInvoice(given: Parameters): ProviderReply {
    const { asset = '', amount, description = '', payload = '', expires_in = 0 } = given
    if (given.currency_type !== 'crypto') return failed(400, 'CURRENCY_TYPE_INVALID')
    if (!assets.includes(asset)) return failed(400, 'UNSUPPORTED_ASSET')
    if (!isAmount(amount)) return failed(400, 'AMOUNT_INVALID')
    if (description.length > 1024) return failed(400, 'DESCRIPTION_TOO_LONG')
    if (Buffer.byteLength(payload) > 4096) return failed(400, 'PAYLOAD_TOO_LONG')
    if (!(expires_in >= 1 && expires_in <= 2_678_400)) return failed(400, 'EXPIRES_IN_INVALID')
    if (given.paid_btn_name !== undefined && !/^https?:\/\//.test(given.paid_btn_url ?? '')) {
      return failed(400, 'PAID_BTN_URL_INVALID')
    }
    const invoiceId = 528_890 + this.payments.size
    const hash = `IV${randomBytes(8).toString('hex')}`
    const invoice: CryptoPayInvoice = {
      id: String(invoiceId),
      invoice_id: invoiceId,
      hash,
      currency_type: 'crypto',
      asset,
      amount,
      status: 'active',
      bot_invoice_url: `https://t.me/CryptoBot?start=${hash}`,
      mini_app_invoice_url: `https://t.me/CryptoBot/app?startapp=invoice-${hash}&mode=compact`,
      web_app_invoice_url: `https://app.cr.bot/invoices/${hash}`,
      description,
      payload,
      ...(given.paid_btn_name !== undefined && { paid_btn_name: given.paid_btn_name }),
      ...(given.paid_btn_url !== undefined && { paid_btn_url: given.paid_btn_url }),
      allow_comments: given.allow_comments ?? true,
      allow_anonymous: given.allow_anonymous ?? true,
      created_at: new Date().toISOString(),
      expiration_date: new Date(Date.now() + expires_in * 1000).toISOString(),
    }
    this.payments.set(invoice.id, invoice)
    this.#active.set(invoice.id, invoice)
    this.#byPaymentId.set(payload, invoice)
    return ok(shown(invoice))
  }

  #getInvoices(query: URLSearchParams): ProviderReply {
    const ids = query.get('invoice_ids')
    const status = query.get('status')
    const asset = query.get('asset')
    const count = Number(query.get('count') ?? 100)
    const offset = Number(query.get('offset') ?? 0)
    if (!(count >= 1 && count <= 1000)) return failed(400, 'COUNT_INVALID')
    const all = status === 'active' ? this.#active : this.payments
    const listed = ids === null ? [...all.values()] : ids.split(',').flatMap((id) => all.get(id) ?? [])
    const items = listed
      .filter((invoice) => status === null || invoice.status === status)
      .filter((invoice) => asset === null || invoice.asset === asset)
      .reverse()
    return ok({ items: items.slice(offset, offset + count).map(shown) })
  }

  #transfer(given: Parameters): ProviderReply {
    const { user_id, asset = '', amount, spend_id = '', comment } = given
    if (!this.areTransfersEnabled) return failed(403, 'METHOD_DISABLED')
    if (spend_id === '' || spend_id.length > 64) return failed(400, 'SPEND_ID_INVALID')
    if (this.refunds.has(spend_id)) return failed(400, 'SPEND_ID_ALREADY_USED')
    if (typeof user_id !== 'number' || this.strangers.has(user_id)) return failed(400, 'USER_NOT_FOUND')
    if (!isAmount(amount)) return failed(400, 'AMOUNT_INVALID')
    const left = (this.balances.get(asset) ?? 0) - hundredths(amount)
    if (left < 0) return failed(400, 'INSUFFICIENT_FUNDS')
    this.balances.set(asset, left)
    const transfer: CryptoPayTransfer = {
      transfer_id: 1 + this.refunds.size,
      spend_id,
      user_id: String(user_id),
      asset,
      amount,
      status: 'completed',
      completed_at: new Date().toISOString(),
      ...(comment !== undefined && { comment }),
    }
    this.refunds.set(spend_id, transfer)
    return ok(transfer)
  }

  #end(id: string, status: 'paid' | 'expired'): CryptoPayInvoice {
    const invoice = this.payments.get(id)
    if (invoice?.status !== 'active') throw new Error(`invoice ${id} is ${invoice?.status ?? 'unknown'}`)
    invoice.status = status
    this.#active.delete(id)
    return invoice
  }

  #notify(invoice: CryptoPayInvoice): Webhook {
    // Documented as not unique: two events share each number.
    const update_id = Math.floor(this.#updates / 2)
    this.#updates += 1
    const update = { update_id, update_type: 'invoice_paid', request_date: new Date().toISOString() }
    const webhook = this.sign(JSON.stringify({ ...update, payload: shown(invoice) }))
    this.webhooks.push(webhook)
    return webhook
  }
}
