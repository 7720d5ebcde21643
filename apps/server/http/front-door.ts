import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { basePaths } from '@sallyport/contract/operation'
import { failureBody } from './envelope.ts'
import { type Guest, type GuestLimits, Guests } from './guests.ts'
import { isAboutHealth, shareOf, WaitingLine } from './waiting-line.ts'

/** Everything about connections, before anybody looks at what is asked. */

export interface DoorOptions extends GuestLimits {
  /** Requests at work or waiting at once. */
  readonly mostWaiting: number
  /** Headers that every answer carries. */
  readonly headers: Readonly<Record<string, string>>
  readonly headersTimeoutMs?: number
  readonly requestTimeoutMs?: number
  readonly checkEveryMs?: number
  readonly graceMs?: number
}

/** Unanswered requests on one connection; browsers and apps send one at a time. */
const mostOnConnection = 32
/** How long a request may be on its way when the door closes. */
const momentMs = 200
const lookAgainMs = 10
const mostLooks = 1000
const leavingConnections = 64
const retryAfterSeconds = '1'
const json = 'application/json; charset=utf-8'
const apiBases = Object.values(basePaths).map((base) => `${base}/`)

export const isApi = (url: string | undefined): boolean =>
  url !== undefined && apiBases.some((base) => url.startsWith(base) || url === base.slice(0, -1))

const busy = failureBody('UNAVAILABLE', [
  { path: '', problem: 'too many requests are waiting; nothing was done, try again in a moment' },
])

/** Work that goes on after its caller has left keeps its place in the line until it is done. */
class Visit {
  readonly #leave: () => void
  #isWorking = false
  #isOver = false

  constructor(leave: () => void) {
    this.#leave = leave
  }

  async work<T>(run: () => Promise<T>): Promise<T> {
    this.#isWorking = true
    try {
      return await run()
    } finally {
      this.#isWorking = false
      if (this.#isOver) this.#leave()
    }
  }

  end(): void {
    this.#isOver = true
    if (!this.#isWorking) this.#leave()
  }
}

/** A property, because looking requests up in a map of them is felt. */
type Visiting = IncomingMessage & { visit?: Visit }

/** Runs what answers a request as part of its visit; requests that came another way have none. */
export const workOn = <T>(request: Visiting, run: () => Promise<T>): Promise<T> =>
  request.visit ? request.visit.work(run) : run()

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

  get waiting(): number {
    return this.#line.length
  }

  /** The headers of every answer, for answers that are written by hand. */
  get headerLines(): string {
    return Object.entries(this.#options.headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
  }

  createServer(answer: RequestListener): Server {
    const { most, reserve, headersTimeoutMs, requestTimeoutMs, checkEveryMs } = this.#options
    const server = createServer(
      {
        headersTimeout: headersTimeoutMs ?? 10_000,
        requestTimeout: requestTimeoutMs ?? 20_000,
        connectionsCheckingInterval: checkEveryMs ?? 1000,
        keepAliveTimeout: 65_000,
      },
      (request, response) => this.#receive(request, response, answer),
    )
    this.#servers.push(server)
    server.setTimeout(75_000)
    // Those who gave way are still counted there for a moment.
    server.maxConnections = most + reserve + leavingConnections
    server.on('connection', (socket) => this.#guests.welcome(socket))
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

  #receive(request: Visiting, response: ServerResponse, answer: RequestListener): void {
    const { headers } = this.#options
    for (const name in headers) response.setHeader(name, headers[name] as string)
    const guest = this.#guests.of(request.socket)
    if (!guest) {
      // It was let go in the moment its request came.
      request.socket.destroy()
      return
    }
    if (guest.isRefused) return
    guest.requests++
    if (this.#isClosing) response.setHeader('connection', 'close')
    const visit = this.#begin(request, guest)
    response.once('close', () => {
      visit?.end()
      this.#rest(request, guest)
    })
    if (!visit) {
      this.#refuse(request, response, guest)
      return
    }
    request.visit = visit
    answer(request, response)
  }

  /** Undefined when there is no room for this request. */
  #begin({ method = '', url = '' }: IncomingMessage, guest: Guest): Visit | undefined {
    if (guest.requests > mostOnConnection) {
      guest.isRefused = true
      return undefined
    }
    if (guest.isReserve && !isAboutHealth(url)) return undefined
    const share = shareOf(method, url)
    if (share === null) return new Visit(() => undefined)
    return this.#line.join(share) ? new Visit(() => this.#line.leave()) : undefined
  }

  #refuse({ url }: IncomingMessage, response: ServerResponse, guest: Guest): void {
    const body = isApi(url) ? busy : 'Too many requests are waiting; try again in a moment\n'
    if (guest.isRefused || guest.isReserve) response.setHeader('connection', 'close')
    response
      .writeHead(503, {
        'content-type': isApi(url) ? json : 'text/plain; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'retry-after': retryAfterSeconds,
        'cache-control': 'no-store',
      })
      .end(body)
  }

  #rest(request: IncomingMessage, guest: Guest): void {
    this.#guests.rest(guest)
    // It was answered without being heard to the end, and goes on talking.
    if (!request.complete) this.#destroySoon(guest.socket, () => !request.complete)
  }

  #destroySoon(socket: Socket, isStillSo = () => true): void {
    void setTimeout(this.#graceMs, undefined, { ref: false }).then(() => {
      if (isStillSo()) socket.destroy()
    })
  }
}
