import { movedPrefix, readMoved } from '../../../core/fleet/changed-traffic-message.ts'
import type { Bus } from '../../../core/kernel/bus.ts'

/** Terms whose traffic has moved, as agents report it to any instance, so that only theirs is summed up again. */

/** Some 50 bytes each. */
const mostTerms = 100_000

export class ChangedTraffic {
  readonly #bus: Bus
  readonly #most: number
  /** When each moved last. */
  readonly #terms = new Map<number, number>()
  #moment = 0
  /** Of what was summed up before, nothing is known. */
  #knownSince = 0

  constructor(bus: Bus, most = mostTerms) {
    this.#bus = bus
    this.#most = most
    bus.onPrefix(movedPrefix, (said) => this.#note(readMoved(said)))
    bus.onLive(() => this.#note('all'))
  }

  /** To be remembered with a sum that is begun now. */
  get moment(): number {
    return this.#moment
  }

  /** Whether none of them has moved since; while messages may be missed, nobody knows. */
  areStill(termIds: readonly number[], since: number): boolean {
    if (since < this.#knownSince || !this.#bus.isLive) return false
    if (since === this.#moment) return true
    return termIds.every((id) => (this.#terms.get(id) ?? 0) <= since)
  }

  #note(moved: readonly number[] | 'all'): void {
    this.#moment++
    if (moved === 'all' || this.#terms.size + moved.length > this.#most) {
      this.#terms.clear()
      this.#knownSince = this.#moment
    } else for (const id of moved) this.#terms.set(id, this.#moment)
  }
}
