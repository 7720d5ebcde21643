const patienceMs = 120_000

/** Tries again and again whether something works, and remembers how long it did not. */
export class Outage {
  readonly #works: () => Promise<boolean>
  readonly #trying: Promise<void>
  #isWanted = true
  #lastMs = Date.now()
  #longestMs = 0

  constructor(works: () => Promise<boolean>) {
    this.#works = works
    this.#trying = this.#try()
  }

  /** When it works again; the longest time in milliseconds between two moments at which it did. */
  async over(): Promise<number> {
    this.#isWanted = false
    await this.#trying
    return this.#longestMs
  }

  async #try(): Promise<void> {
    for (let worked = false; this.#isWanted || !worked; ) {
      const beganMs = Date.now()
      worked = await this.#works()
      if (!worked && beganMs - this.#lastMs > patienceMs) throw new Error('it does not work any more')
      if (!worked) continue
      this.#longestMs = Math.max(this.#longestMs, beganMs - this.#lastMs)
      this.#lastMs = Date.now()
    }
  }
}
