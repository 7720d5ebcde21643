import { cpus, totalmem } from 'node:os'
import type { Effort, Measured } from './measure.ts'

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

export const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number

const isGood = (status: number): boolean => status >= 200 && status < 300

export const errorsOf = ({ statuses }: Measured): number =>
  [...statuses].reduce((sum, [status, count]) => (isGood(status) ? sum : sum + count), 0)

/** The middle one of the ratios of neighbouring rounds: noise that lasts longer than a round cancels out. */
export const ratio = (of: Measured, to: Measured): number =>
  median(
    of.rounds.map(
      ({ requestsPerSecond }, at) => requestsPerSecond / (to.rounds[at]?.requestsPerSecond as number),
    ),
  )

const explainErrors = ({ statuses }: Measured): string => {
  const bad = [...statuses].filter(([status]) => !isGood(status))
  return bad.length === 0 ? '0' : bad.map(([status, count]) => `${count} × ${status}`).join(', ')
}

export const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

const cpuOf = ({ rounds }: Measured): string => {
  const known = rounds.map((round) => round.cpuMicroseconds).filter((cpu) => cpu !== undefined)
  return known.length === 0 ? '?' : median(known).toFixed(0)
}

/** One line a target; ratios to each of the baselines, which are among the targets. */
export const table = (title: string, all: readonly Measured[], baselines: readonly string[]): string => {
  const against = baselines.map((name) => all.find((one) => one.name === name) as Measured)
  const columns = [
    title,
    ...baselines.map((name) => `ratio to ${name}`),
    'requests/s',
    'p50 ms',
    'p99 ms',
    'CPU µs each',
    'RSS MB',
    'errors',
  ]
  const lines = all.map((one) => {
    const sorted = Float64Array.from(one.latenciesMs).sort()
    return row([
      one.name,
      ...against.map((baseline) => ratio(one, baseline).toFixed(2)),
      median(one.rounds.map((round) => round.requestsPerSecond)).toFixed(0),
      percentile(sorted, 0.5).toFixed(1),
      percentile(sorted, 0.99).toFixed(1),
      cpuOf(one),
      one.residentMegabytes ?? '?',
      explainErrors(one),
    ])
  })
  return [row(columns), row(columns.map((_, at) => (at === 0 ? '---' : '---:'))), ...lines].join('\n')
}

export interface Circumstances extends Effort {
  readonly postgresVersion: string
  readonly customers: number
  readonly active: number
  readonly configsEach: number
}

export const circumstances = (at: Circumstances): string => {
  const processors = cpus()
  const memory = (totalmem() / 2 ** 30).toFixed(0)
  return [
    `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}, ${memory} GB; ` +
      `Node ${process.versions.node}, PostgreSQL ${at.postgresVersion}.`,
    `${at.customers} customers; ${at.active} of them are asked for in turn, with ${at.configsEach} configurations each. ` +
      `${at.connections} connections, ${at.rounds} interleaved rounds of ${at.seconds} s a target.`,
    'PostgreSQL, the load generator and the target share the processors, so only ratios carry over to other machines.',
  ].join('\n')
}
