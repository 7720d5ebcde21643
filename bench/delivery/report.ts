import { median, percentile, row } from '../report.ts'
import { type Fresh, freshTable, isFreshGood } from './fresh.ts'
import type { Wish } from './wishes.ts'

export interface Series {
  readonly rounds: { requestsPerSecond: number; cpuMicroseconds: number; postgresMicroseconds: number }[]
  readonly latenciesMs: number[]
  readonly statuses: Map<number, number>
}

/** One kind of answer, ours and that of the bare route with either way to read, measured in turn. */
export interface Compared {
  readonly wish: Wish
  readonly status: 200 | 304
  readonly bytes: number
  readonly ours: Series
  readonly pooled: Series
  readonly shared: Series
}

export interface Everybody {
  readonly compared: readonly Compared[]
  /** Of the first fetch of each, when everything about it is new. */
  readonly cpuMicroseconds: number
  readonly postgresMicroseconds: number
  /** Of the fetches after it. */
  readonly renderedShare: number
  readonly ownersShare: number
  readonly residentMegabytes: number | undefined
}

export interface Measured {
  readonly compared: readonly Compared[]
  readonly fresh: readonly Fresh[]
  readonly everybody: readonly Everybody[]
}

export interface DeliverySize {
  readonly customers: number
  readonly hot: number
  readonly itemsEach: number
  readonly seconds: number
  readonly rounds: number
  readonly connections: number
}

const wanted = { ratio: 0.85, spread: 5, cpu: 1.3 }

type Figure = keyof Series['rounds'][number]

/** Without rounds in which the machine stood still and nothing was asked. */
const middle = (values: readonly number[]): number => median(values.filter(Number.isFinite))

const figureOf = ({ rounds }: Series, figure: Figure): number => middle(rounds.map((round) => round[figure]))

/** The middle one of the ratios of neighbouring rounds. */
const ratioOf = (ours: Series, theirs: Series, figure: Figure): number =>
  middle(ours.rounds.map((round, at) => round[figure] / (theirs.rounds[at]?.[figure] as number)))

const spreadOf = ({ latenciesMs }: Series): { p50: number; p99: number } => {
  const sorted = Float64Array.from(latenciesMs).sort()
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}

const errorsOf = ({ status, ours, pooled, shared }: Compared): number =>
  [ours, pooled, shared]
    .flatMap(({ statuses }) => [...statuses])
    .reduce((sum, [answered, count]) => (answered === status ? sum : sum + count), 0)

const isGood = (compared: Compared): boolean => {
  const { ours, pooled } = compared
  const [own, bare] = [spreadOf(ours), spreadOf(pooled)]
  // On a machine that others use too, the bare route says how much of it is the machine's.
  const spread = Math.max(wanted.spread, bare.p99 / bare.p50)
  return (
    errorsOf(compared) === 0 &&
    ratioOf(ours, pooled, 'requestsPerSecond') >= wanted.ratio &&
    ratioOf(ours, pooled, 'cpuMicroseconds') <= wanted.cpu &&
    own.p99 <= spread * own.p50
  )
}

const columns = [
  'asked for',
  'bytes',
  'requests/s',
  'of bare',
  'of bare, shared',
  'CPU µs each',
  'of bare',
  'of bare, shared',
  'p50 / p99 ms',
  'bare',
  'PostgreSQL’s µs each',
  'bare',
  'errors',
]

const line = (compared: Compared): string => {
  const { wish, status, bytes, ours, pooled, shared } = compared
  const times = (series: Series): string => {
    const { p50, p99 } = spreadOf(series)
    return `${p50.toFixed(1)} / ${p99.toFixed(1)}`
  }
  const against = (figure: Figure): string[] => [
    figureOf(ours, figure).toFixed(0),
    ...[pooled, shared].map((theirs) => ratioOf(ours, theirs, figure).toFixed(2)),
  ]
  return row([
    `${wish.name}${status === 304 ? ', 304' : ''}`,
    status === 304 ? '' : bytes,
    ...against('requestsPerSecond'),
    ...against('cpuMicroseconds'),
    times(ours),
    times(pooled),
    ...[ours, pooled].map((series) => figureOf(series, 'postgresMicroseconds').toFixed(0)),
    errorsOf(compared),
  ])
}

const table = (all: readonly Compared[]): string =>
  [row(columns), row(columns.map((_, at) => (at === 0 ? '---' : '---:'))), ...all.map(line)].join('\n')

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const tellEverybody = ({ compared, ...rest }: Everybody): string => {
  const { cpuMicroseconds, postgresMicroseconds, renderedShare, ownersShare, residentMegabytes } = rest
  return (
    `${compared[0]?.wish.name}: the first fetch of each costs ${cpuMicroseconds.toFixed(0)} µs of the service and ` +
    `${postgresMicroseconds.toFixed(0)} µs of PostgreSQL. Of those after it ${percent(1 - renderedShare)} were served as kept, ` +
    `and for ${percent(ownersShare)} the traffic was summed up. ${residentMegabytes ?? '?'} MB resident.`
  )
}

export const deliveryReport = (
  size: DeliverySize,
  { compared, fresh, everybody }: Measured,
): { report: string; isGood: boolean } => {
  const { customers, hot, itemsEach, seconds, rounds, connections } = size
  const ofEverybody = everybody.flatMap((one) => one.compared)
  const judged = [...compared, ...ofEverybody].filter(({ wish }) => wish.isJudged)
  const missed = judged.filter((one) => !isGood(one)).map(({ wish, status }) => `${wish.name} ${status}`)
  missed.push(...fresh.filter((one) => !isFreshGood(one)).map(({ change }) => change.name))
  const aim = `${wanted.ratio} of the requests, ${wanted.cpu} of the CPU, p99 within ${wanted.spread} × p50 (or as bare)`
  const report = [
    `${customers} customers with ${itemsEach} configurations each; ${connections} connections, ${rounds} interleaved rounds of ` +
      `${seconds} s. PostgreSQL, the load generator and the target share the processors. "Shared" is the bare route over the ` +
      'connections that the product’s own reads share; the other has a pool.',
    `${hot} of them ask, at random:`,
    table(compared),
    ...(fresh.length > 0 ? ['Each asks once, after something has happened:', freshTable(fresh)] : []),
    ...(everybody.length > 0 ? ['All of them ask, at random:', table(ofEverybody)] : []),
    ...everybody.map(tellEverybody),
    missed.length === 0 ? `All that is judged reaches ${aim}.` : `BELOW ${aim}: ${missed.join(', ')}.`,
  ].join('\n\n')
  return { report, isGood: missed.length === 0 }
}
