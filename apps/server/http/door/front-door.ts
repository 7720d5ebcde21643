import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { ApiError } from '@sallyport/contract/errors'
import { failureBody } from '../wire/envelope.ts'
import { type Guest, type GuestLimits, Guests } from './guests.ts'
import { isAboutHealth, isApi, shareOf, WaitingLine } from './waiting-line.ts'

/** Everything about connections, before anybody looks at what is asked. */

export interface DoorOptions extends GuestLimits {
  /** Requests that are worked on at once. */
  readonly mostWaiting: number
  /** Headers that every answer carries. */
  readonly headers: Readonly<Record<string, string>>
  readonly headersTimeoutMs?: number
  readonly requestTimeoutMs?: number
  /** How long an answer may lie unread. */
  readonly readTimeoutMs?: number
  readonly checkEveryMs?: number
  readonly graceMs?: number
}

/** Unanswered requests on one connection; browsers and apps send one at a time. */
const mostOnConnection = 16
/** How long a request may be on its way when the door closes. */
const momentMs = 200
const lookAgainMs = 10
const mostLooks = 1000
/** Those who gave way are still counted by the server for a moment. */
const leavingConnections = 64
const retryAfterSeconds = '1'
const json = 'application/json; charset=utf-8'

const tooMuch = [
  { path: '', problem: 'too many requests are waiting; nothing was done, try again in a moment' },
]
const busy = failureBody('UNAVAILABLE', tooMuch)

/** Properties, because looking requests up in a map of them is felt. */
type Asked = IncomingMessage & { guest?: Guest; share?: number | null }

export class FrontDoor {
  readonly #options: DoorOptions
  readonly #guests: Guests
  readonly #line: WaitingLine
  readonly #graceMs: number
  readonly #servers: Server[] = []
  #isClosing = false

  constructor(options: DoorOptions) {
    this.#options = options
    this.#guests = new Guests(options)
    this.#line = new WaitingLine(options.mostWaiting)
    this.#graceMs = options.graceMs ?? 1000
  }

  get connections(): number {
    return this.#guests.size
  }

  /** Requests that are being worked on. */
  get waiting(): number {
    return this.#line.length
  }

  /** Of every answer; whoever gives one sends them with its own, because what is set before makes each of those dearer. */
  get headers(): Readonly<Record<string, string>> {
    return this.#options.headers
  }

  /** The headers of every answer, for answers that are written by hand. */
  get headerLines(): string {
    return Object.entries(this.#options.headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
  }

  createServer(answer: RequestListener): Server {
    const { most, reserve, headersTimeoutMs, requestTimeoutMs, checkEveryMs = 1000 } = this.#options
    const server = createServer(
      {
        headersTimeout: headersTimeoutMs ?? 10_000,
        requestTimeout: requestTimeoutMs ?? 20_000,
        connectionsCheckingInterval: checkEveryMs,
        keepAliveTimeout: 65_000,
      },
      (request, response) => this.#receive(request, response, answer),
    )
    this.#servers.push(server)
    server.setTimeout(75_000)
    server.maxConnections = most + reserve + leavingConnections
    server.on('connection', (socket) => this.#guests.welcome(socket))
    // Whatever else is expected of us is no reason to answer in another way.
    server.on('checkExpectation', (request, response) => this.#receive(request, response, answer))
    const { readTimeoutMs = 60_000 } = this.#options
    const watch = setInterval(() => this.#guests.dismissDeaf(performance.now(), readTimeoutMs), checkEveryMs)
    watch.unref()
    server.once('close', () => clearInterval(watch))
    return server
  }

  /** Says the last thing on a connection. Whoever does not hang up is not waited for. */
  hangUp(socket: Socket, answer: string): void {
    if (socket.writable) socket.end(answer)
    this.#destroySoon(socket)
  }

  /** From now on every answer asks its caller to come again on another connection. */
  askToLeave(): void {
    this.#isClosing = true
  }

  /**
   * Lets nobody in any more and waits for those inside: whoever has asked is answered, whoever was about to ask may do so
   * for a moment, and who is still there after `patienceMs` is put out.
   */
  async close(patienceMs: number): Promise<void> {
    this.askToLeave()
    await this.#untilNobodyComes()
    // Of net, not of http: that one would at once end connections whose requests are on their way.
    for (const server of this.#servers) NetServer.prototype.close.call(server)
    const deadline = performance.now() + patienceMs
    const momentEnds = performance.now() + momentMs
    while (this.#guests.size > 0 && performance.now() < deadline) {
      if (performance.now() >= momentEnds) this.#guests.endWaiting()
      await setTimeout(lookAgainMs)
    }
    this.#guests.dismissAll()
  }

  /** Whoever stands in front of a door that is shut is turned away rudely, so it is shut when nobody does, if it can be. */
  async #untilNobodyComes(): Promise<void> {
    for (let times = 0; times < mostLooks; times++) {
      const before = this.#guests.welcomed
      await setImmediate()
      await setImmediate()
      if (this.#guests.welcomed === before) return
    }
  }

  /**
   * Runs a part of the work on a request. Only work stands in line: a body that trickles in and an answer that nobody
   * reads take no place from others.
   */
  async work<T>(request: Asked, run: () => Promise<T>): Promise<T> {
    const { guest, method = '', url = '', share = shareOf(method, url) } = request
    if (share !== null && !this.#line.hasRoom(share)) throw new ApiError('UNAVAILABLE', tooMuch)
    if (guest) this.#guests.begin(guest)
    try {
      return await (share === null ? run() : this.#line.work(run))
    } finally {
      if (guest) this.#guests.rest(guest)
    }
  }

  #receive(request: Asked, response: ServerResponse, answer: RequestListener): void {
    const guest = this.#guests.of(request.socket)
    if (!guest) {
      // It was let go in the moment its request came.
      request.socket.destroy()
      return
    }
    if (guest.isRefused) return
    guest.unanswered++
    request.guest = guest
    if (this.#isClosing) response.setHeader('connection', 'close')
    response.once('close', () => this.#answered(request, guest))
    if (this.#hasRoomFor(request, guest)) answer(request, response)
    else this.#refuse(request, response, guest)
  }

  #hasRoomFor(request: Asked, guest: Guest): boolean {
    const { method = '', url = '' } = request
    if (guest.unanswered > mostOnConnection) {
      guest.isRefused = true
      return false
    }
    if (guest.isReserve && !isAboutHealth(url)) return false
    const share = shareOf(method, url)
    request.share = share
    return share === null || this.#line.hasRoom(share)
  }

  #refuse({ url = '' }: IncomingMessage, response: ServerResponse, guest: Guest): void {
    const body = isApi(url) ? busy : 'Too many requests are waiting; try again in a moment\n'
    if (guest.isRefused || guest.isReserve) response.setHeader('connection', 'close')
    response
      .writeHead(503, {
        ...this.#options.headers,
        'content-type': isApi(url) ? json : 'text/plain; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'retry-after': retryAfterSeconds,
        'cache-control': 'no-store',
      })
      .end(body)
  }

  #answered(request: IncomingMessage, guest: Guest): void {
    guest.unanswered--
    // It was answered without being heard to the end, and goes on talking.
    if (!request.complete) this.#destroySoon(guest.socket, () => !request.complete)
  }

  #destroySoon(socket: Socket, isStillSo = () => true): void {
    void setTimeout(this.#graceMs, undefined, { ref: false }).then(() => {
      if (isStillSo()) socket.destroy()
    })
  }
}
