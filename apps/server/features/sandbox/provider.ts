import type { Db } from '../../db/client.ts'
import type { Clock } from '../../ports/clock.ts'
import {
  type Charge,
  type CreatedPayment,
  type KnownPayment,
  type PaymentFact,
  type PaymentProvider,
  type ProviderAccount,
  ProviderRefusal,
  type Refund,
  sandboxName,
  type WebhookRequest,
  type WebhookVerdict,
} from '../../ports/payments.ts'
import { factOf, factsIn, judgeEvent, receiptIdOf } from './events.ts'
import { findSandboxPayment, openSandboxPayment, refundSandboxPayment } from './queries.ts'
import { stateAt } from './state.ts'

export interface SandboxParts {
  readonly db: Db
  /** Signs and checks its events. */
  readonly key: Buffer
  readonly publicUrl: () => string
  readonly clock: Clock
}

/** The built-in provider: no money moves, and everything else is as with somebody else's. */
export class Sandbox implements PaymentProvider {
  readonly name = sandboxName
  readonly methods = ['sbp', 'card', 'ton', 'usdt', 'stars']
  readonly currencies = ['RUB', 'TON', 'USDT', 'XTR', 'USD']
  readonly #parts: SandboxParts

  constructor(parts: SandboxParts) {
    this.#parts = parts
  }

  async create(charge: Charge): Promise<CreatedPayment> {
    const { paymentId, amount, currency } = charge
    if (!this.currencies.includes(currency))
      throw new ProviderRefusal(`the sandbox does not take ${currency}`)
    const made = await openSandboxPayment(this.#parts.db, {
      payment_id: paymentId,
      amount,
      currency,
      title_ru: charge.title.ru,
      title_en: charge.title.en,
      return_url: charge.returnUrl,
      expires_at: charge.expiresAt,
      created_at: charge.createdAt,
    })
    if (made.amount !== amount || made.currency !== currency)
      throw new ProviderRefusal('this payment was made before, for another amount')
    return {
      providerPaymentId: paymentId,
      link: `${this.#parts.publicUrl()}/pay/${encodeURIComponent(paymentId)}`,
    }
  }

  async read({ paymentId }: KnownPayment): Promise<readonly PaymentFact[]> {
    const payment = await findSandboxPayment(this.#parts.db, paymentId)
    if (!payment) return []
    const state = stateAt(payment, this.#parts.clock.now())
    if (state === 'succeeded' || state === 'declined') return [factOf(state, payment)]
    return state === 'refunded' ? [factOf('succeeded', payment), factOf('refunded', payment)] : []
  }

  async refund({ receiptId, amount, currency }: Refund): Promise<'done' | 'pending'> {
    const { db, clock } = this.#parts
    const paymentId = receiptId.slice(receiptIdOf('').length)
    const payment = await findSandboxPayment(db, paymentId)
    if (!payment || receiptIdOf(paymentId) !== receiptId)
      throw new ProviderRefusal('there is no such payment')
    if (payment.amount !== amount || payment.currency !== currency)
      throw new ProviderRefusal('the sandbox refunds a payment as a whole only')
    if (await refundSandboxPayment(db, paymentId, clock.now())) return 'done'
    const now = await findSandboxPayment(db, paymentId)
    if (now?.state === 'refunded') return 'done'
    throw new ProviderRefusal('only a payment that was made can be refunded')
  }

  async check(): Promise<ProviderAccount> {
    return { account: 'the sandbox', isTest: true, problem: undefined, webhooks: undefined }
  }

  judge(request: WebhookRequest): WebhookVerdict {
    return judgeEvent(this.#parts.key, request)
  }

  interpret(body: string): readonly PaymentFact[] {
    return factsIn(body)
  }
}
