import type pg from 'pg'

const turnMs = 1000
/** Unanswered for so many turns, a statement is suspicious: most take a few milliseconds. */
const suspiciousTurns = 2
/** A machine that stands still for a moment misses one. */
const missesToCut = 2

/** Counted once for all, so that who asks needs no clock. */
export interface Turns {
  now: number
}

/** Something that waits for answers on connections. */
export interface Awaiting {
  /** Those on which nothing was heard since before this turn, while an answer is due. */
  silentSince(turn: number): readonly pg.ClientBase[]
}

/**
 * A machine that vanished closes no connection, and the kernel waits for it for a quarter of an hour. Where answers are late, the
 * database is asked over another connection whether it is there; when it is not, the silent connections are cut, their callers hear
 * that the database is away, and the next ones connect anew. As long as all is answered, this costs nothing.
 */
export class SilenceWatch {
  readonly #check: () => Promise<void>
  readonly #awaiting: readonly Awaiting[]
  readonly #turns: Turns
  readonly #timer: NodeJS.Timeout
  #isAsking = false
  #misses = 0

  constructor(check: () => Promise<void>, turns: Turns, awaiting: readonly Awaiting[]) {
    this.#check = check
    this.#turns = turns
    this.#awaiting = awaiting
    this.#timer = setInterval(() => void this.#look(), turnMs).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    this.#turns.now++
    if (this.#isAsking || this.#silent().length === 0) return
    this.#isAsking = true
    await this.#check().then(
      () => {
        this.#misses = 0
      },
      () => {
        this.#misses++
      },
    )
    this.#isAsking = false
    if (this.#misses < missesToCut) return
    this.#misses = 0
    for (const client of this.#silent()) (client as pg.Client).connection.stream.destroy()
  }

  #silent(): readonly pg.ClientBase[] {
    return this.#awaiting.flatMap((one) => one.silentSince(this.#turns.now - suspiciousTurns))
  }
}

/** Connections that are asked one statement at a time. */
export class AskedClients implements Awaiting {
  readonly #turns: Turns
  readonly #askedAt = new Map<pg.ClientBase, number>()

  constructor(turns: Turns) {
    this.#turns = turns
  }

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
