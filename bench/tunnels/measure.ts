import { median } from '../report.ts'
import { secondsOf } from './cpu.ts'
import type { Loader } from './loader.ts'
import { bytesFor, type Pair, type Turn } from './statistics.ts'

export interface Effort {
  readonly rounds: number
  /** Of each measure in each turn. */
  readonly seconds: number
}

/** A customer, and what runs on the machine that carries it. */
export interface Side {
  readonly loader: Loader
  readonly processes: readonly number[]
}

/** As many as a page opens at once. */
const together = 8
const sampleBytes = 1024 * 1024
const megabits = (bytes: number, seconds: number): number => (bytes * 8) / seconds / 1e6

/** How much each copy carries; the same on both sides. */
interface Sizes {
  readonly down: number
  readonly up: number
}

type Work = (side: Side) => Promise<Partial<Turn>>

const costing = async <T>({ processes }: Side, work: () => Promise<T>): Promise<{ done: T; ms: number }> => {
  const before = secondsOf(processes)
  const done = await work()
  return { done, ms: (secondsOf(processes) - before) * 1000 }
}

const copying =
  (kind: 'down' | 'up', bytes: number): Work =>
  async (side) => {
    const { done, ms } = await costing(side, () => side.loader.copy(kind, bytes))
    return { [kind]: megabits(bytes, done), [`${kind} cost`]: (ms * 1e8) / bytes }
  }

const works = (sizes: Sizes, { seconds }: Effort): readonly Work[] => [
  copying('down', sizes.down),
  copying('up', sizes.up),
  async (side) => {
    const { done, ms } = await costing(side, () => side.loader.visits(seconds, together))
    return { connections: done.perSecond, 'connection cost': ms / done.firstByteMs.length }
  },
  async ({ loader }) => ({ latency: median((await loader.visits(seconds, 1)).firstByteMs) }),
]

/** Twice each way, for the first time is slow everywhere; the second time with what the first one promises. */
const sizesFor = async ({ loader }: Side, { seconds }: Effort): Promise<Sizes> => {
  const sizeOf = async (kind: 'down' | 'up'): Promise<number> => {
    const little = bytesFor(seconds, sampleBytes, await loader.copy(kind, sampleBytes))
    return bytesFor(seconds, little, await loader.copy(kind, little))
  }
  return { down: await sizeOf('down'), up: await sizeOf('up') }
}

/** In turns, and who begins takes turns too. */
export const measurePairs = async (agent: Side, hand: Side, effort: Effort): Promise<Pair[]> => {
  for (const { loader } of [agent, hand]) await loader.visits(effort.seconds, together)
  await sizesFor(hand, effort)
  const sizes = await sizesFor(agent, effort)
  const pairs: Pair[] = []
  for (let round = 0; round < effort.rounds; round += 1) {
    const [ours, theirs] = [{}, {}]
    for (const work of works(sizes, effort)) {
      const turns = [
        async () => Object.assign(ours, await work(agent)),
        async () => Object.assign(theirs, await work(hand)),
      ]
      for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn()
    }
    pairs.push({ agent: ours as Turn, hand: theirs as Turn })
  }
  return pairs
}
