import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Metered } from '../metering/seed.ts'
import type { Cluster } from './cluster.ts'
import { divideProcessors } from './parts/processors.ts'
import { statusOf } from './parts/program.ts'
import { inQuiet } from './quiet.ts'
import { inBooks, type Run, surprisesOf, table, withLoad } from './run.ts'
import { measurePeak } from './throughput.ts'

/** Three times what it holds, and what comes after. */

export interface OverloadOptions {
  readonly customers: number
  readonly seconds: number
  readonly say: (text: string) => void
}

const times = 3
const wantedGoodput = 0.8
const wantedRecoverySeconds = 10
const restSeconds = 20
const aheadOfDatabase = -5

/** How often the instances themselves were asked whether they live, and how often they said so. */
const watchHealth = (cluster: Cluster) => {
  let asked = 0
  let answered = 0
  let isOver = false
  const watch = async () => {
    while (!isOver) {
      for (const { port } of cluster.instances) {
        asked++
        if ((await statusOf(`http://127.0.0.1:${port}/healthz`)) === 200) answered++
      }
      await sleep(250)
    }
  }
  const watching = watch()
  return async () => {
    isOver = true
    await watching
    return { asked, answered }
  }
}

const floodOnce = async ({ cluster, traffic }: Run, peak: number, seconds: number) => {
  const usual = peak / 2
  const { timeline } = traffic
  await traffic.arrive(usual, restSeconds)
  const before = timeline.span(timeline.now - restSeconds + 5, timeline.now)
  const health = watchHealth(cluster)
  traffic.deals.givesUp = true
  const from = timeline.now
  const unsentBefore = traffic.unsent
  await traffic.arrive(times * peak, seconds)
  const to = timeline.now
  traffic.deals.givesUp = false
  const alive = await health()
  await traffic.arrive(usual, restSeconds)
  const recovered = timeline.recoveredAt(to, usual)
  return {
    before,
    during: timeline.span(from + 5, to),
    alive,
    felt: recovered === undefined ? undefined : Math.max(0, recovered - to),
    unsent: traffic.unsent - unsentBefore,
  }
}

const flood = (cluster: Cluster, metered: Metered, peak: number, seconds: number) =>
  withLoad(cluster, metered, async (run) => {
    const { value, stolen } = await inQuiet(() => floodOnce(run, peak, seconds))
    return { ...value, stolen, notes: `${inBooks(await run.judge())} ${surprisesOf(run.traffic)}` }
  })

/** Instances and databases on one half of the processors, those who ask on the other. */
const startDivided = async (cluster: Cluster, metered: Metered): Promise<void> => {
  const processors = divideProcessors()
  processors.hold('asking', [process.pid, cluster.balancer.program.pid])
  processors.hold(
    'asked',
    cluster.patroni.members.flatMap(({ postgresPid }) => postgresPid ?? []),
  )
  // They see as many processors as they will have, and size their pools by that.
  await cluster.startInstances(3, metered)
  const pids = cluster.instances.map(({ program }) => program.pid)
  processors.hold('asked', pids)
  // An instance is one thread among the processes of PostgreSQL. On a machine of its own, and beside one by CPUWeight of its
  // unit, it has a share for itself.
  for (const pid of pids) setPriority(pid, aheadOfDatabase)
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`

export const measureOverload = async (cluster: Cluster, options: OverloadOptions): Promise<string> => {
  const { customers, seconds, say } = options
  const metered = await cluster.seed(customers)
  await startDivided(cluster, metered)
  const held = await measurePeak(cluster, metered, seconds)
  const peak = held.span.perSecond.good
  say(`It holds ${peak.toFixed(0)} answers a second.`)
  const { before, during, alive, felt, unsent, stolen, notes } = await flood(cluster, metered, peak, seconds)
  await cluster.stopInstances()
  const goodput = during.perSecond.good / peak
  const lines = [
    ['peak, answers/s', peak.toFixed(0)],
    [
      `good answers/s at ${times} times the load`,
      `${during.perSecond.good.toFixed(0)} (${goodput.toFixed(2)} of the peak)`,
    ],
    ['p50 / p99 of these, ms', `${during.p50.toFixed(0)} / ${during.p99.toFixed(0)}`],
    ['refused/s with 503, p99 ms', `${during.perSecond.refused.toFixed(0)}, ${during.refusedP99.toFixed(0)}`],
    ['failed/s', during.perSecond.failed.toFixed(1)],
    ['not sent, for too many were waited for', String(unsent)],
    ['instances asked whether they live, and said so', `${alive.asked}, ${alive.answered}`],
    ['p99 at half the load before, ms', before.p99.toFixed(0)],
    ['taken by the host at the peak, at the flood', `${percent(held.stolen)}, ${percent(stolen)}`],
    ['back to normal after, s', felt === undefined ? 'not' : felt.toFixed(0)],
  ]
  const isGood =
    goodput >= wantedGoodput &&
    felt !== undefined &&
    felt <= wantedRecoverySeconds &&
    alive.asked === alive.answered
  return [table(['', ''], lines), notes, isGood ? 'Holds.' : 'DOES NOT HOLD.'].join('\n\n')
}
