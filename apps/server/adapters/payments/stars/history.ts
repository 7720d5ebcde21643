import { ProviderUnreachable } from '../../../ports/payments.ts'
import { type BotApi, type Fields, fieldsOf } from './bot-api.ts'

/**
 * The bot's star transactions. Telegram counts them from the oldest and cannot be asked by time, so the place to
 * begin is looked for by halving; from there the pages run to the end.
 */

export interface StarTransaction {
  readonly id: string
  readonly amount: unknown
  readonly date: number
  /** Set for what came in. */
  readonly source: Fields | undefined
  /** Set for what went out. */
  readonly receiver: Fields | undefined
}

const pageSize = 100
/** More than any bot has: an answer that never ends is not an answer. */
const maxPages = 1000
const maxDoublings = 40

const part = (value: unknown): Fields | undefined => (value === undefined ? undefined : fieldsOf(value))

const readTransaction = (value: unknown): StarTransaction => {
  const { id, amount, date, source, receiver } = fieldsOf(value)
  if (typeof id !== 'string' || typeof date !== 'number' || !Number.isSafeInteger(date)) {
    throw new ProviderUnreachable('Telegram listed a transaction in an unknown form')
  }
  return { id, amount, date, source: part(source), receiver: part(receiver) }
}

export class StarHistory {
  readonly #api: BotApi
  /** Where the last search ended: the next one probably ends near it. */
  #guess = 0

  constructor(api: BotApi) {
    this.#api = api
  }

  /** Every transaction since a moment, the oldest first; a few older ones may come before. */
  async *since(moment: number): AsyncGenerator<StarTransaction> {
    let offset = await this.#placeOf(moment)
    for (let pages = 0; pages < maxPages; pages++) {
      const page = await this.#page(offset, pageSize)
      yield* page
      if (page.length < pageSize) return
      offset += page.length
    }
    throw new ProviderUnreachable('Telegram lists transactions without an end')
  }

  async #page(offset: number, limit: number): Promise<readonly StarTransaction[]> {
    const { transactions } = fieldsOf(await this.#api.call('getStarTransactions', { offset, limit }))
    if (!Array.isArray(transactions) || transactions.length > limit) {
      throw new ProviderUnreachable('Telegram listed transactions in an unknown form')
    }
    const page = transactions.map(readTransaction)
    if ((page[0]?.date ?? 0) > (page.at(-1)?.date ?? 0)) {
      throw new ProviderUnreachable('Telegram listed transactions in an unknown order')
    }
    return page
  }

  async #isBefore(offset: number, moment: number): Promise<boolean> {
    const [transaction] = await this.#page(offset, 1)
    return transaction !== undefined && transaction.date < moment
  }

  async #placeOf(moment: number): Promise<number> {
    let low = 0
    let high = this.#guess
    for (let doublings = 0; await this.#isBefore(high, moment); doublings++) {
      if (doublings === maxDoublings) throw new ProviderUnreachable('Telegram lists only old transactions')
      low = high
      high += pageSize * 2 ** doublings
    }
    while (high - low > pageSize) {
      const middle = Math.floor((low + high) / 2)
      if (await this.#isBefore(middle, moment)) low = middle
      else high = middle
    }
    this.#guess = low
    return low
  }
}
