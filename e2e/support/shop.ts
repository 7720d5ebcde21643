import { setTimeout as sleep } from 'node:timers/promises'
import type { UserConfig } from '@sallyport/contract/shapes'
import { expect } from 'vitest'
import { type Answer, call, demand } from './call.ts'

/** Customers who buy, remember every answer they got, and afterwards compare the service with their memory. */

const priceRub = 200
const startRub = 1_000_000
const shareThatHangsUp = 0.2
const maxImpatienceMs = 100
const order = { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 1 }

interface OpenPurchase {
  readonly key: string
  attempts: number
  /** Found after a crash although no answer came: the retry has to give this one. */
  foundId?: number
}

interface Customer {
  readonly id: number
  readonly apiKey: string
  /** Every answer 201 that arrived. */
  readonly acknowledged: UserConfig[]
  lastKey: string
  /** Sent, and not answered yet. */
  open: OpenPurchase | undefined
}

export class Shop {
  readonly #customers: Customer[]
  readonly #random: () => number
  /** Answers that are neither a success nor a cut connection. */
  readonly refusals: Answer[] = []
  retried = 0
  /** Acknowledged only by a repeat, because the first answer was lost after the purchase was kept. */
  replayed = 0
  lost = 0

  constructor(customers: Customer[], random: () => number) {
    this.#customers = customers
    this.#random = random
  }

  static async open(
    at: { url: string; operatorToken: string; random: () => number },
    size: number,
  ): Promise<Shop> {
    const customers: Customer[] = []
    for (let n = 0; n < size; n++) {
      const body = { balance: startRub }
      const user = await demand(at.url, 'POST', '/operator/v1/users', { token: at.operatorToken, body })
      customers.push({ id: user.id, apiKey: user.api_key, acknowledged: [], lastKey: '', open: undefined })
    }
    return new Shop(customers, at.random)
  }

  get size(): number {
    return this.#customers.length
  }

  get acknowledged(): number {
    return this.#customers.reduce((sum, customer) => sum + customer.acknowledged.length, 0)
  }

  get unanswered(): number {
    return this.#customers.filter((customer) => customer.open).length
  }

  /**
   * Every customer sends one purchase: the one still unanswered with its old key, or else a new one. Some hang
   * up before the answer, so that purchases which were kept but not acknowledged are there too.
   */
  async buyAll(url: string, spreadMs: number, onAcknowledged: () => void = () => undefined): Promise<void> {
    const buyers = this.#customers.map(async (customer) => {
      const hangsUp = this.#random() < shareThatHangsUp
      const patienceMs = hangsUp ? Math.ceil(this.#random() * maxImpatienceMs) : undefined
      await sleep(this.#random() * spreadMs)
      if (await this.#buy(url, customer, patienceMs)) onAcknowledged()
    })
    await Promise.all(buyers)
  }

  /** Only the unanswered ones, as often as it takes. */
  async settle(url: string): Promise<void> {
    for (let attempt = 0; this.unanswered > 0; attempt++) {
      if (attempt > 0) await sleep(1100)
      expect(attempt, 'a calm service answers every purchase').toBeLessThan(5)
      await Promise.all(this.#customers.map((customer) => customer.open && this.#buy(url, customer)))
    }
  }

  /** What was acknowledged is there as it was answered, and every balance is what the purchases left of it. */
  async verify(url: string): Promise<void> {
    await Promise.all(this.#customers.map((customer) => this.#verifyOne(url, customer)))
  }

  /** A key that was used gives the same answer again, and changes nothing. */
  async replayAll(url: string): Promise<void> {
    const bought = this.#customers.filter((customer) => customer.acknowledged.length > 0)
    const replay = async (customer: Customer) => {
      const again = await this.#send(url, customer, customer.lastKey)
      expect(again.body.data).toEqual(customer.acknowledged.at(-1))
      expect(again.headers.get('idempotency-replayed')).toBe('true')
    }
    await Promise.all(bought.map(replay))
  }

  #send(url: string, customer: Customer, key: string, patienceMs = 30_000): Promise<Answer> {
    const headers = { 'idempotency-key': key }
    return call(url, 'POST', '/v1/configs', { token: customer.apiKey, body: order, headers, patienceMs })
  }

  async #buy(url: string, customer: Customer, patienceMs?: number): Promise<boolean> {
    customer.open ??= { key: `${customer.id}-${customer.acknowledged.length}`, attempts: 0 }
    const { open } = customer
    if (open.attempts++ > 0) this.retried++
    const answer = await this.#send(url, customer, open.key, patienceMs).catch(() => undefined)
    if (!answer) return false
    if (answer.status !== 201) {
      this.refusals.push(answer)
      return false
    }
    const config = answer.body.data as UserConfig
    if (open.foundId !== undefined) expect(config.id, 'the retry gives what was found').toBe(open.foundId)
    if (answer.headers.get('idempotency-replayed') === 'true') this.replayed++
    customer.acknowledged.push(config)
    customer.lastKey = open.key
    customer.open = undefined
    return true
  }

  async #verifyOne(url: string, customer: Customer): Promise<void> {
    const token = customer.apiKey
    const found: UserConfig[] = await demand(url, 'GET', '/v1/configs', { token })
    const known = new Set(customer.acknowledged.map((config) => config.id))
    const kept = found.filter((config) => known.has(config.id))
    this.lost += customer.acknowledged.length - kept.length
    const inOrder = customer.acknowledged.toSorted((a, b) => a.id - b.id)
    expect(kept, `what customer ${customer.id} was told`).toEqual(inOrder)

    const others = found.filter((config) => !known.has(config.id))
    const { open } = customer
    expect(others.length, `customer ${customer.id} has nothing unasked`).toBeLessThanOrEqual(open ? 1 : 0)
    if (open?.foundId !== undefined) expect(others[0]?.id).toBe(open.foundId)
    if (open && others[0]) open.foundId = others[0].id

    const { balance } = await demand(url, 'GET', '/v1/profile', { token })
    expect(balance, `the balance of customer ${customer.id}`).toBe(startRub - priceRub * found.length)
  }
}
