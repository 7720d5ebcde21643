import { randomUUID } from 'node:crypto'
import { Agent } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { emptyReport } from '../../../test/support/node.ts'
import { type SecureAnswer, type SecureCall, type SecureSite, secureCaller } from './secure-call.ts'

/** Customers who buy and look, and an agent that waits and reports, for as long as it is told: through the proxy, by TLS. */

export interface Buyer {
  readonly token: string
  readonly startRub: number
}

interface Wish {
  readonly site: SecureSite
  readonly buyers: readonly Buyer[]
  readonly nodeToken: () => Promise<string>
  readonly priceRub: number
}

/** More than the one purchase a second that a customer may make. */
const betweenPurchasesMs = 1200
const betweenLooksMs = 200

export interface Told {
  readonly answers: number
  readonly purchases: number
  readonly polls: number
  /** Which releases have answered, and how often; those without a name are ''. */
  readonly releases: Readonly<Record<string, number>>
}

/** A machine that has just come up may have others to answer first. */
const profileOf = async (call: SecureCall, token: string): Promise<SecureAnswer> => {
  for (let tries = 1; ; tries++) {
    const answer = await call('GET', '/v1/profile', { token })
    if (answer.status === 200 || tries >= 20) return answer
    await sleep(1000)
  }
}

export class SteadyLoad {
  readonly failures: string[] = []
  readonly #wish: Wish
  readonly #kept: Agent
  readonly #bought = new Map<string, number>()
  #isOn = false
  #answers = 0
  #polls = 0
  #releases: Record<string, number> = {}
  #loops: Promise<void>[] = []

  constructor(wish: Wish) {
    this.#wish = wish
    this.#kept = new Agent({ keepAlive: true, maxSockets: 64 })
  }

  start(): void {
    this.#isOn = true
    const { site, buyers } = this.#wish
    const [fresh, kept] = [secureCaller(site), secureCaller(site, this.#kept)]
    this.#loops = [
      ...buyers.map((buyer, index) => this.#buy(index % 2 ? fresh : kept, buyer)),
      ...buyers.flatMap((buyer) => [this.#look(fresh, buyer), this.#look(kept, buyer)]),
      this.#poll(kept),
      this.#report(fresh),
    ]
  }

  /** What was answered since it was last asked. */
  told(): Told {
    const purchases = [...this.#bought.values()].reduce((sum, one) => sum + one, 0)
    const told = { answers: this.#answers, purchases, polls: this.#polls, releases: this.#releases }
    this.#answers = 0
    this.#polls = 0
    this.#releases = {}
    return told
  }

  async stop(): Promise<void> {
    this.#isOn = false
    await Promise.all(this.#loops)
    this.#kept.destroy()
  }

  /** Every purchase that was answered is there, once, and paid for. */
  async audit(call: SecureCall): Promise<string[]> {
    const wrong: string[] = []
    for (const { token, startRub } of this.#wish.buyers) {
      const bought = this.#bought.get(token) ?? 0
      const { status, body } = await profileOf(call, token)
      if (status !== 200) {
        wrong.push(`a profile: ${status} ${JSON.stringify(body)}`)
        continue
      }
      const left = body.data.balance
      const expected = startRub - bought * this.#wish.priceRub
      if (left !== expected) wrong.push(`${bought} bought, ${left} left instead of ${expected}`)
    }
    return wrong
  }

  async #ask(
    what: string,
    asking: Promise<SecureAnswer>,
    expected: number,
  ): Promise<SecureAnswer | undefined> {
    try {
      const answer = await asking
      this.#answers++
      const release = String(answer.headers['x-release'] ?? '')
      this.#releases[release] = (this.#releases[release] ?? 0) + 1
      if (answer.status !== expected)
        this.failures.push(`${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`)
      return answer
    } catch (error) {
      this.failures.push(`${what}: ${(error as Error).message}`)
      return undefined
    }
  }

  async #buy(call: SecureCall, { token }: Buyer): Promise<void> {
    const body = { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 1 }
    while (this.#isOn) {
      const headers = { 'idempotency-key': randomUUID() }
      const answer = await this.#ask('a purchase', call('POST', '/v1/configs', { token, body, headers }), 201)
      if (answer?.status === 201) this.#bought.set(token, (this.#bought.get(token) ?? 0) + 1)
      await sleep(betweenPurchasesMs)
    }
  }

  async #look(call: SecureCall, { token }: Buyer): Promise<void> {
    let times = 0
    while (this.#isOn) {
      // As often as a customer may; the rest is for everybody, and needs the database too.
      const isOwn = times++ % 3 === 0
      await this.#ask('a look', isOwn ? call('GET', '/v1/profile', { token }) : call('GET', '/readyz'), 200)
      await sleep(betweenLooksMs)
    }
  }

  async #poll(call: SecureCall): Promise<void> {
    let revision = 0
    while (this.#isOn) {
      const token = await this.#wish.nodeToken()
      const path = `/agent/v1/state?since=${revision}&wait_seconds=20`
      const answer = await this.#ask('a poll', call('GET', path, { token }), 200)
      this.#polls++
      revision = answer?.body?.data?.revision ?? revision
    }
  }

  async #report(call: SecureCall): Promise<void> {
    while (this.#isOn) {
      const token = await this.#wish.nodeToken()
      await this.#ask('a report', call('POST', '/agent/v1/report', { token, body: emptyReport }), 200)
      await sleep(3000)
    }
  }
}
