import { type Answer, call } from './call.ts'
import { type Ask, bucketOf, choose, type Deal, tariff } from './deals.ts'

/** Somebody who buys and remembers: every key, every answer, and what was asked and not answered. */

export interface Identity {
  readonly id: number
  readonly apiKey: string
  readonly operatorToken: string
  readonly gifts: readonly string[]
  /** What this customer may subscribe to. */
  readonly option: { readonly id: number; readonly tariffId: number }
  readonly openingRub: number
  readonly openingReferralRub: number
}

/** What a request came to. */
export type Outcome =
  | { readonly kind: 'answered' | 'found already done'; readonly what: string }
  /** No answer came, or one that asks to come back. */
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'refused'; readonly answer: Answer }

const unanswered: Outcome = { kind: 'unanswered' }
const shareLeftUnpaid = 0.1

/** Too many, or a link that another process was making when it died: nothing happened, and a repeat is asked for. */
const asksToComeBack = ({ status, body }: Answer): boolean =>
  status === 429 || (status === 503 && JSON.stringify(body.details ?? '').includes('is being made'))

export class Customer {
  readonly identity: Identity
  readonly deals: Deal[] = []
  readonly random: () => number
  /** The last deal, while it has no answer. */
  open: Deal | undefined
  /** What came instead of the last answer, for whoever has to find out why. */
  lastTrouble: unknown
  retried = 0
  readonly #usedBuckets = new Set<string>()

  constructor(identity: Identity, random: () => number) {
    this.identity = identity
    this.random = random
  }

  /** Time has passed, or another process serves, which has counted nothing yet. */
  forgetLimits(): void {
    this.#usedBuckets.clear()
  }

  get unpaid(): Deal | undefined {
    return this.deals.find((deal) => deal.paymentId !== undefined && !deal.isPaid && !deal.isLeft)
  }

  /** What is unanswered goes first, then what is to be paid, then something new. */
  async step(url: string, patienceMs?: number): Promise<Outcome> {
    if (this.open) return this.#send(url, this.open, patienceMs)
    const { unpaid } = this
    if (unpaid) return this.#pay(url, unpaid, patienceMs)
    const ask = choose({ ...this.identity, deals: this.deals, random: this.random }, this.#usedBuckets)
    if (!ask) return unanswered
    this.open = this.#newDeal(ask)
    return this.#send(url, this.open, patienceMs)
  }

  /** Only what was begun: the repeat of a request, or of a payment. */
  async finish(url: string, patienceMs?: number): Promise<Outcome> {
    return this.open || this.unpaid ? this.step(url, patienceMs) : unanswered
  }

  /** The last answer again: its key was used, so that nothing may change. */
  async repeatLast(url: string): Promise<[first: unknown, again: Answer]> {
    const last = this.deals.findLast((deal) => deal.method === undefined)
    if (!last) throw new Error(`Customer ${this.identity.id} has asked for nothing`)
    return [last.answer, await this.#request(url, last)]
  }

  /** Of the option, as far as this customer was told of them. */
  get accesses(): { readonly id: number; readonly server_id: number }[] {
    const own = this.deals.find((deal) => deal.option)?.option?.configs ?? []
    return [...own, ...this.deals.flatMap((deal) => deal.added ?? [])]
  }

  #newDeal(ask: Ask): Deal {
    const deal = {
      body: undefined,
      days: tariff.days,
      amountRub: tariff.priceRub,
      ...ask,
      isOperators: ask.path.startsWith('/operator/'),
      key: `${this.identity.id}-${this.deals.length}`,
      attempts: 0,
      sentAt: 0,
      wasReplayed: false,
      isLeft: false,
      payAttempts: 0,
      isPaid: false,
    }
    this.deals.push(deal)
    return deal
  }

  #failed = (error: unknown): undefined => {
    this.lastTrouble = String(error)
  }

  #isToComeBack(answer: Answer): boolean {
    const isSo = asksToComeBack(answer)
    if (isSo) this.lastTrouble = answer.body
    return isSo
  }

  #request(url: string, deal: Deal, patienceMs?: number): Promise<Answer> {
    const { apiKey, operatorToken } = this.identity
    return call(url, deal.method ?? 'POST', deal.path, {
      token: deal.isOperators ? operatorToken : apiKey,
      body: deal.body,
      headers: { 'idempotency-key': deal.key },
      ...(patienceMs !== undefined && { patienceMs }),
    })
  }

  async #send(url: string, deal: Deal, patienceMs?: number): Promise<Outcome> {
    const bucket = bucketOf(deal.path)
    if (bucket) this.#usedBuckets.add(bucket)
    if (deal.attempts++ > 0) this.retried++
    deal.sentAt = Math.floor(Date.now() / 1000)
    const answer = await this.#request(url, deal, patienceMs).catch(this.#failed)
    if (!answer || this.#isToComeBack(answer)) return unanswered
    const wasReplayed = answer.headers.get('idempotency-replayed') === 'true'
    if (answer.body.status !== true || (wasReplayed && deal.attempts === 1))
      return { kind: 'refused', answer }
    this.open = undefined
    deal.wasReplayed = wasReplayed
    deal.answer = answer.body.data
    this.#note(deal, answer.body.data)
    return { kind: deal.wasReplayed ? 'found already done' : 'answered', what: deal.kind }
  }

  // biome-ignore lint/suspicious/noExplicitAny: each kind of request has an answer of its own shape.
  #note(deal: Deal, data: any): void {
    if (data.link !== undefined) {
      deal.paymentId = new URL(data.link).pathname.split('/').at(-1) as string
      deal.isLeft = this.random() < shareLeftUnpaid
      return
    }
    const { about } = deal
    switch (deal.kind) {
      case 'purchase':
      case 'purchase by promocode':
        deal.config = data
        deal.configId = data.id
        return
      case 'key':
        deal.code = data.promocode
        return
      case 'option':
      case 'option renewal':
        deal.option = data
        return
      case 'option configuration':
        deal.added = data
        return
      case 'withdrawal':
        deal.withdrawalId = data.id
        return
      case 'approval':
      case 'rejection':
        if (about) about.decided = data.status
        return
      case 'refund':
        if (about) about.refundedTo = data.destination
    }
  }

  /** The page has no keys: it is posted again, and says how the payment stands. */
  async #pay(url: string, deal: Deal, patienceMs?: number): Promise<Outcome> {
    const isRepeat = deal.payAttempts++ > 0
    if (isRepeat) this.retried++
    const answer = await call(url, 'POST', `/pay/${deal.paymentId}`, {
      body: { action: 'pay' },
      ...(patienceMs !== undefined && { patienceMs }),
    }).catch(this.#failed)
    if (!answer || this.#isToComeBack(answer)) return unanswered
    const wasPaidBefore = answer.status === 409
    if (answer.body.state !== 'succeeded' || (wasPaidBefore && !isRepeat)) return { kind: 'refused', answer }
    deal.isPaid = true
    return { kind: wasPaidBefore ? 'found already done' : 'answered', what: 'payment' }
  }
}
