import { ProviderRefusal, ProviderUnreachable } from '../../../ports/payments.ts'
import { askProvider } from '../provider-http.ts'

/** Calls of Stripe's API, version 1: forms in, JSON out. */

export type Fields = Readonly<Record<string, unknown>>

/** The fields of an object somebody else wrote; what is not an object has none. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

/** Answers keep this form whatever the account's own version is. */
const apiVersion = '2025-03-31.basil'
/** Another request with this key runs, something beyond Stripe failed, or there were too many requests. */
const undecided = [409, 424, 429]

export class StripeRefusal extends ProviderRefusal {
  readonly code: unknown

  constructor(message: string, code: unknown) {
    super(message)
    this.code = code
  }
}

export interface StripeApiOptions {
  readonly secretKey: string
  readonly url: string
  readonly timeoutMs?: number
}

export class StripeApi {
  readonly #secretKey: string
  readonly #url: string
  readonly #timeoutMs: number | undefined

  constructor({ secretKey, url, timeoutMs }: StripeApiOptions) {
    if (!/^[\x21-\x7e]+$/.test(secretKey))
      throw new Error('The Stripe key has characters that a key cannot have')
    this.#secretKey = secretKey
    this.#url = url.replace(/\/+$/, '')
    this.#timeoutMs = timeoutMs
  }

  get(path: string): Promise<Fields> {
    return this.#ask(path, 'GET', {})
  }

  post(path: string, form: Readonly<Record<string, string>>, idempotencyKey: string): Promise<Fields> {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': idempotencyKey,
    }
    return this.#ask(path, 'POST', headers, new URLSearchParams(form).toString())
  }

  async #ask(
    path: string,
    method: 'GET' | 'POST',
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<Fields> {
    const { status, json } = await askProvider(`${this.#url}${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${this.#secretKey}`, 'stripe-version': apiVersion },
      ...(body !== undefined && { body }),
      ...(this.#timeoutMs !== undefined && { timeoutMs: this.#timeoutMs }),
    })
    if (status === 200 && json !== undefined) return fieldsOf(json)
    const error = fieldsOf(fieldsOf(json).error)
    const isStripes = typeof error.type === 'string'
    const reason = [error.type, error.code, error.message]
      .filter((text) => typeof text === 'string')
      .join(', ')
    const shown = (reason || 'in an unknown form').replaceAll(this.#secretKey, '***').slice(0, 300)
    const message = `Stripe answered ${status}: ${shown}`
    // A page from something between us and Stripe is not Stripe's word.
    if (isStripes && status >= 400 && status < 500 && !undecided.includes(status)) {
      throw new StripeRefusal(message, error.code)
    }
    throw new ProviderUnreachable(message)
  }
}
