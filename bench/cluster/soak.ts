import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { inBooks, type Run, surprisesOf, table, withLoad } from './run.ts'
import { bloatOf, lookAt, type Moment, megabytes, programProblems } from './state.ts'
import { measurePeak } from './throughput.ts'

/** Half of what it holds, for long: what grows without end shows. */

export interface SoakOptions {
  readonly customers: number
  readonly minutes: number
  /** Requests a second; half of what it holds when not said. */
  readonly rate?: number
  readonly say: (text: string) => void
}

/** Caches fill and code gets warm before anything is compared. */
const settlingShare = 0.25

const telling = ({ programs, connections, redisBytes }: Moment): string => {
  const each = programs.map(({ name, bytes, descriptors }) => `${name} ${megabytes(bytes)} ${descriptors} fd`)
  return `${each.join(', ')}; ${connections} connections; Redis ${megabytes(redisBytes)}`
}

const watch = async (run: Run, database: string, minutes: number, say: (text: string) => void) => {
  const moments: Moment[] = []
  for (let minute = 0; minute <= minutes; minute++) {
    if (minute > 0) await sleep(60_000)
    const moment = await lookAt(run.cluster, database)
    moments.push(moment)
    const { perSecond, p99 } = run.traffic.timeline.span(
      run.traffic.timeline.now - 60,
      run.traffic.timeline.now,
    )
    say(
      `${minute} min: ${perSecond.good.toFixed(0)}/s, p99 ${p99.toFixed(0)} ms, failed ${perSecond.failed.toFixed(2)}/s; ${telling(moment)}`,
    )
  }
  return moments
}

const programsTable = (settled: Moment, last: Moment): string =>
  table(
    ['program', 'memory, settled', 'at the end', 'descriptors, settled', 'at the end'],
    last.programs.map(({ name, bytes, descriptors }) => {
      const then = settled.programs.find((one) => one.name === name)
      return [name, megabytes(then?.bytes ?? 0), megabytes(bytes), then?.descriptors ?? 0, descriptors]
    }),
  )

export const soak = async (cluster: Cluster, options: SoakOptions): Promise<string> => {
  const { customers, minutes, say } = options
  const metered = await cluster.seed(customers)
  await cluster.startInstances(3, metered)
  const rate = options.rate ?? (await measurePeak(cluster, metered, 20)).span.perSecond.good / 2
  say(`${rate.toFixed(0)} requests a second for ${minutes} minutes.`)
  return withLoad(cluster, metered, async (run) => {
    const { timeline } = run.traffic
    const from = timeline.now
    const arriving = new AbortController()
    const load = run.traffic.arriveUntil(rate, arriving.signal)
    const moments = await watch(run, new URL(metered.databaseUrl).pathname.slice(1), minutes, say)
    arriving.abort()
    await load
    const { perSecond, p50, p99, seconds } = timeline.span(from, timeline.now)
    const settled = moments[Math.floor(moments.length * settlingShare)] as Moment
    const last = moments.at(-1) as Moment
    const bloat = bloatOf(settled, last)
    const problems = [
      ...programProblems(moments.slice(Math.floor(moments.length * settlingShare))),
      ...bloat.problems,
    ]
    return [
      `${rate.toFixed(0)} requests a second for ${minutes} minutes: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(0)} ms, refused ${(perSecond.refused * seconds).toFixed(0)}, failed ${(perSecond.failed * seconds).toFixed(0)}.`,
      programsTable(settled, last),
      bloat.text,
      inBooks(await run.judge()),
      surprisesOf(run.traffic),
      problems.length === 0 ? 'Flat.' : `NOT FLAT: ${problems.join('; ')}`,
    ].join('\n\n')
  })
}
