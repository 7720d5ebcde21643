import { ApiError } from '@sallyport/contract/errors'

/** So few that everybody else finds a free connection, and enough for the cores that PostgreSQL has. */
const usualMost = 4
/** Less than the 15 s after which an agent gives up: whoever is told so comes again, and nothing is done for nobody. */
const usualPatienceMs = 8000
/** Each keeps its counters in memory, and whoever is further behind would hardly have a turn in that time. */
const mostWaiting = 200

/** How somebody waits who has a place of another kind that others could use meanwhile; it may end in being sent away. */
type Aside = <T>(wait: () => Promise<T>) => Promise<T>

const whereItStands: Aside = (wait) => wait()

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

  async take<T>(work: () => Promise<T>, aside = whereItStands): Promise<T> {
    if (this.#busy < this.#most) this.#busy++
    else await this.#waitAside(aside)
    try {
      return await work()
    } finally {
      this.#pass()
    }
  }

  async #waitAside(aside: Aside): Promise<void> {
    let isGiven = false
    try {
      await aside(async () => {
        await this.#wait()
        isGiven = true
      })
    } catch (error) {
      if (isGiven) this.#pass()
      throw error
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.size >= mostWaiting) throw new ApiError('UNAVAILABLE')
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
