import { setTimeout as sleep } from 'node:timers/promises'
import type { Customer } from '../../seed.ts'
import { addressOf, Deals } from './deals.ts'
import { HttpClient, requestText } from './http-client.ts'
import { Timeline } from './timeline.ts'

/** Customers, their apps and their programs, all at once. */

type Run = (customer: Customer) => Promise<unknown>

const stepMs = 5
/** More than these at once and the load itself would be what is measured. */
const mostWaiting = 6000

export class Traffic {
  readonly timeline = new Timeline()
  readonly client: HttpClient
  readonly deals: Deals
  readonly #customers: readonly Customer[]
  readonly #tags = new Map<number, string>()
  readonly #kinds: readonly (readonly [weight: number, run: Run])[]
  readonly #weight: number
  #isOver = false
  /** Requests that were due and not sent, because too many were waited for. */
  unsent = 0

  constructor(port: number, customers: readonly Customer[]) {
    this.client = new HttpClient(port)
    this.#customers = customers
    this.deals = new Deals(this.client, this.timeline)
    const read =
      (path: string): Run =>
      ({ id, apiKey: token }) =>
        this.#ask(path, requestText('GET', path, { token, from: addressOf(id) }))
    this.#kinds = [
      [60, (customer) => this.#fetch(customer)],
      [10, read('/v1/profile')],
      [10, read('/v1/configs?limit=20')],
      [6, read('/v1/paid-options')],
      [4, read('/v1/locations')],
      [4, (customer) => this.deals.purchase(customer)],
      [4, (customer) => this.deals.renewal(customer)],
      [2, (customer) => this.deals.topUp(customer)],
    ]
    this.#weight = this.#kinds.reduce((sum, [weight]) => sum + weight, 0)
  }

  /** So many a second, whatever becomes of them. */
  arrive(rate: number, seconds: number): Promise<void> {
    return this.arriveUntil(rate, AbortSignal.timeout(seconds * 1000))
  }

  async arriveUntil(rate: number, end: AbortSignal): Promise<void> {
    const beganMs = performance.now()
    for (let sent = 0; !this.#isOver && !end.aborted; ) {
      const passedMs = performance.now() - beganMs
      for (const due = (rate * passedMs) / 1000; sent < due; sent++) {
        if (this.client.waiting < mostWaiting) void this.one()
        else this.unsent++
      }
      await sleep(stepMs)
    }
  }

  /** So many at once, each as soon as the one before has its answer. */
  async crowd(connections: number, seconds: number): Promise<void> {
    const endMs = performance.now() + seconds * 1000
    const walk = async () => {
      while (performance.now() < endMs && !this.#isOver) await this.one()
    }
    await Promise.all(Array.from({ length: connections }, walk))
  }

  /** Every app has fetched once, as those of customers have: the first time is when a device is noted. */
  async introduce(connections: number): Promise<void> {
    const left = this.#customers.values()
    const walk = async () => {
      for (const customer of left) await this.#fetch(customer)
    }
    await Promise.all(Array.from({ length: connections }, walk))
  }

  one(): Promise<unknown> {
    let at = Math.random() * this.#weight
    const kind = this.#kinds.find(([weight]) => {
      at -= weight
      return at < 0
    })
    const customer = this.#customers[Math.floor(Math.random() * this.#customers.length)] as Customer
    return kind?.[1](customer) ?? Promise.resolve()
  }

  close(): void {
    this.#isOver = true
    this.client.close()
  }

  async #ask(kind: string, request: string): Promise<void> {
    this.timeline.note(kind, await this.client.ask(request))
  }

  /** Apps that have fetched before say what they have. */
  async #fetch({ id, subscriptionKey }: Customer): Promise<void> {
    const known = this.#tags.get(id)
    const headers = { 'User-Agent': 'v2rayNG/1.9', ...(known && { 'If-None-Match': known }) }
    const answer = await this.client.ask(
      requestText('GET', `/sub/${subscriptionKey}`, { headers, from: addressOf(id) }),
    )
    if (answer.etag) this.#tags.set(id, answer.etag)
    this.timeline.note('/sub', answer)
  }
}
