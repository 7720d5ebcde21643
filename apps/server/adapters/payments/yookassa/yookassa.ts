import { createHash } from 'node:crypto'
import type { BlockList } from 'node:net'
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
import { askProvider, type ProviderAnswer } from '../provider-http.ts'
import {
  confirmed,
  factsOf,
  idPattern,
  isRoubles,
  reasonOf,
  type YooPayment,
  type YooRefund,
} from './answers.ts'
import { callersFrom, judgeNotification, readNotification, yooKassaNetworks } from './notifications.ts'

export { yooKassaNetworks }

export interface YooKassaOptions {
  readonly shopId: string
  readonly secretKey: string
  readonly url?: string
  /** Addresses and networks that may call the webhook. */
  readonly webhookNetworks?: readonly string[]
  readonly timeoutMs?: number
}

const paymentTypes = new Map([
  ['sbp', 'sbp'],
  ['card', 'bank_card'],
])
const maxDescription = 128

const roubles = (amountRub: number) => ({ value: writeDecimal(amountRub * 100, 2), currency: 'RUB' })

/** YooKassa takes keys of up to 64 characters. */
const keyOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join(':')).digest('base64url')

const isHttps = (link: unknown): link is string => typeof link === 'string' && /^https:\/\/\S+$/.test(link)

/** SBP and bank cards, in roubles: https://yookassa.ru/developers */
export class YooKassa implements PaymentProvider {
  readonly name = 'yookassa'
  readonly methods = ['sbp', 'card']
  readonly currencies = ['RUB']
  readonly #url: string
  readonly #authorization: string
  readonly #callers: BlockList
  readonly #timeoutMs: number | undefined

  constructor(options: YooKassaOptions) {
    const credentials = Buffer.from(`${options.shopId}:${options.secretKey}`)
    this.#url = options.url ?? 'https://api.yookassa.ru/v3'
    this.#authorization = `Basic ${credentials.toString('base64')}`
    this.#callers = callersFrom(options.webhookNetworks ?? yooKassaNetworks)
    this.#timeoutMs = options.timeoutMs
  }

  async create(charge: Charge): Promise<CreatedPayment> {
    const type = paymentTypes.get(charge.method)
    if (type === undefined || charge.currency !== 'RUB') {
      throw new ProviderRefusal(`YooKassa takes no ${charge.method} in ${charge.currency}`)
    }
    const answer = await this.#post('/payments', keyOf('payment', charge.paymentId), {
      amount: roubles(charge.amount),
      capture: true,
      confirmation: { type: 'redirect', return_url: charge.returnUrl },
      payment_method_data: { type },
      description: [...charge.title.ru].slice(0, maxDescription).join(''),
      metadata: { payment_id: charge.paymentId },
    })
    const payment = confirmed(answer) as YooPayment | null | undefined
    const { id, status, metadata, amount, confirmation } = payment ?? {}
    const link = confirmation?.confirmation_url
    if (metadata?.payment_id !== charge.paymentId || !isRoubles(amount, charge.amount)) {
      throw new ProviderUnreachable('YooKassa answered with another payment')
    }
    if (status === 'canceled') throw new ProviderRefusal(`YooKassa canceled it: ${reasonOf(payment ?? {})}`)
    if (typeof id !== 'string' || !idPattern.test(id) || !isHttps(link)) {
      throw new ProviderUnreachable('YooKassa answered without a link')
    }
    return { providerPaymentId: id, link }
  }

  async read({ paymentId, providerPaymentId }: KnownPayment): Promise<readonly PaymentFact[]> {
    // Without its name nobody was given its link, so nobody can have paid.
    if (providerPaymentId === null) return []
    const answer = await this.#ask('GET', `/payments/${encodeURIComponent(providerPaymentId)}`)
    if (answer.status === 404) return []
    return factsOf(confirmed(answer) as YooPayment | null | undefined, paymentId, providerPaymentId)
  }

  async refund(refund: Refund): Promise<'done' | 'pending'> {
    if (refund.currency !== 'RUB') throw new ProviderRefusal(`YooKassa refunds no ${refund.currency}`)
    const description = `Возврат ${refund.refundId}`
    const answer =
      (await this.#findRefund(refund, description)) ?? (await this.#makeRefund(refund, description))
    if (answer?.payment_id !== refund.receiptId || !isRoubles(answer.amount, refund.amount)) {
      throw new ProviderUnreachable('YooKassa answered with another refund')
    }
    switch (answer.status) {
      case 'succeeded':
        return 'done'
      case 'pending':
        return 'pending'
      case 'canceled':
        throw new ProviderRefusal(`YooKassa canceled the refund: ${reasonOf(answer)}`)
      default:
        throw new ProviderUnreachable('YooKassa answered with an unknown state of the refund')
    }
  }

  /** Where notifications go is set in YooKassa's own pages, and only partners may ask. */
  async check(): Promise<ProviderAccount> {
    const shop = confirmed(await this.#ask('GET', '/me')) as
      | { account_id?: unknown; status?: unknown; test?: unknown }
      | null
      | undefined
    if (typeof shop?.account_id !== 'string') throw new ProviderUnreachable('YooKassa answered with no shop')
    return {
      account: `shop ${shop.account_id.slice(0, 40)}`,
      isTest: typeof shop.test === 'boolean' ? shop.test : undefined,
      problem: shop.status === 'enabled' ? undefined : `the shop is ${String(shop.status).slice(0, 40)}`,
      webhooks: undefined,
    }
  }

  judge({ ip, body }: WebhookRequest): WebhookVerdict {
    return judgeNotification(this.#callers, ip, body.toString('utf8'))
  }

  interpret(body: string): readonly PaymentFact[] {
    return readNotification(body)
  }

  /** The provider forgets idempotency keys after a day, and a refund may be repeated later than that. */
  async #findRefund(refund: Refund, description: string): Promise<YooRefund | undefined> {
    const query = new URLSearchParams({ payment_id: refund.receiptId, limit: '100' })
    const list = confirmed(await this.#ask('GET', `/refunds?${query}`)) as
      | { items?: unknown }
      | null
      | undefined
    if (!Array.isArray(list?.items))
      throw new ProviderUnreachable('YooKassa answered with no list of refunds')
    const items = list.items as readonly (YooRefund | null)[]
    return items.find((item) => item?.description === description) ?? undefined
  }

  async #makeRefund(refund: Refund, description: string): Promise<YooRefund | null | undefined> {
    // Our own number alone would meet that of another installation with the same shop.
    const key = keyOf('refund', refund.receiptId, refund.refundId)
    const request = { payment_id: refund.receiptId, amount: roubles(refund.amount), description }
    return confirmed(await this.#post('/refunds', key, request)) as YooRefund | null | undefined
  }

  #post(path: string, idempotenceKey: string, body: object): Promise<ProviderAnswer> {
    const headers = { 'content-type': 'application/json', 'idempotence-key': idempotenceKey }
    return this.#ask('POST', path, { headers, body: JSON.stringify(body) })
  }

  #ask(
    method: 'GET' | 'POST',
    path: string,
    { headers, body }: { headers?: Record<string, string>; body?: string } = {},
  ): Promise<ProviderAnswer> {
    return askProvider(`${this.#url}${path}`, {
      method,
      headers: { authorization: this.#authorization, ...headers },
      ...(body !== undefined && { body }),
      ...(this.#timeoutMs !== undefined && { timeoutMs: this.#timeoutMs }),
    })
  }
}
