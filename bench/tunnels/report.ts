import { cpus } from 'node:os'
import { row } from '../report.ts'
import type { Effort, Failures } from './measure.ts'
import type { Offer } from './offers.ts'
import { type Compared, compare, costs, type Measure, measures, type Pair } from './statistics.ts'

export interface Row {
  readonly offer: Offer
  /** At its port. */
  readonly accesses: number
  readonly pairs: readonly Pair[]
  readonly failures: Failures
  /** Why nothing was measured. */
  readonly failed?: string
}

export const wanted = 0.95

const table = (head: readonly string[], lines: readonly (readonly string[])[]): string =>
  [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...lines].map(row).join('\n')

const titleOf = ({ offer, accesses }: Row): string =>
  accesses > 1 ? `${offer.name}, ${accesses.toLocaleString('en')} customers` : offer.name

const ratioCell = ({ ratio, from, to }: Compared): string =>
  `${ratio.toFixed(2)} (${from.toFixed(2)}–${to.toFixed(2)})`

const heads: Readonly<Record<Measure, string>> = {
  down: 'download',
  up: 'upload',
  connections: 'new connections',
  latency: 'first byte',
  'down cost': 'CPU, download',
  'up cost': 'CPU, upload',
  'connection cost': 'CPU, connection',
}

const ratios = (rows: readonly Row[]): string => {
  const asked = [...measures, ...costs]
  const lines = rows.map((one) => [
    titleOf(one),
    ...(one.failed === undefined
      ? asked.map((measure) => ratioCell(compare(measure, one.pairs)))
      : [one.failed, ...asked.slice(1).map(() => '')]),
  ])
  return table(['ours to the one by hand', ...asked.map((measure) => heads[measure])], lines)
}

const both = ({ agent, hand }: Compared, digits: number): string =>
  `${agent.toFixed(digits)} / ${hand.toFixed(digits)}`

const figures = (rows: readonly Row[]): string => {
  const lines = rows
    .filter(({ failed }) => failed === undefined)
    .map((one) => {
      const of = (measure: Measure, digits: number) => both(compare(measure, one.pairs), digits)
      const speeds = [of('down', 0), of('up', 0), of('connections', 0), of('latency', 1)]
      return [titleOf(one), ...speeds, of('down cost', 0), of('up cost', 0), of('connection cost', 2)]
    })
  const head = ['Mbit/s down', 'Mbit/s up', 'connections/s', 'first byte ms']
  const cost = ['CPU ms for 100 MB down', 'up', 'CPU ms a connection']
  return table(['ours / by hand', ...head, ...cost], lines)
}

/** Below what is wanted in three quarters of the pairs: noise alone does not do that. */
export const isBelow = ({ to }: Compared): boolean => to < wanted

interface Shortfall {
  readonly line: string
  readonly isExplained: boolean
}

const shortfalls = (one: Row): Shortfall[] =>
  measures
    .filter((measure) => isBelow(compare(measure, one.pairs)))
    .map((measure) => {
      const ofMany = one.accesses > 1 ? one.offer.reasonsOfMany?.[measure] : undefined
      const reason = ofMany ?? one.offer.reasons?.[measure]
      const line = `${titleOf(one)}: ${heads[measure]} ${ratioCell(compare(measure, one.pairs))}`
      return { line: reason ? `${line}: ${reason}` : line, isExplained: reason !== undefined }
    })

const failureLines = (rows: readonly Row[]): string[] =>
  rows.flatMap((one) => {
    const { agent, hand } = one.failures
    const broken = agent + hand > 0 ? [`${titleOf(one)}: ${agent} turns of ours broke, ${hand} by hand`] : []
    return one.failed === undefined ? broken : [...broken, `${titleOf(one)}: ${one.failed}`]
  })

const listed = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [[title, ...lines.map((line) => `- ${line}`)].join('\n')]

export const tunnelsReport = (
  rows: readonly Row[],
  { rounds, seconds }: Effort,
): { report: string; isGood: boolean } => {
  const below = rows.filter(({ failed }) => failed === undefined).flatMap(shortfalls)
  const failures = failureLines(rows)
  const [processor] = cpus()
  const report = [
    `${cpus().length} × ${processor?.model.trim() ?? 'unknown processor'}. ${rounds} pairs of turns of ${seconds} s a measure. ` +
      'Everything shares the processors: both engines, their clients, the site and the service.',
    ratios(rows),
    figures(rows),
    ...listed(
      `Below ${wanted} in three quarters of the pairs:`,
      below.map(({ line }) => line),
    ),
    ...listed('Broke:', failures),
    ...(below.length + failures.length === 0 ? [`Everything has at least ${wanted} of it.`] : []),
  ].join('\n\n')
  return { report, isGood: failures.length === 0 && below.every(({ isExplained }) => isExplained) }
}

const between = /(<!-- tunnels -->\n)[\s\S]*?(<!-- \/tunnels -->)/

/** A document with these figures where it has had others. */
export const replaceFigures = (document: string, report: string): string => {
  if (!between.test(document)) throw new Error('The document has no place for the figures of tunnels')
  return document.replace(between, (_, begin: string, end: string) => `${begin}${report}\n${end}`)
}
