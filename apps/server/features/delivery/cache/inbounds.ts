import type { LRUCache } from 'lru-cache'
import { leastRecentlyUsed } from '../../../core/least-recent.ts'
import type { Db } from '../../../db/client.ts'
import { GatheredRow } from '../../../db/reads/gathered.ts'
import { type Inbound, type InboundRef, type InboundRow, inboundsByRef } from '../live-queries.ts'

/**
 * Inbounds with their nodes and locations. Everybody on a server has the same ones and they hardly ever change, so they are
 * remembered for as long as `fleet_version` is the same, which whatever changes one of them raises.
 */

/** About a kilobyte each. */
const mostInbounds = 20_000

const nameOf = ({ server_id, protocol, location_id }: InboundRef): string =>
  `${server_id} ${protocol} ${location_id}`

export class InboundCache {
  readonly #rows: GatheredRow<InboundRef, InboundRow>
  readonly #known: LRUCache<string, Inbound>
  /** Of everything that is known. */
  #version = 0

  constructor(db: Db, most = mostInbounds) {
    this.#known = leastRecentlyUsed(most)
    this.#rows = new GatheredRow((asked) =>
      inboundsByRef(
        db,
        asked.map(({ server_id }) => server_id),
        asked.map(({ protocol }) => protocol),
        asked.map(({ location_id }) => location_id),
      ),
    )
  }

  /** Of each of these, as they were at this version or later; undefined where there is none. */
  async of(refs: readonly InboundRef[], version: number): Promise<(Inbound | undefined)[]> {
    this.#turnTo(version)
    const found = refs.map((ref) => this.#known.get(nameOf(ref)))
    if (!found.includes(undefined)) return found
    return Promise.all(refs.map((ref, at) => found[at] ?? this.#read(ref)))
  }

  async #read(ref: InboundRef): Promise<Inbound | undefined> {
    const row = await this.#rows.of(ref)
    if (!row) return undefined
    this.#turnTo(row.fleet_version)
    this.#known.set(nameOf(ref), row)
    return row
  }

  /** Also to an earlier one, which somebody read before it rose: what is kept is then of that. */
  #turnTo(version: number): void {
    if (version === this.#version) return
    this.#known.clear()
    this.#version = version
  }
}
