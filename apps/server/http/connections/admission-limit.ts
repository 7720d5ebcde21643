import { basePaths } from '@sallyport/contract/operation'

/**
 * How many requests may be worked on at once. Past the bound answering "later" at once serves more people than letting
 * everybody wait: what can be asked again goes first, what moves money or delivers access later, operators last.
 */

const healthPaths = new Set(['/healthz', '/readyz', '/metrics'])
const apiBases = Object.values(basePaths)

/** Without the query, and without the origin that a proxy's request has in front. */
export const pathOf = (url: string): string => {
  const path = url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/?]*/i, '')
  const end = path.indexOf('?')
  return end === -1 ? path : path.slice(0, end)
}

export const isApi = (url: string): boolean => {
  const path = pathOf(url)
  return apiBases.some((base) => path === base || path.startsWith(`${base}/`))
}

export const isAboutHealth = (url: string): boolean => healthPaths.has(pathOf(url))

/** Their documents are for anybody. */
const runsTheService = (path: string): boolean =>
  (path.startsWith(`${basePaths.operator}/`) || path.startsWith(`${basePaths.agent}/`)) &&
  !path.endsWith('/openapi.json')

/** What of the bound a request may use; null for what never waits in line: health. */
export const shareOf = (method: string, url: string): number | null => {
  const path = pathOf(url)
  if (healthPaths.has(path)) return null
  if (runsTheService(path)) return 1.5
  const isAskedAgain = method === 'GET' && !path.startsWith('/sub/')
  return isAskedAgain ? 1 : 1.25
}

/** What does not change anything, and is neither an operator's long list nor an agent that waits for news. */
export const isPlainRead = (method: string, url: string): boolean =>
  method === 'GET' && !runsTheService(pathOf(url))

export interface Bounds {
  /** Of those who are worked on at once. */
  readonly most: number
  /** As many are let in however slow it is. */
  readonly fewest: number
  /** When half of them wait longer than this, fewer are let in. */
  readonly slowMs: number
  /** So many looks in a row: a crowd that comes at once is slow for a while, too. */
  readonly slowLooks: number
}

/** Of all requests, as reads tell by how long they take. */
export const boundsOfAll = (most: number): Bounds => ({ most, fewest: 100, slowMs: 500, slowLooks: 1 })
/** Of those who change something, as they tell by how long they wait for a connection to the database, several times each. */
export const boundsOfChanges = (most: number): Bounds => ({ most, fewest: 16, slowMs: 250, slowLooks: 4 })

/** A look back at what was answered lately: not shorter than this, and not at fewer waits. */
const lookMs = 500
const fewestWaits = 8
const growth = 1.2
/** A thread that is as late is behind with what has come, though its line may be empty for the moment. */
const behindMs = 100

export interface AdmissionClock {
  readonly nowMs: () => number
  /** How late the event loop is. */
  readonly lagMs: () => number
}

/**
 * Counts requests that are being worked on. Where they come faster than they are answered, the line itself is what they
 * wait for: while that is long, only as many are let in as are answered in the time that is not.
 */
export class AdmissionLimit {
  readonly #bounds: Bounds
  readonly #clock: AdmissionClock
  #most: number
  #length = 0
  #lookedMs: number
  #answered = 0
  #waitedMs: number[] = []
  #slowLooks = 0

  constructor(bounds: Bounds, clock: AdmissionClock) {
    this.#bounds = { ...bounds, fewest: Math.min(bounds.most, bounds.fewest) }
    this.#clock = clock
    this.#most = bounds.most
    this.#lookedMs = clock.nowMs()
  }

  get length(): number {
    return this.#length
  }

  /** How many may be worked on now. */
  get most(): number {
    return this.#most
  }

  /** For one who comes. */
  hasRoom(share: number): boolean {
    if (this.#length === 0) this.#forgetFlood()
    return this.#length < this.#most * share
  }

  /** For one who was let in, and goes on: a line that has become shorter since is for those who come. */
  hasRoomInside(share: number): boolean {
    return this.#length < this.#bounds.most * share
  }

  /** Stands in line for as long as the work takes, whether or not its caller is still there. */
  async work<T>(run: () => Promise<T>): Promise<T> {
    this.enter()
    try {
      return await run()
    } finally {
      this.leave()
    }
  }

  enter(): void {
    this.#length++
  }

  leave(): void {
    this.#length--
    if (this.#length === 0) this.#forgetFlood()
  }

  /** Where nobody is left in the line, it was a crowd that came at once and not more than can be done. */
  #forgetFlood(): void {
    if (this.#clock.lagMs() >= behindMs) return
    this.#most = this.#bounds.most
    this.#slowLooks = 0
  }

  answered(): void {
    this.#answered++
  }

  /** Somebody waited as long, and for as long as the thread is late before that. */
  waited(milliseconds: number): void {
    const nowMs = this.#clock.nowMs()
    this.#waitedMs.push(milliseconds + this.#clock.lagMs())
    const passedMs = nowMs - this.#lookedMs
    if (passedMs < lookMs || this.#waitedMs.length < fewestWaits) return
    this.#slowLooks = this.#isSlow() ? this.#slowLooks + 1 : 0
    this.#most = this.#mostAfter(passedMs)
    this.#lookedMs = nowMs
    this.#answered = 0
    this.#waitedMs = []
  }

  #mostAfter(passedMs: number): number {
    const { most, fewest, slowMs, slowLooks } = this.#bounds
    if (this.#slowLooks === 0) return Math.min(most, Math.ceil(this.#most * growth))
    if (this.#slowLooks < slowLooks) return this.#most
    return Math.min(most, Math.max(fewest, Math.round((this.#answered / passedMs) * slowMs)))
  }

  #isSlow(): boolean {
    const sorted = this.#waitedMs.sort((one, other) => one - other)
    return (sorted[sorted.length >> 1] as number) > this.#bounds.slowMs
  }
}
