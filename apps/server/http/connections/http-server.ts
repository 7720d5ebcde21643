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
import {
  AdmissionLimit,
  boundsOfAll,
  boundsOfChanges,
  isAboutHealth,
  isApi,
  isPlainRead,
  shareOf,
} from './admission-limit.ts'
import { type ClientConnection, ClientConnections, type ConnectionLimits } from './connections.ts'
import { LoopLag } from './loop-lag.ts'
import { causeOf, newRequestId, requestIdHeader } from './request-id.ts'

/** Everything about connections, before anybody looks at what is asked. */

export interface HttpServerOptions extends ConnectionLimits {
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
/** How long a request may be on its way when the server closes. */
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
type CountedRequest = IncomingMessage & {
  client?: ClientConnection
  share?: number | null
  /** Whether it changes nothing. */
  isRead?: boolean
  cameMs?: number
}

export class HttpServer {
  readonly #options: HttpServerOptions
  readonly #connections: ClientConnections
  readonly #lag = new LoopLag()
  readonly #admission: AdmissionLimit
  /** Of those whose work needs a connection to the database for itself, which reads share. */
  readonly #changes: AdmissionLimit
  readonly #graceMs: number
  readonly #servers: Server[] = []
  #isClosing = false
  /** Requests that were told to come again, since the start. */
  refused = 0

  constructor(options: HttpServerOptions) {
    this.#options = options
    this.#connections = new ClientConnections(options)
    const clock = { nowMs: () => performance.now(), lagMs: () => this.#lag.ms }
    this.#admission = new AdmissionLimit(boundsOfAll(options.mostWaiting), clock)
    // What waits for a connection has been read.
    this.#changes = new AdmissionLimit(boundsOfChanges(options.mostWaiting), { ...clock, lagMs: () => 0 })
    this.#graceMs = options.graceMs ?? 1000
  }

  get connections(): number {
    return this.#connections.size
  }

  /** Requests that are being worked on. */
  get waiting(): number {
    return this.#admission.length
  }

  /** How many may be now, of what is asked again. */
  get mostWaiting(): number {
    return this.#admission.most
  }

  /** How many of those who change something may be now. */
  get mostChanging(): number {
    return this.#changes.most
  }

  /** Of every answer; whoever gives one sends them with its own, because what is set before makes each of those dearer. */
  get headers(): Readonly<Record<string, string>> {
    return this.#options.headers
  }

  /** The headers of every answer, for answers that are written by hand. */
  get headerLines(): string {
    return Object.entries({ ...this.#options.headers, [requestIdHeader]: newRequestId() })
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
    server.on('connection', (socket) => this.#connections.welcome(socket))
    // Whatever else is expected of us is no reason to answer in another way.
    server.on('checkExpectation', (request, response) => this.#receive(request, response, answer))
    const { readTimeoutMs = 60_000 } = this.#options
    const watch = setInterval(
      () => this.#connections.dismissDeaf(performance.now(), readTimeoutMs),
      checkEveryMs,
    )
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
    while (this.#connections.size > 0 && performance.now() < deadline) {
      if (performance.now() >= momentEnds) this.#connections.endWaiting()
      await setTimeout(lookAgainMs)
    }
    this.#connections.dismissAll()
    this.#lag.stop()
  }

  /** Whoever connects to a port that is closed is refused rudely, so it is closed when nobody does, if it can be. */
  async #untilNobodyComes(): Promise<void> {
    for (let times = 0; times < mostLooks; times++) {
      const before = this.#connections.welcomed
      await setImmediate()
      await setImmediate()
      if (this.#connections.welcomed === before) return
    }
  }

  /**
   * Runs a part of the work on a request. Only work stands in line: a body that trickles in and an answer that nobody
   * reads take no place from others.
   */
  async work<T>(request: CountedRequest, run: () => Promise<T>): Promise<T> {
    const { client, method = '', url = '', share = shareOf(method, url), isRead = false } = request
    if (share !== null && !this.#admission.hasRoomInside(share)) this.#throwBusy()
    if (client) this.#connections.begin(client)
    const inLine = () => this.#admission.work(isRead ? run : () => this.#changes.work(run))
    try {
      return await (share === null ? run() : inLine())
    } finally {
      if (client) this.#connections.rest(client)
    }
  }

  /** The last piece of work on a request, after which it is answered. */
  answer<T>(request: CountedRequest, run: () => Promise<T>): Promise<T> {
    const { share, isRead, cameMs } = request
    if (share === null || cameMs === undefined) return this.work(request, run)
    return this.work(request, () =>
      run().finally(() => {
        this.#admission.answered()
        if (isRead) this.#admission.waited(performance.now() - cameMs)
        else this.#changes.answered()
      }),
    )
  }

  /** Told of everybody who got a connection to the database, or did not. */
  waitedForDatabase(milliseconds: number): void {
    this.#changes.waited(milliseconds)
  }

  /** Gives its place in the line to others for as long as somebody only waits, and takes one again. */
  async aside<T>(request: CountedRequest, wait: () => Promise<T>): Promise<T> {
    const { method = '', url = '', share = shareOf(method, url), isRead = false } = request
    if (share === null) return wait()
    let hasRoom = true
    const lines = isRead ? [this.#admission] : [this.#admission, this.#changes]
    for (const line of lines) line.leave()
    const given = await wait().finally(() => {
      hasRoom = this.#admission.hasRoomInside(share)
      for (const line of lines) line.enter()
    })
    if (!hasRoom) this.#throwBusy()
    return given
  }

  #throwBusy(): never {
    this.refused++
    throw new ApiError('UNAVAILABLE', tooMuch)
  }

  #receive(request: CountedRequest, response: ServerResponse, answer: RequestListener): void {
    const connection = this.#connections.of(request.socket)
    if (!connection) {
      // It was let go in the moment its request came.
      request.socket.destroy()
      return
    }
    if (connection.isRefused) return
    connection.unanswered++
    request.client = connection
    request.cameMs = performance.now()
    if (this.#isClosing) response.setHeader('connection', 'close')
    response.once('close', () => this.#answered(request, connection))
    if (this.#hasRoomFor(request, connection)) answer(request, response)
    else this.#refuse(request, response, connection)
  }

  #hasRoomFor(request: CountedRequest, connection: ClientConnection): boolean {
    const { method = '', url = '' } = request
    if (connection.unanswered > mostOnConnection) {
      connection.isRefused = true
      return false
    }
    if (connection.isReserve && !isAboutHealth(url)) return false
    const share = shareOf(method, url)
    request.share = share
    request.isRead = isPlainRead(method, url)
    if (share === null) return true
    return this.#admission.hasRoom(share) && (request.isRead || this.#changes.hasRoom(share))
  }

  #refuse(request: IncomingMessage, response: ServerResponse, connection: ClientConnection): void {
    const { url = '' } = request
    this.refused++
    const body = isApi(url) ? busy : 'Too many requests are waiting; try again in a moment\n'
    if (connection.isRefused || connection.isReserve) response.setHeader('connection', 'close')
    response
      .writeHead(503, {
        ...this.#options.headers,
        [requestIdHeader]: causeOf(request).id,
        'content-type': isApi(url) ? json : 'text/plain; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'retry-after': retryAfterSeconds,
        'cache-control': 'no-store',
      })
      .end(body)
  }

  #answered(request: IncomingMessage, connection: ClientConnection): void {
    connection.unanswered--
    // It was answered without being heard to the end, and goes on talking.
    if (!request.complete) this.#destroySoon(connection.socket, () => !request.complete)
  }

  #destroySoon(socket: Socket, isStillSo = () => true): void {
    void setTimeout(this.#graceMs, undefined, { ref: false }).then(() => {
      if (isStillSo()) socket.destroy()
    })
  }
}
