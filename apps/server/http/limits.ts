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

interface Window {
  count: number
  resetsAtMs: number
}

export const toTaken = (count: number, limit: Limit, resetsAtMs: number): Taken => ({
  limit: limit.points,
  remaining: Math.max(0, limit.points - count),
  resetsAtMs,
  isAllowed: count <= limit.points,
})

const sweepEveryTakes = 10_000

export class MemoryLimiter implements Limiter {
  readonly #windows = new Map<string, Window>()
  readonly #nowMs: () => number
  #takes = 0

  constructor(nowMs: () => number = Date.now) {
    this.#nowMs = nowMs
  }

  take(key: string, limit: Limit): Taken {
    const nowMs = this.#nowMs()
    if (++this.#takes % sweepEveryTakes === 0) this.#sweep(nowMs)
    let window = this.#windows.get(key)
    if (!window || window.resetsAtMs <= nowMs) {
      window = { count: 0, resetsAtMs: nowMs + limit.seconds * 1000 }
      this.#windows.set(key, window)
    }
    window.count++
    return toTaken(window.count, limit, window.resetsAtMs)
  }

  async close(): Promise<void> {}

  #sweep(nowMs: number): void {
    for (const [key, window] of this.#windows) if (window.resetsAtMs <= nowMs) this.#windows.delete(key)
  }
}

/** IPv6 customers hold a whole /64, so they are counted by it. */
export const ipKey = (ip: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1] as string
  if (!ip.includes(':')) return ip
  const [head = '', tail] = (ip.split('%')[0] as string).split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
