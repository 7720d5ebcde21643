import type pg from 'pg'

const turnMs = 1000
/** Unanswered for so many turns, a statement is suspicious: most take a few milliseconds. */
const suspiciousTurns = 2

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
 * database is asked over a connection of its own whether it is there. When it was not, at any time since, the silent connections are
 * cut: their callers hear that the database is away, and the next ones connect anew. As long as all is answered, this costs nothing.
 */
export class SilenceWatch {
  readonly #check: () => Promise<void>
  readonly #awaiting: readonly Awaiting[]
  readonly #turns: Turns
  readonly #timer: NodeJS.Timeout

  constructor(check: () => Promise<void>, turns: Turns, awaiting: readonly Awaiting[]) {
    this.#check = check
    this.#turns = turns
    this.#awaiting = awaiting
    this.#timer = setInterval(() => void this.#look(), turnMs).unref()
  }

  async check(): Promise<void> {
    try {
      await this.#check()
    } catch (error) {
      this.#turns.missedAt = this.#turns.now++
      for (const one of this.#awaiting) one.leaveIdle()
      throw error
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    this.#turns.now++
    const late = this.#turns.now - suspiciousTurns
    if (this.#silentSince(late).length === 0) return
    await this.check().catch(() => undefined)
    // The database may be there again, at another place: what was asked before it was away will not be answered.
    for (const client of this.#silentSince(Math.min(late, this.#turns.missedAt)))
      (client as pg.Client).connection.stream.destroy()
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
