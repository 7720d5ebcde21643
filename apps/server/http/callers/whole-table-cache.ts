import type { Bus } from '../../core/kernel/bus.ts'
import type { AnonymousLimit } from '../../core/kernel/credential-lookup.ts'

/** Kept so long without being told of a change. */
const keepMs = 60_000
/** Between two looks for those whose limit is spent, and for everybody while changes may be missed. */
const lookAgainMs = 1000

/**
 * Credentials of which there are few, operators' and nodes', all kept in memory. One that is not among them, or is another
 * than is kept, is looked for as often as the limit of its sender allows, and once a second beyond it: a node is not cut off
 * because somebody who leaves by its address guesses keys, and a flood of made-up ones is a look a second.
 */
export class WholeTableCache<T> {
  readonly #bus: Bus
  readonly #read: () => Promise<ReadonlyMap<string, T>>
  #kept: ReadonlyMap<string, T> = new Map()
  #readAtMs = Number.NEGATIVE_INFINITY
  #changes = 0
  #reading: Promise<ReadonlyMap<string, T>> | undefined
  #following: Promise<ReadonlyMap<string, T>> | undefined

  constructor(bus: Bus, topic: string, read: () => Promise<ReadonlyMap<string, T>>) {
    this.#bus = bus
    this.#read = read
    bus.onPrefix(topic, () => this.#forget())
    bus.onLive(() => this.#forget())
  }

  /** The one that is right: what is kept may be older than what was given to the sender. */
  async find(
    id: string,
    anonymous: AnonymousLimit,
    isRight: (known: T) => boolean | Promise<boolean>,
  ): Promise<T | undefined> {
    const ageMs = performance.now() - this.#readAtMs
    const known = ageMs < (this.#bus.isLive ? keepMs : lookAgainMs) ? this.#kept.get(id) : undefined
    if (known !== undefined && (await isRight(known))) return known
    const { isAllowed } = await anonymous.take()
    if (!isAllowed && ageMs < lookAgainMs) return undefined
    const found = (await this.#readAnew()).get(id)
    if (found === undefined || !(await isRight(found))) return undefined
    await anonymous.giveBack()
    return found
  }

  #forget(): void {
    this.#changes++
    this.#readAtMs = Number.NEGATIVE_INFINITY
  }

  /**
   * One at a time. A read that had begun before somebody asked may not know what they were given since, so all who come
   * meanwhile wait for the one after it.
   */
  #readAnew(): Promise<ReadonlyMap<string, T>> {
    if (!this.#reading) return this.#begin()
    this.#following ??= this.#reading
      .catch(() => undefined)
      .then(() => {
        this.#following = undefined
        return this.#begin()
      })
    return this.#following
  }

  #begin(): Promise<ReadonlyMap<string, T>> {
    this.#reading = this.#keep().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  /** What was read while something changed serves those who wait for it, and is not kept. */
  async #keep(): Promise<ReadonlyMap<string, T>> {
    const [changesBefore, startedMs] = [this.#changes, performance.now()]
    const all = await this.#read()
    if (changesBefore === this.#changes) {
      this.#kept = all
      this.#readAtMs = startedMs
    }
    return all
  }
}
