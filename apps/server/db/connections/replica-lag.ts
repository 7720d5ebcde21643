import type { Engine } from '../driver.ts'

/** Which cluster it is, which of its histories it writes, and how far it is there, as bytes since the beginning. */
const whereIsPrimary = `
  select system_identifier::text || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline,
    (pg_current_wal_lsn() - '0/0')::float8 as place
  from pg_control_system()`
/**
 * Whom it receives from is told to superusers and members of pg_read_all_stats; all others hear what was written down last, some
 * minutes after it has changed. Where a pooler or a proxy leads to the primary instead, nothing is behind.
 */
const whereIsReplica = `
  select system_identifier::text || '/' || case when pg_is_in_recovery()
      then lpad(upper(to_hex(coalesce(
        (select nullif(received_tli, 0) from pg_stat_wal_receiver),
        greatest((select timeline_id from pg_control_checkpoint()), (select min_recovery_end_timeline from pg_control_recovery()))))), 8, '0')
      else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline,
    (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end - '0/0')::float8 as place
  from pg_control_system()`

const lookEveryMs = 1000
/** Beyond an hour it is simply far behind. */
const mostSeen = 3600

interface Seen {
  readonly atMs: number
  readonly place: number
}

interface Place {
  readonly timeline: string
  readonly place: number
}

const placeIn = async (engine: Engine, sql: string): Promise<Place> => {
  const { rows } = await engine.read(sql, [])
  const { timeline, place } = rows[0] as { timeline: string; place: number | null }
  return { timeline, place: place ?? 0 }
}

/**
 * How old is what a standby says. The primary is asked each second how far it is, and the standby which of these places it has
 * reached: clocks of machines do not matter, nor whether anything is written at all, nor whether the standby knows that it lost its
 * primary. Each failover begins another timeline, and places on two of them cannot be compared: a standby that has followed the
 * primary of before for too long has what never was, and counts as away.
 */
export class ReplicaLag {
  readonly #primary: Engine
  readonly #replica: Engine
  readonly #timer: NodeJS.Timeout
  #ahead: Seen[] = []
  #timeline = ''
  #isAway = true
  #isLooking = false

  constructor(primary: Engine, replica: Engine) {
    this.#primary = primary
    this.#replica = replica
    this.#timer = setInterval(() => void this.look(), lookEveryMs).unref()
  }

  /** Infinite while it does not answer, or answers from another timeline. */
  seconds(): number {
    if (this.#isAway) return Infinity
    const [oldest] = this.#ahead
    return oldest ? (performance.now() - oldest.atMs) / 1000 : 0
  }

  async look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      const { timeline, place } = await placeIn(this.#primary, whereIsPrimary)
      if (timeline !== this.#timeline) this.#ahead = []
      this.#timeline = timeline
      if (this.#ahead.length < mostSeen) this.#ahead.push({ atMs: performance.now(), place })
      const reached = await placeIn(this.#replica, whereIsReplica)
      this.#ahead = this.#ahead.filter((seen) => seen.place > reached.place)
      this.#isAway = reached.timeline !== timeline
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
