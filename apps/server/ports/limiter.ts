import type { Limit } from '@sallyport/contract/operation'

export interface Taken {
  readonly limit: number
  readonly remaining: number
  /** Unix milliseconds. */
  readonly resetsAtMs: number
  readonly isAllowed: boolean
}

/** A window opens with a key's first request and closes `seconds` later; refused requests do not extend it. */
export interface Limiter {
  take(key: string, limit: Limit): Taken | Promise<Taken>
  close(): Promise<void>
}

export const toTaken = (count: number, limit: Limit, resetsAtMs: number): Taken => ({
  limit: limit.points,
  remaining: Math.max(0, limit.points - count),
  resetsAtMs,
  isAllowed: count <= limit.points,
})
