import type { Services } from '../../../core/call.ts'
import type { Db } from '../../../db/client.ts'
import type { Log } from '../../../ports/log.ts'
import { listSilentNodes } from '../queries.ts'

/** Nodes whose agents are silent, as this instance last saw them. No part of a revision: nobody's doing made it so. */

/** Agents report every 15 seconds. */
const silentAfterSeconds = 180
/** How old what is known may be. */
const lookEverySeconds = 10
/** After the service was away its agents come back one after another, and those who are late are not dead. */
const settlingSeconds = 30

/** The same object while the same nodes are dead. */
export type DeadSet = ReadonlySet<number>

const isSame = (one: DeadSet, other: DeadSet): boolean => one.size === other.size && one.isSubsetOf(other)

export class DeadNodes {
  readonly #db: Db
  readonly #log: Log
  readonly #startedAt: number
  #dead: DeadSet = new Set()
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor({ db, log, clock }: Pick<Services, 'db' | 'log' | 'clock'>) {
    this.#db = db
    this.#log = log
    this.#startedAt = clock.now()
  }

  /** One fetch of many looks; the others go by what is known. */
  async at(now: number): Promise<DeadSet> {
    if (now < this.#lookedAt + lookEverySeconds || now < this.#startedAt + settlingSeconds) return this.#dead
    this.#lookedAt = now
    try {
      const rows = await listSilentNodes(this.#db, now - silentAfterSeconds)
      const dead = new Set(rows.map((row) => row.node_id))
      if (!isSame(dead, this.#dead)) this.#dead = dead
    } catch (err) {
      this.#log.warn({ err }, 'which nodes are silent is not known; what was known stays')
    }
    return this.#dead
  }
}
