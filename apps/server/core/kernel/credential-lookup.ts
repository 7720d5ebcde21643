import type { Limit } from '@sallyport/contract/operation'
import { LRUCache } from 'lru-cache'
import type { Limiter, Taken } from '../../ports/limiter.ts'

/**
 * Look-ups of credentials that anybody can make up. The limit decides before the database is asked. What bears our own
 * mark (core/kernel/tokens.ts) was made here, so it is looked up first and paid for only when it leads nowhere: people who share
 * an address with somebody who guesses are not kept out.
 */

/** One request's claim on the limit of those who show no valid credential. */
export class AnonymousLimit {
  readonly #limiter: Limiter
  readonly #key: () => string
  readonly #limit: Limit
  #taken: Taken | undefined

  constructor(limiter: Limiter, key: () => string, limit: Limit) {
    this.#limiter = limiter
    this.#key = key
    this.#limit = limit
  }

  /** Taken once for a request, however often it is asked for. */
  async take(): Promise<Taken> {
    this.#taken ??= await this.#limiter.take(this.#key(), this.#limit)
    return this.#taken
  }

  async giveBack(): Promise<void> {
    if (!this.#taken) return
    this.#taken = undefined
    await this.#limiter.giveBack(this.#key())
  }
}

export interface Credential {
  readonly id: string
  /** Bears our mark. */
  readonly isOurs: boolean
}

const mostRemembered = 10_000
const remembered = () => new LRUCache<string, true>({ max: mostRemembered })

export class CredentialLookup {
  /** Once ours and now dead: asked for again by somebody whose limit is spent, it costs as much as a made-up one. */
  readonly #dead = remembered()
  /** Bears no mark and was good a while ago. */
  readonly #good = remembered()

  async find<T>(
    { id, isOurs }: Credential,
    anonymous: AnonymousLimit,
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const paysFirst = this.#dead.has(id) || !(isOurs || this.#good.has(id))
    if (paysFirst && !(await anonymous.take()).isAllowed) return undefined
    this.#dead.delete(id)
    const found = await read()
    if (found !== undefined) {
      if (!isOurs) this.#good.set(id, true)
      await anonymous.giveBack()
      return found
    }
    this.#good.delete(id)
    if (!(await anonymous.take()).isAllowed) this.#dead.set(id, true)
    return undefined
  }
}
