import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { seededRandom } from '../../test/support/random.ts'
import { type Answer, demand } from './call.ts'
import { Customer, type Outcome } from './customer.ts'
import { type Deal, giftDays } from './deals.ts'
import { isOrder, verifyCustomer } from './look.ts'
import type { StandInAgent } from './stand-in-agent.ts'

/** Customers who deal with the service all at once, and afterwards compare it with their memory. */

const openingRub = 1_000_000
const openingReferralRub = 10_000_000
const giftsEach = 40
const stepsEach = 2
const shareThatHangsUp = 0.2
const maxImpatienceMs = 100
/** Requests begin spread over this time, so that a kill finds some before, some within and some after. */
const spreadMs = 120

const describeCounts = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([what, count]) => `${what} ${count}`)
    .join(', ')

const sum = (counts: ReadonlyMap<string, number>, kind = /./): number =>
  [...counts].reduce((total, [what, count]) => total + (kind.test(what) ? count : 0), 0)

export const byLink = /by link$/
/** Paid from the balance or with a code. */
export const atOnce = /^(purchase|key|renewal)( by promocode)?$/

export class Shop {
  readonly #customers: Customer[]
  readonly #agent: StandInAgent
  /** Answers that are neither a success nor a cut connection nor a request to come back. */
  readonly refusals: Answer[] = []
  readonly #acknowledged = new Map<string, number>()
  /** Acknowledged only by a repeat, because the first answer was lost after its effect was kept. */
  readonly #found = new Map<string, number>()

  constructor(customers: Customer[], agent: StandInAgent) {
    this.#customers = customers
    this.#agent = agent
  }

  /** Each customer is referred by the one before, so that payments earn commissions too. */
  static async open(
    at: { url: string; operatorToken: string; agent: StandInAgent; seed: number },
    size: number,
  ): Promise<Shop> {
    const { url, operatorToken, agent, seed } = at
    const { option } = agent
    const ask = (path: string, body: unknown) =>
      demand(url, 'POST', `/operator/v1${path}`, { token: operatorToken, body })
    const gifts = { product_type: 'configs', days: giftDays, count: giftsEach }
    const customers: Customer[] = []
    let referrer: { referral_code?: string } = {}
    for (let n = 0; n < size; n++) {
      const opening = { balance: openingRub, referral_balance: openingReferralRub }
      const user = await ask('/users', { ...opening, ...referrer })
      referrer = { referral_code: user.referral_code }
      const { codes } = await ask('/promocodes', gifts)
      const identity = { id: user.id, apiKey: user.api_key, operatorToken, gifts: codes, option }
      customers.push(
        new Customer({ ...identity, openingRub, openingReferralRub }, seededRandom(seed + n * 0x9e3779b1)),
      )
    }
    return new Shop(customers, agent)
  }

  forgetLimits(): void {
    for (const customer of this.#customers) customer.forgetLimits()
  }

  /** Every customer takes a few steps, and nodes tell of traffic. Some hang up early, so that effects nobody heard of are there too. */
  async bustle(url: string, onAnswer: () => void = () => undefined): Promise<void> {
    const walk = async (customer: Customer) => {
      const { random } = customer
      await sleep(random() * spreadMs)
      for (let n = 0; n < stepsEach; n++) {
        const patienceMs = random() < shareThatHangsUp ? Math.ceil(random() * maxImpatienceMs) : undefined
        const outcome = await customer.step(url, patienceMs)
        this.#count(outcome)
        if (outcome.kind === 'unanswered') return
        onAnswer()
      }
    }
    const accesses = this.#customers.flatMap((customer) => customer.accesses)
    await Promise.all([...this.#customers.map(walk), this.#agent.bustle(url, accesses)])
  }

  /** Repeats what is unanswered, once. */
  async repeat(url: string, patienceMs = 1500): Promise<void> {
    const begun = this.#customers.filter((customer) => customer.open || customer.unpaid)
    await Promise.all(begun.map(async (customer) => this.#count(await customer.finish(url, patienceMs))))
  }

  /** Repeats until nothing is unanswered and nothing begun is unpaid. */
  async finish(url: string): Promise<void> {
    const isBusy = () => this.#customers.some((customer) => customer.open || customer.unpaid)
    for (let attempt = 0; isBusy(); attempt++) {
      if (attempt > 2) await sleep(500)
      expect(attempt, `a calm service answers everything, but ${this.#trouble}`).toBeLessThan(60)
      await this.repeat(url, 10_000)
    }
  }

  get #trouble(): string {
    const waiting = this.#customers.filter((customer) => customer.open || customer.unpaid)
    const told = waiting.map(({ open, unpaid, lastTrouble }) => [open?.path, unpaid?.path, lastTrouble])
    return JSON.stringify([...told, this.refusals.at(-1)?.body])
  }

  /** Those who wait for an answer do not know what to expect, and are looked at another time. */
  async verify(
    url: string,
    { isAtRest = false, nowSeconds = () => Math.floor(Date.now() / 1000) } = {},
  ): Promise<void> {
    const calm = this.#customers.filter((customer) => !customer.open)
    await Promise.all(
      calm.map((customer) => {
        const carried = this.#agent.carried(customer.accesses)
        return verifyCustomer(url, customer, { isAtRest, nowSeconds, carried })
      }),
    )
  }

  /** A key that was used gives its answer again and changes nothing. */
  async repeatLast(url: string): Promise<void> {
    for (const customer of this.#customers) {
      const [first, again] = await customer.repeatLast(url)
      expect(again?.body.data).toEqual(first)
      expect(again?.headers.get('idempotency-replayed')).toBe('true')
    }
  }

  acknowledged(kind: RegExp): number {
    return sum(this.#acknowledged, kind)
  }

  /** How often a repeat found that the effect was there although its answer had been lost. */
  foundDone(kind: RegExp): number {
    return sum(this.#found, kind) + (kind === byLink ? this.#continuedLinks : 0)
  }

  /** Orders that were there, while their link had to be asked for again: an answer that was never kept. */
  get #continuedLinks(): number {
    const links = this.#customers.flatMap(({ deals }) => deals.filter((deal) => deal.paymentId !== undefined))
    const isOlder = (deal: Deal) => (deal.order?.created_at ?? deal.sentAt) < deal.sentAt
    return links.filter((deal) => deal.attempts > 1 && !deal.wasReplayed && isOlder(deal)).length
  }

  /** What was acknowledged and had no order when it was last looked for. */
  get #lost(): number {
    const answered = this.#customers.flatMap(({ deals, open }) => deals.filter((deal) => deal !== open))
    return answered.filter((deal) => isOrder(deal) && deal.order === undefined).length
  }

  get summary(): string {
    const retried = this.#customers.reduce((total, customer) => total + customer.retried, 0)
    return [
      `${sum(this.#acknowledged)} acknowledged (${describeCounts(this.#acknowledged)})`,
      `${retried} retried`,
      `${sum(this.#found)} of these found already done (${describeCounts(this.#found)})`,
      `${this.#continuedLinks} links found half made`,
      `lost ${this.#lost}`,
      this.#agent.summary,
    ].join('; ')
  }

  #count(outcome: Outcome): void {
    if (outcome.kind === 'refused') this.refusals.push(outcome.answer)
    if (!('what' in outcome)) return
    const { what } = outcome
    this.#acknowledged.set(what, (this.#acknowledged.get(what) ?? 0) + 1)
    if (outcome.kind === 'found already done') this.#found.set(what, (this.#found.get(what) ?? 0) + 1)
  }
}
