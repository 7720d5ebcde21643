import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { CloudRefusal, CloudUnreachable } from '../../ports/clouds.ts'
import { askWhole, NoWholeAnswer, type WholeAnswer } from '../whole-answer.ts'

/** Questions to whoever has machines for hire, and how far the answers are believed. */

/** Fifty or a hundred machines a page, each with all that its type costs everywhere. */
const maxAnswerBytes = 8 * 1024 * 1024
const usualTimeoutMs = 15_000
const maxSaidCharacters = 300
const longestWaitSeconds = 3600
const maxPages = 200

export interface CloudOptions {
  readonly token: string
  /** Where the API is, when not where the provider says. */
  readonly url?: string
  readonly timeoutMs?: number
}

export type CloudMethod = 'GET' | 'POST' | 'DELETE'

export class CloudHttp {
  readonly #provider: string
  readonly #token: string
  readonly #url: string
  readonly #timeoutMs: number

  constructor(provider: string, usualUrl: string, { token, url, timeoutMs }: CloudOptions) {
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw new Error(`The token for ${provider} has characters that a token cannot have`)
    }
    this.#provider = provider
    this.#token = token
    this.#url = (url ?? usualUrl).replace(/\/+$/, '')
    this.#timeoutMs = timeoutMs ?? usualTimeoutMs
  }

  async ask(method: CloudMethod, path: string, body?: object): Promise<WholeAnswer> {
    try {
      return await askWhole(`${this.#url}${path}`, {
        method,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${this.#token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        timeoutMs: this.#timeoutMs,
        maxAnswerBytes,
      })
    } catch (error) {
      if (error instanceof NoWholeAnswer) throw this.unreachable(error.message)
      throw error
    }
  }

  unreachable(why: string): CloudUnreachable {
    return new CloudUnreachable(`${this.#provider}: ${this.#clean(why)}`)
  }

  refusal(kind: CloudRefusal['kind'], why: string, retryAfterSeconds?: number): CloudRefusal {
    return new CloudRefusal(kind, `${this.#provider}: ${this.#clean(why)}`, retryAfterSeconds)
  }

  /** Reads answers of one form; anything else may be said by nobody we know. */
  reader<T extends TSchema>(what: string, schema: T): (json: unknown) => Static<T> {
    let compiled: ReturnType<typeof Compile> | undefined
    return (json) => {
      compiled ??= Compile(schema)
      if (compiled.Check(json)) return json as Static<T>
      throw this.unreachable(`answered with no ${what} that can be read`)
    }
  }

  async allPages<T>(
    readPage: (page: number) => Promise<{ readonly items: readonly T[]; readonly isLast: boolean }>,
  ): Promise<T[]> {
    const all: T[] = []
    for (let page = 1; page <= maxPages; page++) {
      const { items, isLast } = await readPage(page)
      all.push(...items)
      if (isLast) return all
    }
    throw this.unreachable('answered with more pages than can be')
  }

  /** The provider's own words may repeat the token, or break a line of the log. */
  #clean(said: string): string {
    return said
      .replaceAll(this.#token, '***')
      .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
      .slice(0, maxSaidCharacters)
  }
}

/** How long to wait after too many questions; reckoned by the provider's clock where the answer tells it. */
export const waitOf = (headers: Headers): number | undefined => {
  const wait = headers.get('retry-after')
  const reset = headers.get('ratelimit-reset')
  const digits = /^\d{1,10}$/
  if (wait !== null && digits.test(wait)) return bounded(Number(wait))
  if (reset === null || !digits.test(reset)) return undefined
  const answeredAt = Date.parse(headers.get('date') ?? '') || Date.now()
  return bounded(Number(reset) - Math.floor(answeredAt / 1000))
}

const bounded = (seconds: number): number => Math.min(longestWaitSeconds, Math.max(1, seconds))

/** Unix seconds of a moment in ISO 8601; undefined when it is none. */
export const readMoment = (text: string): number | undefined => {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000)
}
