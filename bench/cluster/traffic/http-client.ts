import { connect, type Socket } from 'node:net'

/**
 * Asks over kept-alive sockets and costs little next to what it measures. As many sockets as there are requests at
 * once, for customers do not wait for each other.
 */

export interface Answer {
  /** 0 when none came: the connection broke, or it took too long. */
  readonly status: number
  readonly ms: number
  readonly body: string
  readonly etag: string | undefined
}

const patienceMs = 10_000
const headEnd = Buffer.from('\r\n\r\n')
const contentLength = /\r\ncontent-length: (\d+)/i
const lastAnswer = /\r\nconnection: close|^HTTP\/1\.0/i
const tag = /\r\netag: ([^\r]+)/i

interface Asked {
  readonly sentMs: number
  readonly resolve: (answer: Answer) => void
}

/** One socket: a request at a time. */
class Line {
  readonly #socket: Socket
  readonly #onIdle: (line: Line) => void
  #asked: Asked | undefined
  #chunks: Buffer[] = []
  #bytes = 0
  #isOpen = true

  constructor(port: number, onIdle: (line: Line) => void, onClosed: (line: Line) => void) {
    this.#onIdle = onIdle
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', () => {
      this.#isOpen = false
      this.#end()
      onClosed(this)
    })
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  ask(request: string, resolve: (answer: Answer) => void): void {
    this.#asked = { sentMs: performance.now(), resolve }
    this.#socket.write(request)
  }

  giveUpBefore(ms: number): void {
    if (this.#asked && this.#asked.sentMs < ms) this.#socket.destroy()
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks)
    this.#chunks = [bytes]
    const end = bytes.indexOf(headEnd)
    if (end === -1) return
    const head = bytes.toString('latin1', 0, end)
    const length = head.startsWith('304', 9) ? '0' : contentLength.exec(head)?.[1]
    // One without a length ends with its connection.
    if (length === undefined || this.#bytes < end + headEnd.length + Number(length)) return
    this.#answer(head, bytes.toString('utf8', end + headEnd.length))
    if (lastAnswer.test(head)) this.#socket.destroy()
    else this.#onIdle(this)
  }

  #answer(head: string, body: string): void {
    const asked = this.#asked
    this.#asked = undefined
    this.#chunks = []
    this.#bytes = 0
    const ms = performance.now() - (asked?.sentMs ?? 0)
    asked?.resolve({ status: Number(head.slice(9, 12)), ms, body, etag: tag.exec(head)?.[1] })
  }

  #end(): void {
    if (!this.#asked) return
    const bytes = Buffer.concat(this.#chunks)
    const end = bytes.indexOf(headEnd)
    const head = end === -1 ? '' : bytes.toString('latin1', 0, end)
    // Cut off in the middle, it is no answer.
    const isWhole = head !== '' && !contentLength.test(head)
    this.#answer(isWhole ? head : 'HTTP/1.1 000', '')
  }
}

export class HttpClient {
  readonly #port: number
  readonly #idle: Line[] = []
  readonly #lines = new Set<Line>()
  readonly #sweeping: NodeJS.Timeout
  waiting = 0

  constructor(port: number) {
    this.#port = port
    this.#sweeping = setInterval(() => {
      const before = performance.now() - patienceMs
      for (const line of this.#lines) line.giveUpBefore(before)
    }, 500)
  }

  ask(request: string): Promise<Answer> {
    this.waiting++
    return new Promise((resolve) => {
      this.#line().ask(request, (answer) => {
        this.waiting--
        resolve(answer)
      })
    })
  }

  close(): void {
    clearInterval(this.#sweeping)
    for (const line of this.#lines) line.close()
  }

  #line(): Line {
    for (let line = this.#idle.pop(); line; line = this.#idle.pop()) if (line.isOpen) return line
    const line = new Line(
      this.#port,
      (idle) => this.#idle.push(idle),
      (closed) => this.#lines.delete(closed),
    )
    this.#lines.add(line)
    return line
  }
}

export interface Asking {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** As the proxy tells it, whose word is taken. */
  readonly from: string
}

export const requestText = (
  method: string,
  path: string,
  { token, body, headers = {}, from }: Asking,
): string => {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: cluster',
    `X-Forwarded-For: ${from}`,
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(body === undefined ? [] : ['Content-Type: application/json']),
    ...(method === 'GET' ? [] : [`Content-Length: ${Buffer.byteLength(text)}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}
