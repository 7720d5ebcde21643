import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'

/**
 * Time as the database has it, so that all instances live in the same second whatever their machines say. Between two looks it
 * goes on by what has passed since.
 */

/** An answer that took longer says too little about when it was given. */
const slowestLookMs = 1000
const lookEveryMs = 15_000
/** Instances write down at least that often that they live. */
const noteEveryMs = 180_000
/** Clocks that are kept right differ by less. */
const rightWithinMs = 5000

export interface TimeSources {
  readonly readDatabaseMs: () => Promise<number>
  /** This machine's own idea of now. */
  readonly wallMs: () => number
  /** What has passed, whatever anybody sets. It may stand still while the machine does. */
  readonly steadyMs: () => number
}

const machine = { wallMs: () => Date.now(), steadyMs: () => performance.now() }

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= rightWithinMs

const isSoonAfter = (nowMs: number, notedMs: number): boolean =>
  nowMs >= notedMs - rightWithinMs && nowMs <= notedMs + noteEveryMs

const inSeconds = (ms: number): number => Math.round(ms / 1000)

export class SharedClock implements Clock {
  readonly #sources: TimeSources
  readonly #log: Log
  /** Of now, to what has passed. */
  #offsetMs: number

  private constructor(sources: TimeSources, log: Log, offsetMs: number) {
    this.#sources = sources
    this.#log = log
    this.#offsetMs = offsetMs
  }

  /** Goes by the database from the first moment on, unless this machine and whoever ran until now agree on another time. */
  static async open(
    readDatabaseMs: () => Promise<number>,
    log: Log,
    own = machine,
    readNotedMs: () => Promise<number | undefined> = async () => undefined,
  ): Promise<SharedClock> {
    const sources = { readDatabaseMs, ...own }
    const clock = new SharedClock(sources, log, 0)
    const offsetMs = await clock.#look()
    const wallOffsetMs = own.wallMs() - own.steadyMs()
    clock.#offsetMs = offsetMs ?? wallOffsetMs
    if (offsetMs === undefined || isNear(offsetMs, wallOffsetMs)) return clock
    const seconds = inSeconds(wallOffsetMs - offsetMs)
    const notedMs = await readNotedMs()
    const goesOn = (sinceMs: number): boolean =>
      notedMs !== undefined && isSoonAfter(sinceMs + own.steadyMs(), notedMs)
    if (goesOn(wallOffsetMs) && !goesOn(offsetMs)) {
      clock.#offsetMs = wallOffsetMs
      log.error(
        { seconds },
        'the clock of the database is not that of the instances, and is not followed: set it right',
      )
    } else
      log.warn(
        { seconds },
        'the clock of this machine is not that of the database, which is gone by: set it right',
      )
    return clock
  }

  now(): number {
    return Math.floor((this.#sources.steadyMs() + this.#offsetMs) / 1000)
  }

  /** Looks now and then until the service stops; while the database is away, time goes on. */
  follow(stopping: AbortSignal): this {
    const looking = setInterval(() => void this.lookAgain().catch(() => undefined), lookEveryMs).unref()
    stopping.addEventListener('abort', () => clearInterval(looking))
    return this
  }

  /**
   * Three know the time: the database, this machine, and what has passed since the last look. A step is believed when two of them
   * agree, since a clock that somebody sets an hour wrong would end what customers have paid for.
   */
  async lookAgain(): Promise<void> {
    const databaseMs = await this.#look()
    if (databaseMs === undefined) return
    const wallMs = this.#sources.wallMs() - this.#sources.steadyMs()
    if (isNear(databaseMs, this.#offsetMs) || isNear(databaseMs, wallMs)) {
      this.#offsetMs = databaseMs
      return
    }
    this.#log.error(
      { seconds: inSeconds(databaseMs - this.#offsetMs) },
      'the clock of the database has jumped, and is not followed: set it right, or start again to go by it',
    )
  }

  async #look(): Promise<number | undefined> {
    const { readDatabaseMs, steadyMs } = this.#sources
    const sentMs = steadyMs()
    const databaseMs = await readDatabaseMs()
    const answeredMs = steadyMs()
    if (answeredMs - sentMs > slowestLookMs) return undefined
    return databaseMs - (sentMs + answeredMs) / 2
  }
}
