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

/** When half of the reads take longer than this, fewer requests are let in. */
const slowMs = 500
/** A look back at what was answered lately: not shorter than this, and not at fewer reads. */
const lookMs = 500
const fewestReads = 8
/** As many are let in however slow answers are. */
const fewestAtOnce = 100
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
 * wait for: while reads are slow, only as many are let in as are answered in half a second. Reads alone tell that,
 * because what changes something may also wait for a payment provider.
 */
export class AdmissionLimit {
  readonly #mostEver: number
  readonly #fewest: number
  readonly #clock: AdmissionClock
  #most: number
  #length = 0
  #lookedMs: number
  #answered = 0
  #readMs: number[] = []

  constructor(most: number, clock: AdmissionClock) {
    this.#mostEver = most
    this.#fewest = Math.min(most, fewestAtOnce)
    this.#clock = clock
    this.#most = most
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
    return this.#length < this.#mostEver * share
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
    if (this.#clock.lagMs() < behindMs) this.#most = this.#mostEver
  }

  /** What was read at that moment is answered now. */
  answered(isRead: boolean, cameMs: number): void {
    const nowMs = this.#clock.nowMs()
    this.#answered++
    if (!isRead) return
    this.#readMs.push(nowMs - cameMs + this.#clock.lagMs())
    const passedMs = nowMs - this.#lookedMs
    if (passedMs < lookMs || this.#readMs.length < fewestReads) return
    const inTime = Math.round((this.#answered / passedMs) * slowMs)
    const wanted = this.#isSlow() ? inTime : Math.ceil(this.#most * growth)
    this.#most = Math.min(this.#mostEver, Math.max(this.#fewest, wanted))
    this.#lookedMs = nowMs
    this.#answered = 0
    this.#readMs = []
  }

  #isSlow(): boolean {
    const sorted = this.#readMs.sort((one, other) => one - other)
    return (sorted[sorted.length >> 1] as number) > slowMs
  }
}
