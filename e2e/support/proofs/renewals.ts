import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { demand } from '../call.ts'

/** Customers who renew what they have, from their balance: what costs the service most, and moves money each time. */

interface Renewing {
  readonly token: string
  readonly id: number
}

export interface Outcome {
  /** Nothing when the connection broke. */
  readonly status: number | undefined
  readonly ms: number
  readonly hasRetryAfter: boolean
  readonly token: string
}

const balance = 100_000
const price = 200

export class Renewals {
  readonly customers: readonly Renewing[]
  readonly #url: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  #turn = 0

  private constructor(url: string, customers: readonly Renewing[]) {
    this.#url = url
    this.customers = customers
  }

  static async open(url: string, operatorToken: string, count: number): Promise<Renewals> {
    const customers: Renewing[] = []
    const open = async () => {
      const user = await demand(url, 'POST', '/operator/v1/users', {
        token: operatorToken,
        body: { balance },
      })
      const body = { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 1 }
      const { id } = await demand(url, 'POST', '/v1/configs', { token: user.api_key, body })
      customers.push({ token: user.api_key, id })
    }
    for (let n = 0; n < count; n += 10) await Promise.all(Array.from({ length: 10 }, open))
    return new Renewals(url, customers)
  }

  renew(): Promise<Outcome> {
    const { token, id } = this.customers[this.#turn++ % this.customers.length] as Renewing
    const began = performance.now()
    return new Promise((resolve) => {
      const end = (status?: number, hasRetryAfter = false) =>
        resolve({ status, ms: performance.now() - began, hasRetryAfter, token })
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const options = { method: 'POST', headers, agent: this.#agent, timeout: 30_000 }
      const sent = request(`${this.#url}/v1/configs/renewal/${id}`, options, (response) => {
        const hasRetryAfter = response.headers['retry-after'] !== undefined
        response.on('data', () => undefined).once('end', () => end(response.statusCode, hasRetryAfter))
        response.once('error', () => end())
      })
      sent.once('timeout', () => sent.destroy()).once('error', () => end())
      sent.end('{"payment_method_id":1}')
    })
  }

  /** So many callers, each of whom waits for the answer before asking again. */
  async inTurn(callers: number, goesOn: () => boolean): Promise<Outcome[]> {
    const all: Outcome[] = []
    const go = async () => {
      while (goesOn()) all.push(await this.renew())
    }
    await Promise.all(Array.from({ length: callers }, go))
    return all
  }

  /** So many a second, whether or not those before were answered. */
  async atRate(perSecond: number, seconds: number): Promise<Outcome[]> {
    const all: Promise<Outcome>[] = []
    const began = performance.now()
    for (let passedMs = 0; passedMs < seconds * 1000; passedMs = performance.now() - began) {
      while (all.length < (perSecond * passedMs) / 1000) all.push(this.renew())
      await sleep(5)
    }
    return Promise.all(all)
  }

  /** Customers whose balance is not what they were told. */
  async wrongBalances(outcomes: readonly Outcome[]): Promise<string[]> {
    const wrong: string[] = []
    for (const { token } of this.customers) {
      const own = outcomes.filter((outcome) => outcome.token === token)
      const done = own.filter(({ status }) => status === 200 || status === 201).length
      const told = balance - price - done * price
      const { balance: now } = await demand(this.#url, 'GET', '/v1/profile', { token })
      if (now !== told) wrong.push(`${now} instead of ${told}`)
    }
    return wrong
  }

  close(): void {
    this.#agent.destroy()
  }
}

export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
