import type { Limit } from '@sallyport/contract/operation'

export interface Taken {
  readonly limit: number
  readonly remaining: number
  /** Unix milliseconds. */
  readonly resetsAtMs: number
  /** Whole seconds until then, at least 1: what Retry-After says. */
  readonly retryAfterSeconds: number
  readonly isAllowed: boolean
}

/** A window opens with a key's first request and closes `seconds` later; refused requests do not extend it. */
export interface Limiter {
  take(key: string, limit: Limit): Taken | Promise<Taken>
  /** Undoes one that was taken. When its window has ended meanwhile, the next one is a little wider. */
  giveBack(key: string): void | Promise<void>
  close(): Promise<void>
}

export const toTaken = (count: number, limit: Limit, nowMs: number, resetsAtMs: number): Taken => ({
  limit: limit.points,
  remaining: Math.max(0, limit.points - count),
  resetsAtMs,
  retryAfterSeconds: Math.max(1, Math.ceil((resetsAtMs - nowMs) / 1000)),
  isAllowed: count <= limit.points,
})

/** What the server that counts for all instances tells of itself. */
export interface RedisFacts {
  readonly version: string
  readonly role: string
  readonly usedBytes: number
  /** 0 for no bound. */
  readonly maxBytes: number
  /** What it throws away when that is reached. */
  readonly policy: string
  readonly millis: number
}
