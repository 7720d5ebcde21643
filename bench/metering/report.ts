import type { Bare } from './bare.ts'
import type { MeteringSize } from './seed.ts'
import type { TableSize } from './watch.ts'

/** Seconds from the report that took somebody over the limit. */
export interface Crossed {
  readonly sent: number
  /** Until the subscription was off and its placements were taken away. */
  readonly off: readonly number[]
  /** Until the agent, which waits for changes, was told. */
  readonly told: readonly number[]
}

export interface Phase {
  readonly active: number
  readonly seconds: number
  readonly latenciesMs: readonly number[]
  readonly statuses: ReadonlyMap<number, number>
  readonly counters: number
  /** What PostgreSQL wrote to its log. */
  readonly walBytes: number
  /** The least that could be done, before and after. */
  readonly bare: Bare
  readonly cpu: { readonly service: number; readonly postgres: number }
  readonly residentMegabytes: number | undefined
  readonly crossed: Crossed
  readonly before: ReadonlyMap<string, TableSize>
  readonly after: ReadonlyMap<string, TableSize>
}

const intervalSeconds = 15
const wanted = { cores: 1, reportSeconds: 2, limitSeconds: 60 }

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

const quantile = (values: readonly number[], share: number): number => {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const spread = (values: readonly number[], digits: number): string =>
  [0.5, 0.99, 1].map((share) => quantile(values, share).toFixed(digits)).join(' / ')

const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)

const errorsOf = ({ statuses }: Phase): string =>
  [...statuses]
    .filter(([status]) => status !== 200)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ') || '0'

const perSecond = (phase: Phase): number => phase.counters / phase.seconds

const ratio = (one: number, other: number): string => (one / other).toFixed(2)

const beside = (one: number, other: number): string =>
  `${one.toFixed(1)} / ${other.toFixed(1)} = ${ratio(one, other)}`

const microseconds = (cpuSeconds: number, counters: number): number => (cpuSeconds * 1e6) / counters

/** Processor time and log of PostgreSQL for a counter, beside what the bare statements take. */
const postgresCost = ({ cpu, seconds, counters, bare }: Phase): string =>
  beside(microseconds(cpu.postgres * seconds, counters), microseconds(bare.postgresCpuSeconds, bare.counters))

const logCost = ({ walBytes, counters, bare }: Phase): string =>
  beside(walBytes / counters, bare.walBytes / bare.counters)

const loadTable = ({ subscriptions, accesses }: MeteringSize, phases: readonly Phase[]): string => {
  const due = (phase: Phase) => (subscriptions * accesses * phase.active) / intervalSeconds
  const lines: readonly [name: string, tell: (phase: Phase) => string][] = [
    ['reports/s', (phase) => (phase.latenciesMs.length / phase.seconds).toFixed(1)],
    ['counters/s', (phase) => `${(phase.counters / phase.seconds).toFixed(0)} of ${due(phase).toFixed(0)}`],
    ['a report, ms: p50 / p99 / max', (phase) => spread(phase.latenciesMs, 0)],
    ['the bare statements, counters/s', ({ bare }) => (bare.counters / bare.seconds).toFixed(0)],
    [
      'reports of bare, counters/s',
      (phase) => ratio(perSecond(phase), phase.bare.counters / phase.bare.seconds),
    ],
    ['PostgreSQL a counter, µs: reports / bare', postgresCost],
    ['log of PostgreSQL a counter, bytes: reports / bare', logCost],
    ['log of PostgreSQL, MB/s', (phase) => megabytes(phase.walBytes / phase.seconds)],
    ['the service a counter, µs', (phase) => ((phase.cpu.service * 1e6) / perSecond(phase)).toFixed(1)],
    ['reports refused', errorsOf],
    ['CPU of the service, cores', (phase) => phase.cpu.service.toFixed(2)],
    ['CPU of PostgreSQL, cores', (phase) => phase.cpu.postgres.toFixed(2)],
    ['RSS of the service, MB', (phase) => String(phase.residentMegabytes ?? '?')],
    ['crossed a limit, switched off', ({ crossed }) => `${crossed.sent}, ${crossed.off.length}`],
    ['until switched off, s: p50 / p99 / max', ({ crossed }) => spread(crossed.off, 1)],
    ['until the agent was told, s: p50 / p99 / max', ({ crossed }) => spread(crossed.told, 1)],
    ['moved_terms at the end, rows', (phase) => String(phase.after.get('moved_terms')?.rows ?? 0)],
  ]
  return [
    row(['moving in 15 s', ...phases.map(({ active }) => `${active * 100} %`)]),
    row(['---', ...phases.map(() => '---:')]),
    ...lines.map(([name, tell]) => row([name, ...phases.map(tell)])),
  ].join('\n')
}

const sizeTable = (phases: readonly Phase[]): string => {
  const columns = [
    'table',
    'moving',
    'rows before',
    'after',
    'MB before',
    'after',
    'dead rows',
    'HOT updates',
  ]
  const lines = phases.flatMap(({ active, before, after }) =>
    [...after].map(([name, then]) => {
      const first = before.get(name) ?? then
      const updates = then.updates - first.updates
      const hot =
        updates === 0 ? '-' : `${(((then.hotUpdates - first.hotUpdates) / updates) * 100).toFixed(0)} %`
      const rows = [first.rows, then.rows]
      const bytes = [first.bytes, then.bytes].map(megabytes)
      return row([name, `${active * 100} %`, ...rows, ...bytes, then.dead, hot])
    }),
  )
  return [row(columns), row(columns.map((_, at) => (at < 2 ? '---' : '---:'))), ...lines].join('\n')
}

const isGood = (phase: Phase): boolean =>
  errorsOf(phase) === '0' &&
  phase.cpu.service < wanted.cores &&
  quantile(phase.latenciesMs, 1) < wanted.reportSeconds * 1000 &&
  phase.crossed.told.length === phase.crossed.sent &&
  quantile(phase.crossed.told, 1) < wanted.limitSeconds

/** The first run is the one that has to hold; those behind it show what gives way. */
export const meteringReport = (size: MeteringSize, phases: readonly Phase[]) => {
  const verdicts = phases.map(
    (phase) => `With ${phase.active * 100} % moving: ${isGood(phase) ? 'holds' : 'DOES NOT HOLD'}.`,
  )
  const { subscriptions, accesses, agents } = size
  const report = [
    `${subscriptions} subscriptions with ${accesses} accesses each on ${agents} agents that report every ${intervalSeconds} s. ` +
      'PostgreSQL, the agents and the service share the processors.',
    loadTable(size, phases),
    sizeTable(phases),
    verdicts.join('\n'),
  ].join('\n\n')
  return { report, isGood: phases[0] !== undefined && isGood(phases[0]) }
}
