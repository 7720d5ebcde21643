import { ApiError } from '@sallyport/contract/errors'

/** Agents ask one thing after another; a few more are those whose asker has given up. */
const mostWaiting = 8
const retryAfterSeconds = 1

/**
 * One thing at a time for each node. What waits takes no connection of the database, where reports of one node would wait for
 * each other's locks and nobody else would be served.
 */
export class Turns {
  readonly #waiting = new Map<number, (() => void)[]>()

  async take<T>(nodeId: number, work: () => Promise<T>): Promise<T> {
    const others = this.#waiting.get(nodeId)
    if (others && others.length >= mostWaiting)
      throw new ApiError('TOO_MANY_REQUESTS', undefined, retryAfterSeconds)
    if (others) await new Promise<void>((resolve) => others.push(resolve))
    else this.#waiting.set(nodeId, [])
    try {
      return await work()
    } finally {
      const next = this.#waiting.get(nodeId)?.shift()
      if (next) next()
      else this.#waiting.delete(nodeId)
    }
  }
}
