import type pg from 'pg'
import { processOf, type Working } from './readiness-connection.ts'

const turnMs = 1000
/** Unanswered for so many turns, a statement is suspicious: most take a few milliseconds. */
const suspiciousTurns = 2

/** A database that is busy, or a process that was not let run, may miss a question. One that is gone misses the next one too. */
const doubtMs = 500

/** Counted once for all, so that who asks needs no clock. */
export interface Turns {
  now: number
  /** When the database last did not answer. */
  missedAt: number
}

/** Something that waits for answers on connections. */
export interface Awaiting {
  /** Those on which nothing was heard since before this turn, while an answer is due. */
  silentSince(turn: number): readonly pg.ClientBase[]
  /** Those that nobody waits for may lead nowhere as well, and would be found out one by one. */
  leaveIdle(): void
}

/**
 * A machine that vanished closes no connection, and the kernel waits for it for a quarter of an hour. Where answers are late, the
 * database is asked over a connection of its own. When it is not there, or knows nothing of the late ones because it is another by
 * now, they are cut: their callers hear that the database is away, and the next ones connect anew. As long as all is answered, this
 * costs nothing.
 */
export class SilenceWatch {
  readonly #check: () => Promise<Working>
  readonly #awaiting: readonly Awaiting[]
  readonly #turns: Turns
  readonly #timer: NodeJS.Timeout
  /** When the first question was missed of those that were missed in a row. */
  #missedAtMs: number | undefined

  constructor(at: {
    readonly check: () => Promise<Working>
    readonly turns: Turns
    readonly awaiting: readonly Awaiting[]
  }) {
    this.#check = at.check
    this.#turns = at.turns
    this.#awaiting = at.awaiting
    this.#timer = setInterval(() => void this.#look(), turnMs).unref()
  }

  async check(): Promise<Working> {
    try {
      const working = await this.#check()
      this.#missedAtMs = undefined
      return working
    } catch (error) {
      if (this.#isMissedAgain()) this.#miss()
      throw error
    }
  }

  #isMissedAgain(): boolean {
    const nowMs = performance.now()
    this.#missedAtMs ??= nowMs
    return nowMs - this.#missedAtMs >= doubtMs
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    const late = ++this.#turns.now - suspiciousTurns
    const silent = this.#silentSince(late)
    if (silent.length === 0) return
    const working = await this.check().catch(() => undefined)
    if (working === undefined && !this.#isMissedAgain()) return
    const isLost = (client: pg.ClientBase): boolean =>
      working === undefined || (working !== null && !working.has(processOf(client)))
    const still = new Set(this.#silentSince(late))
    const lost = silent.filter((client) => still.has(client) && isLost(client))
    if (lost.length === 0) return
    this.#miss()
    for (const client of lost) (client as pg.Client).connection.stream.destroy()
  }

  #miss(): void {
    this.#turns.missedAt = this.#turns.now++
    for (const one of this.#awaiting) one.leaveIdle()
  }

  #silentSince(turn: number): readonly pg.ClientBase[] {
    return this.#awaiting.flatMap((one) => one.silentSince(turn))
  }
}

/** Connections that are asked one statement at a time. */
export class AskedClients implements Awaiting {
  readonly #turns: Turns
  readonly #askedAt = new Map<pg.ClientBase, number>()
  readonly #openedAt = new WeakMap<pg.ClientBase, number>()

  constructor(turns: Turns) {
    this.#turns = turns
  }

  opens(client: pg.ClientBase): void {
    this.#openedAt.set(client, this.#turns.now)
  }

  /** From before the database was away. */
  isStale(client: pg.ClientBase): boolean {
    return (this.#openedAt.get(client) ?? Infinity) <= this.#turns.missedAt
  }

  /** They are left when somebody is about to take them. */
  leaveIdle(): void {}

  asks(client: pg.ClientBase): void {
    this.#askedAt.set(client, this.#turns.now)
  }

  hears(client: pg.ClientBase): void {
    this.#askedAt.delete(client)
  }

  silentSince(turn: number): readonly pg.ClientBase[] {
    return [...this.#askedAt].filter(([, askedAt]) => askedAt <= turn).map(([client]) => client)
  }
}
