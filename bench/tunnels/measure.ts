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

/** Turns that broke off. */
export interface Failures {
  readonly agent: number
  readonly hand: number
}

const mostFailures = 3

type Name = keyof Failures

/** Both sides once; which of them takes the first turn takes turns too. */
const pairOf = async (sides: Readonly<Record<Name, Side>>, order: readonly Name[], work: readonly Work[]) => {
  const found: Record<Name, Partial<Turn>> = { agent: {}, hand: {} }
  for (const run of work) {
    for (const name of order) {
      const part = await run(sides[name]).catch((error: Error) => ({ name, error }))
      if ('error' in part) return part
      Object.assign(found[name], part)
    }
  }
  return found as Pair
}

export const measurePairs = async (
  agent: Side,
  hand: Side,
  effort: Effort,
): Promise<{ pairs: Pair[]; failures: Failures }> => {
  for (const { loader } of [agent, hand]) await loader.visits(effort.seconds, together)
  await sizesFor(hand, effort)
  const work = works(await sizesFor(agent, effort), effort)
  const failures = { agent: 0, hand: 0 }
  const pairs: Pair[] = []
  while (pairs.length < effort.rounds) {
    const order: Name[] = pairs.length % 2 === 0 ? ['agent', 'hand'] : ['hand', 'agent']
    const found = await pairOf({ agent, hand }, order, work)
    if ('error' in found) {
      failures[found.name as Name] += 1
      if (failures.agent + failures.hand > mostFailures) throw found.error
    } else pairs.push(found)
  }
  return { pairs, failures }
}
