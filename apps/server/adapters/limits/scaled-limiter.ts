import type { Limit } from '@sallyport/contract/operation'
import type { Limiter, Taken } from '../../ports/limiter.ts'

/** Every limit multiplied, for load tests; what callers are told is what holds. */
export class ScaledLimiter implements Limiter {
  readonly #inner: Limiter
  readonly #scale: number

  constructor(inner: Limiter, scale: number) {
    this.#inner = inner
    this.#scale = scale
  }

  take(key: string, { points, seconds }: Limit): Taken | Promise<Taken> {
    return this.#inner.take(key, { points: points * this.#scale, seconds })
  }

  giveBack(key: string): void | Promise<void> {
    return this.#inner.giveBack(key)
  }

  close(): Promise<void> {
    return this.#inner.close()
  }
}
