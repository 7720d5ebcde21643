import { whenTurnEnds } from './turn.ts'

/** More would wait for each other while other connections have nothing to do. */
export const mostTogether = 16

interface Waiting<Asked, Row> {
  readonly asked: Asked
  readonly resolve: (row: Row | undefined) => void
  readonly reject: (reason: unknown) => void
}

/** A row for each of those that were asked for, by their places from 1. */
type ReadMany<Asked, Row> = (asked: readonly Asked[]) => Promise<(Row & { readonly at: number })[]>

/**
 * A read by a key that comes very often: those of one turn of the event loop are one statement, which costs both sides little
 * more than one of them alone.
 */
export class GatheredRead<Asked, Row> {
  readonly #read: ReadMany<Asked, Row>
  #waiting: Waiting<Asked, Row>[] = []

  constructor(read: ReadMany<Asked, Row>) {
    this.#read = read
  }

  one(asked: Asked): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      const count = this.#waiting.push({ asked, resolve, reject })
      if (count === 1) whenTurnEnds(() => this.#leave())
      else if (count === mostTogether) this.#leave()
    })
  }

  #leave(): void {
    const together = this.#waiting
    if (together.length === 0) return
    this.#waiting = []
    this.#read(together.map(({ asked }) => asked)).then(
      (rows) => {
        const found: (Row | undefined)[] = Array(together.length)
        for (const row of rows) found[row.at - 1] = row
        for (const [at, { resolve }] of together.entries()) resolve(found[at])
      },
      (reason: unknown) => {
        for (const { reject } of together) reject(reason)
      },
    )
  }
}
