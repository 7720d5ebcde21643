import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Customer } from '../../seed.ts'
import { type Answer, type HttpClient, requestText } from './http-client.ts'
import { fateOf, type Timeline } from './timeline.ts'

/** What customers spend, remembered by those who spent it. */

const balanceMethod = 1
const linkMethod = 2
const priceRub = 200
const place = { location_id: 1, protocol: 'vless' }
const tariff = { payment_method_id: balanceMethod, tariff_id: 1 }

export type DealKind = 'purchase' | 'renewal' | 'top-up'

export interface Deal {
  readonly kind: DealKind
  readonly userId: number
  readonly key: string
  readonly beganMs: number
  /** Roubles that the wallet gains or loses. */
  readonly amount: number
  attempts: number
  isDone: boolean
  /** The connection that was bought or renewed. */
  itemId?: number
  /** Where a top-up is paid. */
  paymentPath?: string
  isRefused?: string
  /** Told that nothing was done, the customer did not come again. */
  isGivenUp?: boolean
}

const isUndone = ({ status, body }: Answer): boolean => status === 503 && body.includes('nothing was done')

export const addressOf = (id: number): string => `10.${(id >> 16) & 255}.${(id >> 8) & 255}.${id & 255}`

export class Deals {
  readonly all: Deal[] = []
  readonly #client: HttpClient
  readonly #timeline: Timeline
  readonly #bought = new Map<number, number>()
  #open = 0
  #isOver = false
  /** Whether customers who are told to come again give up; otherwise they insist. */
  givesUp = false
  /** While no node has been heard of for a while, nothing on them is sold. */
  mayFindNoServer = false

  constructor(client: HttpClient, timeline: Timeline) {
    this.#client = client
    this.#timeline = timeline
  }

  purchase(customer: Customer): Promise<void> {
    return this.#deal(customer, 'purchase', -priceRub, '/v1/configs', { ...place, ...tariff })
  }

  renewal(customer: Customer): Promise<void> {
    const itemId = this.#bought.get(customer.id)
    if (itemId === undefined) return this.purchase(customer)
    return this.#deal(customer, 'renewal', -priceRub, `/v1/configs/renewal/${itemId}`, tariff)
  }

  topUp(customer: Customer): Promise<void> {
    const amount = 100
    const body = { amount, payment_method_id: linkMethod }
    return this.#deal(customer, 'top-up', amount, '/v1/profile/balance/topup', body)
  }

  /** Nobody gives up before all is answered, unless it takes too long. */
  async settle(withinSeconds: number): Promise<void> {
    const endMs = performance.now() + withinSeconds * 1000
    while (this.#open > 0 && performance.now() < endMs) await sleep(100)
  }

  stop(): void {
    this.#isOver = true
  }

  async #deal(
    customer: Customer,
    kind: DealKind,
    amount: number,
    path: string,
    body: unknown,
  ): Promise<void> {
    const { id: userId, apiKey: token } = customer
    const deal: Deal = {
      kind,
      userId,
      key: randomUUID(),
      beganMs: performance.now(),
      amount,
      attempts: 0,
      isDone: false,
    }
    this.all.push(deal)
    this.#open++
    const headers = { 'Idempotency-Key': deal.key }
    const from = addressOf(userId)
    const first = await this.#insist(deal, requestText('POST', path, { token, body, headers, from }))
    if (first) this.#note(deal, first)
    if (deal.paymentPath) {
      const paid = await this.#insist(
        deal,
        requestText('POST', deal.paymentPath, { body: { action: 'pay' }, from }),
        409,
      )
      deal.isDone = paid !== undefined
    }
    this.#open--
  }

  /** As a good program does: the same request again, with the same key, a little later each time. */
  async #insist(deal: Deal, request: string, alsoGood?: number): Promise<Answer | undefined> {
    for (let attempt = 0; !this.#isOver; attempt++) {
      deal.attempts++
      const answer = await this.#client.ask(request)
      this.#timeline.note(
        attempt === 0 ? deal.kind : `${deal.kind} again`,
        answer.status === alsoGood ? { ...answer, status: 200 } : answer,
      )
      const fate = fateOf(answer)
      if (fate === 'good' || answer.status === alsoGood) return answer
      const isSentAway = this.givesUp && attempt === 0 && isUndone(answer)
      const findsNoServer = this.mayFindNoServer && answer.body.includes('NO_SERVER_AVAILABLE')
      if (isSentAway || findsNoServer) {
        deal.isGivenUp = true
        return undefined
      }
      if (fate === 'wrong') {
        deal.isRefused = answer.body
        return undefined
      }
      await sleep(Math.min(5000, 500 * 2 ** attempt) * (0.5 + Math.random()))
    }
    return undefined
  }

  #note(deal: Deal, answer: Answer): void {
    const { data } = JSON.parse(answer.body)
    if (deal.kind === 'top-up') {
      deal.paymentPath = new URL(data.link).pathname
      return
    }
    deal.isDone = true
    deal.itemId = data.id
    if (deal.kind === 'purchase') this.#bought.set(deal.userId, data.id)
  }
}
