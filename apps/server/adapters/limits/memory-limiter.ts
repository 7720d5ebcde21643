import type { Limit } from '@sallyport/contract/operation'
import { type Limiter, type Taken, toTaken } from '../../ports/limiter.ts'

interface Window {
  count: number
  resetsAtMs: number
}

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
    return toTaken(window.count, limit, nowMs, window.resetsAtMs)
  }

  giveBack(key: string): void {
    const window = this.#windows.get(key)
    if (window && window.count > 0) window.count--
  }

  async close(): Promise<void> {}

  #sweep(nowMs: number): void {
    for (const [key, window] of this.#windows) if (window.resetsAtMs <= nowMs) this.#windows.delete(key)
  }
}
