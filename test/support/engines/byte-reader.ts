import type { Socket } from 'node:net'

/** Exactly as many bytes as asked for, from something that comes in pieces. */
export class ByteReader {
  readonly #pieces: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#pieces = source[Symbol.asyncIterator]()
  }

  static of(socket: Socket): ByteReader {
    return new ByteReader(socket as AsyncIterable<Buffer>)
  }

  /** Whatever has come, at least one byte; null at the end. */
  async some(): Promise<Buffer | null> {
    if (this.#rest.length > 0) {
      const rest = this.#rest
      this.#rest = Buffer.alloc(0)
      return rest
    }
    const { value, done } = await this.#pieces.next()
    return done ? null : (value as Buffer)
  }

  async exactly(size: number): Promise<Buffer> {
    const found: Buffer[] = []
    let missing = size
    while (missing > 0) {
      const piece = await this.some()
      if (piece === null) throw new Error(`The connection ended ${missing} bytes too early`)
      found.push(piece.subarray(0, missing))
      this.#rest = piece.subarray(missing)
      missing -= Math.min(missing, piece.length)
    }
    return Buffer.concat(found)
  }

  /** Everything up to a blank line, as text. */
  async head(): Promise<string> {
    let found: Buffer = Buffer.alloc(0)
    for (;;) {
      const piece = await this.some()
      if (piece === null) throw new Error('The connection ended without an answer')
      found = Buffer.concat([found, piece])
      const end = found.indexOf('\r\n\r\n')
      if (end === -1) continue
      this.#rest = found.subarray(end + 4)
      return found.toString('latin1', 0, end)
    }
  }
}
