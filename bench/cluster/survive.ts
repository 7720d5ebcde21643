import { setTimeout as sleep } from 'node:timers/promises'
import type { Metered } from '../metering/seed.ts'
import type { AlertWatch } from './alerts/watch.ts'
import type { Cluster } from './cluster.ts'
import type { Fault } from './faults.ts'
import { inBooks, type Run, surprisesOf, table, withLoad } from './run.ts'

/** Each fault in turn under the same load, and how long it was felt. */

export interface SurviveOptions {
  /** Requests a second. */
  readonly rate: number
  readonly faults: readonly Fault[]
  readonly alerts: AlertWatch
  readonly say: (text: string) => void
}

const calmSeconds = 15
const restSeconds = 20

interface Felt {
  readonly told: string
  readonly failed: number
  readonly refused: number
  /** Seconds in which less than nine of ten were answered well. */
  readonly badSeconds: number
  readonly p99: number
  readonly refusedP99: number
  readonly beganMs: number
  readonly endedMs: number
}

const endure = async (fault: Fault, run: Run, rate: number): Promise<Felt> => {
  const { timeline } = run.traffic
  const arriving = new AbortController()
  await run.traffic.arrive(rate, calmSeconds)
  const from = timeline.now
  const load = run.traffic.arriveUntil(rate, arriving.signal)
  const beganMs = performance.now()
  const told = await fault.run(run)
  const endedMs = performance.now()
  await sleep(restSeconds * 1000)
  arriving.abort()
  await load
  const to = timeline.now
  const { perSecond, seconds, p99, refusedP99 } = timeline.span(from, to)
  return {
    told,
    failed: Math.round(perSecond.failed * seconds),
    refused: Math.round(perSecond.refused * seconds),
    badSeconds: timeline.badSeconds(from, to, rate),
    p99,
    refusedP99,
    beganMs,
    endedMs,
  }
}

const head = ['fault', 'what happened', 'felt, s', 'failed', 'refused (503)', 'p99 ms', 'of refusals']

export const survive = (cluster: Cluster, metered: Metered, options: SurviveOptions): Promise<string> =>
  withLoad(cluster, metered, async (run) => {
    const { rate, faults, alerts, say } = options
    const lines: (string | number)[][] = []
    const notes: string[] = []
    for (const fault of faults) {
      say(`${fault.title}…`)
      const felt = await endure(fault, run, rate)
      const { told, badSeconds, failed, refused } = felt
      const late = [felt.p99.toFixed(0), felt.refusedP99.toFixed(0)]
      lines.push([fault.title, told, badSeconds, failed, refused, ...late])
      const books = inBooks(await run.judge())
      notes.push(`After ${fault.title}: ${books} Alerts: ${alerts.told(felt.beganMs, felt.endedMs)}.`)
      say(`${lines.at(-1)?.join(' · ')}\n${notes.at(-1)}`)
    }
    return [table(head, lines), ...notes, surprisesOf(run.traffic)].join('\n\n')
  })
