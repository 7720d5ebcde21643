import type { Metered } from '../metering/seed.ts'
import { cpuSecondsOfFamily } from '../metering/watch.ts'
import type { Cluster } from './cluster.ts'
import { measureMachine } from './machine.ts'
import { inQuiet } from './quiet.ts'
import { inBooks, surprisesOf, table, timesOf, withLoad } from './run.ts'
import type { Span } from './traffic/timeline.ts'

/** What the cluster holds when everybody asks as fast as they are answered. */

export interface ThroughputOptions {
  readonly customers: readonly number[]
  readonly instances: readonly number[]
  readonly seconds: number
  readonly say: (text: string) => void
}

/** Enough to keep it busy, and few enough that nobody is sent away. */
export const connections = 48
/** What is written first after a checkpoint is written whole: with a million customers that goes on for most of a minute. */
export const warmUpSeconds = 45

interface Cores {
  readonly instances: number
  readonly postgres: number
  readonly load: number
}

/** Processors that each part takes from now on until it is asked. */
const coresFromNow = (cluster: Cluster): (() => Cores) => {
  const postgresPids = cluster.patroni.members.flatMap(({ postgresPid }) => postgresPid ?? [])
  const sum = (pids: readonly number[]) => pids.reduce((total, pid) => total + cpuSecondsOfFamily(pid), 0)
  const read = () => ({
    instances: sum(cluster.instances.map(({ program }) => program.pid)),
    postgres: sum(postgresPids),
    load: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
    at: performance.now() / 1000,
  })
  const began = read()
  return () => {
    const now = read()
    const cores = (part: keyof Cores) => (now[part] - began[part]) / (now.at - began.at)
    return { instances: cores('instances'), postgres: cores('postgres'), load: cores('load') }
  }
}

export interface Peak {
  readonly span: Span
  /** At half of that rate, which is what one plans for. */
  readonly half: Span
  readonly cores: Cores
  /** Of the processors, while it was measured. */
  readonly stolen: number
  /** Thousands of hashes a second that the machine did without all this, right before and right after. */
  readonly machine: number
  readonly notes: string
}

export const measurePeak = (cluster: Cluster, metered: Metered, seconds: number) =>
  withLoad(cluster, metered, async ({ traffic, judge }): Promise<Peak> => {
    await traffic.crowd(connections, warmUpSeconds)
    const machineBefore = await measureMachine()
    const crowded = await inQuiet(async () => {
      const from = traffic.timeline.now
      const cores = coresFromNow(cluster)
      await traffic.crowd(connections, seconds)
      return { cores: cores(), span: traffic.timeline.span(from, traffic.timeline.now) }
    })
    const machine = (machineBefore + (await measureMachine())) / 2
    const half = await inQuiet(async () => {
      const from = traffic.timeline.now
      await traffic.arrive(crowded.value.span.perSecond.good / 2, seconds)
      return traffic.timeline.span(from, traffic.timeline.now)
    })
    return {
      ...crowded.value,
      half: half.value,
      machine,
      stolen: Math.max(crowded.stolen, half.stolen),
      notes: `${timesOf(traffic)} ms. ${inBooks(await judge())} ${surprisesOf(traffic)}`,
    }
  })

/** Of all three, which says more than the clock where the host gives processors to others. */
const cpuMsOf = (answersPerSecond: number, { instances, postgres, load }: Cores): number =>
  ((instances + postgres + load) * 1000) / answersPerSecond

const head = [
  ...['customers', 'instances', 'answers/s', 'p50 ms', 'p99 ms', 'refused/s', 'failed'],
  ...['cores of instances', 'of PostgreSQL', 'of the load', 'taken by the host', 'CPU ms an answer'],
  ...['machine alone, thousand hashes/s', 'answers a thousand hashes', 'at half of it, p50 ms', 'p99 ms'],
]

export const measureThroughput = async (cluster: Cluster, options: ThroughputOptions): Promise<string> => {
  const lines: (string | number)[][] = []
  for (const customers of options.customers) {
    const metered = await cluster.seed(customers)
    for (const instances of options.instances) {
      await cluster.startInstances(instances, metered)
      const peak = await measurePeak(cluster, metered, options.seconds)
      await cluster.stopInstances()
      const { span, half, cores, machine, stolen, notes } = peak
      const { perSecond, p50, p99, seconds } = span
      lines.push([
        ...[customers, instances, perSecond.good.toFixed(0), p50.toFixed(1), p99.toFixed(0)],
        ...[perSecond.refused.toFixed(1), (perSecond.failed * seconds).toFixed(0)],
        ...[cores.instances.toFixed(2), cores.postgres.toFixed(2), cores.load.toFixed(2)],
        ...[`${(100 * stolen).toFixed(0)} %`, cpuMsOf(perSecond.good, cores).toFixed(2)],
        ...[machine.toFixed(0), (perSecond.good / machine).toFixed(2)],
        ...[half.p50.toFixed(1), half.p99.toFixed(0)],
      ])
      options.say(`${lines.at(-1)?.join(' ')}; ${notes}`)
    }
  }
  return table(head, lines)
}
