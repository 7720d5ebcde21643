import type { Answer } from './http-client.ts'

/** What became of requests, second by second. */

export type Fate =
  /** Answered as asked. */
  | 'good'
  /** More than this customer may ask for in a second. */
  | 'limited'
  /** "Come again": 503 with Retry-After. */
  | 'refused'
  /** No answer, or one that says that we are broken. */
  | 'failed'
  /** An answer that nobody expects. */
  | 'wrong'

export const fateOf = ({ status }: Answer): Fate => {
  if ((status >= 200 && status < 300) || status === 304) return 'good'
  if (status === 429) return 'limited'
  if (status === 503) return 'refused'
  return status === 0 || status >= 500 ? 'failed' : 'wrong'
}

export interface Second {
  readonly fates: Record<Fate, number>
  readonly goodMs: number[]
  readonly refusedMs: number[]
}

const nothing = (): Second => ({
  fates: { good: 0, limited: 0, refused: 0, failed: 0, wrong: 0 },
  goodMs: [],
  refusedMs: [],
})

export interface Span {
  readonly seconds: number
  readonly perSecond: Readonly<Record<Fate, number>>
  readonly p50: number
  readonly p99: number
  readonly refusedP99: number
}

export const quantile = (values: readonly number[], share: number): number => {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export class Timeline {
  readonly #beganMs = performance.now()
  readonly #seconds: Second[] = []
  readonly byKind = new Map<string, number[]>()
  readonly #wrong = new Map<string, number>()

  get now(): number {
    return (performance.now() - this.#beganMs) / 1000
  }

  note(kind: string, answer: Answer): Fate {
    const fate = fateOf(answer)
    const second = this.#at(Math.floor(this.now))
    second.fates[fate]++
    if (fate === 'good') {
      second.goodMs.push(answer.ms)
      const all = this.byKind.get(kind) ?? []
      all.push(answer.ms)
      this.byKind.set(kind, all)
    }
    if (fate === 'refused') second.refusedMs.push(answer.ms)
    if (fate === 'wrong' || fate === 'failed')
      this.#noteWrong(`${kind}: ${answer.status} ${answer.body.slice(0, 120)}`)
    return fate
  }

  /** What was not expected, and how often. */
  get surprises(): string[] {
    return [...this.#wrong].map(([what, count]) => `${count} × ${what}`)
  }

  /** Whole seconds between two moments. */
  span(from: number, to: number): Span {
    const seconds = this.#seconds.slice(Math.ceil(from), Math.floor(to)).map((second) => second ?? nothing())
    const length = Math.max(1, seconds.length)
    const rate = (fate: Fate) => seconds.reduce((sum, { fates }) => sum + fates[fate], 0) / length
    const goodMs = seconds.flatMap((second) => second.goodMs)
    return {
      seconds: length,
      perSecond: {
        good: rate('good'),
        limited: rate('limited'),
        refused: rate('refused'),
        failed: rate('failed'),
        wrong: rate('wrong'),
      },
      p50: quantile(goodMs, 0.5),
      p99: quantile(goodMs, 0.99),
      refusedP99: quantile(
        seconds.flatMap((second) => second.refusedMs),
        0.99,
      ),
    }
  }

  /** The first second from which on, for a while, the load is answered as it was before. */
  recoveredAt(from: number, usual: number, calmSeconds = 3): number | undefined {
    for (let second = Math.ceil(from); second + calmSeconds <= this.#seconds.length; second++) {
      const { perSecond } = this.span(second, second + calmSeconds)
      if (perSecond.good >= usual * 0.9 && perSecond.failed + perSecond.refused < usual * 0.01) return second
    }
    return undefined
  }

  /** Seconds in which less than nine of ten of those who came were answered well. */
  badSeconds(from: number, to: number, rate: number): number {
    const seconds = this.#seconds.slice(Math.ceil(from), Math.floor(to))
    return seconds.filter(({ fates }) => fates.good + fates.limited < rate * 0.9).length
  }

  #at(second: number): Second {
    while (this.#seconds.length <= second) this.#seconds.push(nothing())
    return this.#seconds[second] as Second
  }

  #noteWrong(what: string): void {
    if (this.#wrong.size < 50 || this.#wrong.has(what))
      this.#wrong.set(what, (this.#wrong.get(what) ?? 0) + 1)
  }
}
