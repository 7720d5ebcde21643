import { median } from '../report.ts'

/** What is compared, each so that more is better. */
export const measures = ['down', 'up', 'connections', 'latency'] as const
/** What the machine computed for it: milliseconds for 100 MB down, and up, and for a new connection. */
export const costs = ['down cost', 'up cost', 'connection cost'] as const
export type Measure = (typeof measures)[number] | (typeof costs)[number]

/** One turn of one side: Mbit/s, Mbit/s, connections a second, milliseconds to the first byte, and what it cost. */
export type Turn = Readonly<Record<Measure, number>>

/** The agent's turn and the one by hand beside it. */
export interface Pair {
  readonly agent: Turn
  readonly hand: Turn
}

export interface Compared {
  readonly ratio: number
  /** The middle half of the ratios. */
  readonly from: number
  readonly to: number
  readonly agent: number
  readonly hand: number
}

/** A share of sorted values, between neighbours where it falls between them. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const low = sorted[Math.floor(at)] as number
  const high = sorted[Math.ceil(at)] as number
  return low + (high - low) * (at - Math.floor(at))
}

const lessIsBetter: ReadonlySet<Measure> = new Set(['latency', ...costs])

const ratioOf = (measure: Measure, { agent, hand }: Pair): number =>
  lessIsBetter.has(measure) ? hand[measure] / agent[measure] : agent[measure] / hand[measure]

/** Noise hits both turns of a pair, so it is pairs that are compared, and the middle one of them that counts. */
export const compare = (measure: Measure, pairs: readonly Pair[]): Compared => {
  const ratios = pairs.map((pair) => ratioOf(measure, pair))
  return {
    ratio: median(ratios),
    from: quantile(ratios, 0.25),
    to: quantile(ratios, 0.75),
    agent: median(pairs.map(({ agent }) => agent[measure])),
    hand: median(pairs.map(({ hand }) => hand[measure])),
  }
}

/** So many bytes that a copy takes about so long. */
export const bytesFor = (seconds: number, sampleBytes: number, sampleSeconds: number): number => {
  const step = 64 * 1024
  return Math.max(step, Math.round(((sampleBytes / sampleSeconds) * seconds) / step) * step)
}
