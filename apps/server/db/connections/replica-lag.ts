import type { Engine } from '../driver.ts'

/** A place in the log of changes, as bytes since its beginning. */
const whereIsPrimary = `select (pg_current_wal_lsn() - '0/0')::float8 as place`
/** Where a pooler or a proxy leads to the primary instead, nothing is behind. */
const whereIsReplica = `
  select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0')::float8 as place`

const lookEveryMs = 1000
/** Beyond an hour it is simply far behind. */
const mostSeen = 3600

interface Seen {
  readonly atMs: number
  readonly place: number
}

const placeIn = async (engine: Engine, sql: string): Promise<number> => {
  const { rows } = await engine.read(sql, [])
  return (rows[0] as { place: number | null }).place ?? 0
}

/**
 * How old is what a standby says. The primary is asked each second how far it is, and the standby which of these places it has
 * reached: clocks of machines do not matter, nor whether anything is written at all, nor whether the standby knows that it lost its
 * primary.
 */
export class ReplicaLag {
  readonly #primary: Engine
  readonly #replica: Engine
  readonly #timer: NodeJS.Timeout
  #ahead: Seen[] = []
  #isAway = true
  #isLooking = false

  constructor(primary: Engine, replica: Engine) {
    this.#primary = primary
    this.#replica = replica
    this.#timer = setInterval(() => void this.look(), lookEveryMs).unref()
  }

  /** Infinite while it does not answer. */
  seconds(): number {
    if (this.#isAway) return Infinity
    const [oldest] = this.#ahead
    return oldest ? (performance.now() - oldest.atMs) / 1000 : 0
  }

  async look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      const place = await placeIn(this.#primary, whereIsPrimary)
      if (this.#ahead.length < mostSeen) this.#ahead.push({ atMs: performance.now(), place })
      const reached = await placeIn(this.#replica, whereIsReplica)
      this.#ahead = this.#ahead.filter((seen) => seen.place > reached)
      this.#isAway = false
    } catch {
      // Whichever of them does not answer: nothing is known of how far the one is behind the other.
      this.#isAway = true
    } finally {
      this.#isLooking = false
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
