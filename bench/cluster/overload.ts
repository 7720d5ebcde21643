import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Metered } from '../metering/seed.ts'
import type { Cluster } from './cluster.ts'
import { divideProcessors } from './parts/processors.ts'
import { statusOf } from './parts/program.ts'
import { inQuiet } from './quiet.ts'
import { inBooks, type Run, surprisesOf, table, timesOf, withLoad } from './run.ts'
import { connections, warmUpSeconds } from './throughput.ts'
import type { Span } from './traffic/timeline.ts'
import type { Traffic } from './traffic/traffic.ts'

/** Three times what it holds, and what comes after. */

export interface OverloadOptions {
  readonly customers: number
  readonly seconds: number
  readonly say: (text: string) => void
}

const times = 3
/** From one rate to the next while it is looked for what it holds. */
const step = 1.3
/** Of those who come, at least; else it does not hold the load. */
const answeredWell = 0.99
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

interface Load {
  readonly rate: number
  readonly span: Span
  /** Purchases, renewals and top-ups that were done, a second. */
  readonly deals: number
}

const measureLoad = async (traffic: Traffic, rate: number, seconds: number): Promise<Load> => {
  const done = () => traffic.deals.all.filter(({ isDone }) => isDone).length
  const [from, before] = [traffic.timeline.now, done()]
  await traffic.arrive(rate, seconds)
  const { now } = traffic.timeline
  return { rate, span: traffic.timeline.span(from, now), deals: (done() - before) / (now - from) }
}

const isHeld = ({ rate, span: { perSecond } }: Load): boolean => {
  const { good, limited, refused, failed, wrong } = perSecond
  const isInTime = good > 0.95 * rate
  return isInTime && good + limited > answeredWell * (good + limited + refused + failed + wrong)
}

/**
 * More and more come, whatever became of those before, until one of a hundred is sent away. A crowd of whom each waits
 * for the answer before would ask for less, because purchases make it wait.
 */
const findHeld = (cluster: Cluster, metered: Metered, seconds: number) =>
  withLoad(cluster, metered, async ({ traffic, judge }) => {
    const { timeline } = traffic
    const warm = timeline.now + warmUpSeconds
    await traffic.crowd(connections, warmUpSeconds)
    const crowded = timeline.span(warm - seconds, warm).perSecond.good
    traffic.deals.givesUp = true
    const tryRate = (rate: number) => inQuiet(() => measureLoad(traffic, rate, seconds))
    let held = await tryRate(crowded / 2)
    if (!isHeld(held.value)) throw new Error('Not even half of what a crowd got is held')
    for (let next = held; isHeld(next.value); next = await tryRate(held.value.rate * step)) held = next
    traffic.deals.givesUp = false
    return { ...held, notes: `${timesOf(traffic)} ms. ${inBooks(await judge())} ${surprisesOf(traffic)}` }
  })

const floodOnce = async ({ cluster, traffic }: Run, rate: number, seconds: number) => {
  const usual = rate / 2
  const { timeline } = traffic
  await traffic.arrive(usual, restSeconds)
  const before = timeline.span(timeline.now - restSeconds + 5, timeline.now)
  const health = watchHealth(cluster)
  traffic.deals.givesUp = true
  const unsentBefore = traffic.unsent
  const during = await measureLoad(traffic, times * rate, seconds)
  const to = timeline.now
  traffic.deals.givesUp = false
  const alive = await health()
  await traffic.arrive(usual, restSeconds)
  const recovered = timeline.recoveredAt(to, usual)
  return {
    before,
    during,
    alive,
    felt: recovered === undefined ? undefined : Math.max(0, recovered - to),
    unsent: traffic.unsent - unsentBefore,
  }
}

const flood = (cluster: Cluster, metered: Metered, rate: number, seconds: number) =>
  withLoad(cluster, metered, async (run) => {
    const { value, stolen } = await inQuiet(() => floodOnce(run, rate, seconds))
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

interface Flooded {
  readonly held: Load
  readonly flooded: Awaited<ReturnType<typeof floodOnce>>
}

const linesOf = ({ held, flooded }: Flooded): (readonly [string, string])[] => {
  const { before, during, alive, felt, unsent } = flooded
  const { perSecond, p50, p99, refusedP99 } = during.span
  const goodput = perSecond.good / held.span.perSecond.good
  return [
    ['it holds, answers/s', held.span.perSecond.good.toFixed(0)],
    ['p50 / p99 of these, ms', `${held.span.p50.toFixed(0)} / ${held.span.p99.toFixed(0)}`],
    [
      `good answers/s at ${times} times the load`,
      `${perSecond.good.toFixed(0)} (${goodput.toFixed(2)} of that)`,
    ],
    ['p50 / p99 of these, ms', `${p50.toFixed(0)} / ${p99.toFixed(0)}`],
    [
      'purchases, renewals and top-ups done/s, before and then',
      `${held.deals.toFixed(0)}, ${during.deals.toFixed(0)}`,
    ],
    ['refused/s with 503, p99 ms', `${perSecond.refused.toFixed(0)}, ${refusedP99.toFixed(0)}`],
    ['failed/s', perSecond.failed.toFixed(1)],
    ['not sent, for too many were waited for', String(unsent)],
    ['instances asked whether they live, and said so', `${alive.asked}, ${alive.answered}`],
    ['p99 at half the load before, ms', before.p99.toFixed(0)],
    ['back to normal after, s', felt === undefined ? 'not' : felt.toFixed(0)],
  ]
}

const isGood = ({ held, flooded: { during, felt, alive } }: Flooded): boolean =>
  during.span.perSecond.good >= wantedGoodput * held.span.perSecond.good &&
  felt !== undefined &&
  felt <= wantedRecoverySeconds &&
  alive.asked === alive.answered

export const measureOverload = async (cluster: Cluster, options: OverloadOptions): Promise<string> => {
  const { customers, seconds, say } = options
  const metered = await cluster.seed(customers)
  await startDivided(cluster, metered)
  const held = await findHeld(cluster, metered, seconds)
  say(`It holds ${held.value.rate.toFixed(0)} requests a second: ${held.notes}`)
  const flooded = await flood(cluster, metered, held.value.rate, seconds)
  await cluster.stopInstances()
  const both = { held: held.value, flooded }
  const stolen = `${percent(held.stolen)}, ${percent(flooded.stolen)}`
  const lines = [...linesOf(both), ['taken by the host, before and then', stolen]]
  return [table(['', ''], lines), flooded.notes, isGood(both) ? 'Holds.' : 'DOES NOT HOLD.'].join('\n\n')
}
