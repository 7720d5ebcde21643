import type { DeadSet } from './dead-nodes.ts'

/** What an answer was made of beside the revision of its key. */
export class Validity {
  readonly #settingsVersion: number
  readonly #nodes: readonly number[]
  readonly #dead: readonly number[]
  /** The last set in which the same of its nodes were dead. */
  #known: DeadSet
  readonly #told: string

  /** `told` is whatever else is said in it. */
  constructor(settingsVersion: number, nodes: Iterable<number>, dead: DeadSet, told = '') {
    this.#settingsVersion = settingsVersion
    this.#told = told
    this.#nodes = [...new Set(nodes)]
    this.#dead = this.#nodes.filter((id) => dead.has(id))
    this.#known = dead
  }

  /** Whether the same would come out now: another one's server that died changes nothing here. */
  holds(settingsVersion: number, dead: DeadSet, told = ''): boolean {
    if (settingsVersion !== this.#settingsVersion || told !== this.#told) return false
    if (dead === this.#known) return true
    const now = this.#nodes.filter((id) => dead.has(id))
    const isSame = now.length === this.#dead.length && now.every((id, at) => id === this.#dead[at])
    if (isSame) this.#known = dead
    return isSame
  }
}
