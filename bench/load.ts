import { connect, type Socket } from 'node:net'

/**
 * A load generator that costs little next to what it measures: ready-made requests over kept-alive sockets,
 * one at a time each, and no more parsing than finding where an answer ends. Where an answer says that it is the last
 * one, another socket takes the place of its own.
 */

export interface LoadOptions {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** The next request, complete; undefined when there is none any more. */
  readonly next: () => string | undefined
  /** What every answer begins with, and the request that it is to. */
  readonly onHead?: (head: string, request: string) => void
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  readonly latenciesMs: number[]
  /** Answers by status; a broken connection counts as 0. */
  readonly statuses: Map<number, number>
}

const headEnd = Buffer.from('\r\n\r\n')
/** The status of an answer that never has a body. */
const unchanged = 304
const lastAnswer = /\r\nconnection: close/i
const contentLength = /\r\ncontent-length: (\d+)/i

/** Reads one answer after another off a socket; tells the status of each when its last byte is here. */
class AnswerReader {
  #head: Buffer | undefined
  #missingBytes = 0
  #status = 0
  /** Of the last answer whose head is here: everything before its body. */
  head = ''

  /** The status when the answer is complete, otherwise undefined. */
  read(chunk: Buffer): number | undefined {
    if (this.#missingBytes > 0) {
      this.#missingBytes -= chunk.length
      return this.#missingBytes > 0 ? undefined : this.#status
    }
    const bytes = this.#head ? Buffer.concat([this.#head, chunk]) : chunk
    const end = bytes.indexOf(headEnd)
    this.#head = end === -1 ? bytes : undefined
    if (end === -1) return undefined
    const head = bytes.toString('latin1', 0, end)
    this.head = head
    this.#status = Number(head.slice(9, 12))
    const length = this.#status === unchanged ? '0' : contentLength.exec(head)?.[1]
    if (length === undefined) throw new Error(`An answer without Content-Length: ${head}`)
    this.#missingBytes = end + headEnd.length + Number(length) - bytes.length
    return this.#missingBytes > 0 ? undefined : this.#status
  }
}

class Connection {
  readonly #options: LoadOptions
  readonly #isOver: () => boolean
  readonly #record: (status: number, milliseconds: number) => void
  readonly #done = Promise.withResolvers<void>()
  #sentAt = 0
  #request = ''

  constructor(options: LoadOptions, isOver: () => boolean, record: (status: number, ms: number) => void) {
    this.#options = options
    this.#isOver = isOver
    this.#record = record
  }

  run(): Promise<void> {
    this.#open()
    return this.#done.promise
  }

  #open(): void {
    const socket = connect({ port: this.#options.port, host: '127.0.0.1', noDelay: true })
    const reader = new AnswerReader()
    let isLast = false
    socket.on('connect', () => this.#send(socket))
    socket.on('data', (chunk: Buffer) => {
      const status = reader.read(chunk)
      if (status === undefined) return
      this.#record(status, performance.now() - this.#sentAt)
      this.#options.onHead?.(reader.head, this.#request)
      isLast = lastAnswer.test(reader.head)
      if (isLast) socket.end()
      else this.#send(socket)
    })
    socket.on('error', () => this.#record(0, performance.now() - this.#sentAt))
    socket.on('close', () => {
      if (isLast && !this.#isOver()) this.#open()
      else this.#done.resolve()
    })
  }

  #send(socket: Socket): void {
    const request = this.#isOver() ? undefined : this.#options.next()
    if (request === undefined) {
      socket.end()
      return
    }
    this.#request = request
    this.#sentAt = performance.now()
    socket.write(request, 'latin1')
  }
}

export const load = async (options: LoadOptions): Promise<LoadResult> => {
  const latenciesMs: number[] = []
  const statuses = new Map<number, number>()
  const startedAt = performance.now()
  const endsAt = startedAt + options.seconds * 1000
  const record = (status: number, milliseconds: number): void => {
    latenciesMs.push(milliseconds)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const isOver = () => performance.now() >= endsAt
  const connections = Array.from(
    { length: options.connections },
    () => new Connection(options, isOver, record),
  )
  await Promise.all(connections.map((connection) => connection.run()))
  return {
    requests: latenciesMs.length,
    seconds: (performance.now() - startedAt) / 1000,
    latenciesMs,
    statuses,
  }
}
