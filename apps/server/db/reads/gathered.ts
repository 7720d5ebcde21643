import { whenTurnEnds } from './turn.ts'

/** More would wait for each other while other connections have nothing to do. */
export const mostTogether = 16

interface Waiting<Asked, Found> {
  readonly asked: Asked
  readonly resolve: (found: Found) => void
  readonly reject: (reason: unknown) => void
}

/** Rows for those that were asked for, by their places from 1. */
type ReadMany<Asked, Row> = (asked: readonly Asked[]) => Promise<(Row & { readonly at: number })[]>

/**
 * A read by a key that comes very often: those of one turn of the event loop are one statement, which costs both sides little
 * more than one of them alone.
 */
class Gathered<Asked, Row, Found> {
  readonly #read: ReadMany<Asked, Row>
  readonly #share: (rows: readonly (Row & { readonly at: number })[], count: number) => Found[]
  #waiting: Waiting<Asked, Found>[] = []

  constructor(
    read: ReadMany<Asked, Row>,
    share: (rows: readonly (Row & { readonly at: number })[], count: number) => Found[],
  ) {
    this.#read = read
    this.#share = share
  }

  of(asked: Asked): Promise<Found> {
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
    Promise.try(
      this.#read,
      together.map(({ asked }) => asked),
    ).then(
      (rows) => {
        const shares = this.#share(rows, together.length)
        for (const [at, { resolve }] of together.entries()) resolve(shares[at] as Found)
      },
      (reason: unknown) => {
        for (const { reject } of together) reject(reason)
      },
    )
  }
}

/** One row for each, or none. */
export class GatheredRow<Asked, Row> extends Gathered<Asked, Row, Row | undefined> {
  constructor(read: ReadMany<Asked, Row>) {
    super(read, (rows, count) => {
      const found: (Row | undefined)[] = Array(count)
      for (const row of rows) found[row.at - 1] = row
      return found
    })
  }
}

/** Any number of rows for each, in their order. */
export class GatheredRows<Asked, Row> extends Gathered<Asked, Row, Row[]> {
  constructor(read: ReadMany<Asked, Row>) {
    super(read, (rows, count) => {
      const found = Array.from({ length: count }, (): Row[] => [])
      for (const row of rows) found[row.at - 1]?.push(row)
      return found
    })
  }
}
