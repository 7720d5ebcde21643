import type { UserTraffic } from '../common/engine.ts'
import type { PeerSpec } from './tunnel-plan.ts'
import type { PeerBytes } from './uapi.ts'

type Counted = ReadonlyMap<string, PeerBytes>

const nothing: PeerBytes = { received: 0, sent: 0 }

/**
 * Bytes of each access in one run of the engine. A peer that is taken away and put back counts from zero, so
 * what it had is kept here and the sum never goes down.
 */
export class TunnelCounters {
  readonly #kept = new Map<string, PeerBytes>()

  /** Takes over the counters of peers that are about to be removed. */
  keep(peers: Iterable<PeerSpec>, counted: Counted): void {
    for (const peer of peers) this.#kept.set(peer.id, this.#sum(peer.id, counted.get(peer.publicKey)))
  }

  /** What each has had up to now, removed ones included. */
  present(peers: Iterable<PeerSpec>, counted: Counted): UserTraffic[] {
    const sums = new Map(this.#kept)
    for (const { id, publicKey } of peers) sums.set(id, this.#sum(id, counted.get(publicKey)))
    return [...sums].map(([id, { received, sent }]) => ({ id, up: received, down: sent }))
  }

  #sum(id: string, { received, sent }: PeerBytes = nothing): PeerBytes {
    const kept = this.#kept.get(id) ?? nothing
    return { received: kept.received + received, sent: kept.sent + sent }
  }
}
