export interface Backoff {
  /** How long to wait before the next try; each call waits longer. */
  next(): number
  reset(): void
}

/** Doubles from `firstMs` up to `mostMs`, less up to half of it at random so that a fleet spreads out. */
export const backoff = (firstMs: number, mostMs: number, random: () => number = Math.random): Backoff => {
  let failures = 0
  return {
    next() {
      const wholeMs = Math.min(mostMs, firstMs * 2 ** failures)
      failures += 1
      return Math.round(wholeMs * (1 - random() / 2))
    },
    reset() {
      failures = 0
    },
  }
}

/** Resolves after the time, or at once when there is none left or the signal is aborted. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted || ms <= 0) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
  })

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
