import { ApiError } from '@sallyport/contract/errors'

/** So few that everybody else finds a free connection, and enough for the cores that PostgreSQL has. */
const usualMost = 4
/** Less than the 15 s after which an agent gives up: whoever is told so comes again, and nothing is done for nobody. */
const usualPatienceMs = 8000

/**
 * A few at a time, in the order they came. What waits takes no connection of the database: large reports of many nodes would hold
 * all of them, and each would take longer for the others beside it.
 */
export class FewAtOnce {
  readonly #most: number
  readonly #patienceMs: number
  readonly #waiting = new Set<() => void>()
  #busy = 0

  constructor(most = usualMost, patienceMs = usualPatienceMs) {
    this.#most = most
    this.#patienceMs = patienceMs
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#busy < this.#most) this.#busy++
    else await this.#wait()
    try {
      return await work()
    } finally {
      this.#pass()
    }
  }

  #wait(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      this.#waiting.delete(begin)
      reject(new ApiError('UNAVAILABLE'))
    }, this.#patienceMs)
    const begin = () => {
      clearTimeout(timer)
      resolve()
    }
    this.#waiting.add(begin)
    return promise
  }

  /** The place goes to whoever waits longest. */
  #pass(): void {
    const [next] = this.#waiting
    if (next) {
      this.#waiting.delete(next)
      next()
    } else this.#busy--
  }
}
