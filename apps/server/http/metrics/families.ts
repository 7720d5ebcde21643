import type { Distribution } from '../../core/seeing/distribution.ts'

/** What Prometheus reads, as text: families of samples, each with a name, what it means, and figures by labels. */

export type Labels = Readonly<Record<string, string>>

export interface Sample {
  readonly value: number
  readonly labels?: Labels
  /** What a histogram's parts have behind the name. */
  readonly part?: '_bucket' | '_sum' | '_count'
}

export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'gauge' | 'counter' | 'histogram'
  readonly samples: () => readonly Sample[]
}

/** Undefined has no sample: nobody knows it at the moment. */
export const gauge = (name: string, help: string, read: () => number | undefined): Family => ({
  name,
  help,
  type: 'gauge',
  samples: () => {
    const value = read()
    return value === undefined ? [] : [{ value }]
  },
})

export const counter = (name: string, help: string, read: () => number): Family => ({
  ...gauge(name, help, read),
  type: 'counter',
})

/** One figure for each value of a label. */
export const byLabel = (
  type: 'gauge' | 'counter',
  name: string,
  help: string,
  label: string,
  read: () => Iterable<readonly [string, number]>,
): Family => ({
  name,
  help,
  type,
  samples: () => Array.from(read(), ([key, value]) => ({ labels: { [label]: key }, value })),
})

const histogramSamples = (labels: Labels, { bounds, counts, sum }: Distribution): Sample[] => {
  let count = 0
  const buckets = counts.map((more, at): Sample => {
    count += more
    const le = at < bounds.length ? String(bounds[at]) : '+Inf'
    return { part: '_bucket', labels: { ...labels, le }, value: count }
  })
  return [...buckets, { part: '_sum', labels, value: sum }, { part: '_count', labels, value: count }]
}

export const histogram = (
  name: string,
  help: string,
  read: () => Iterable<readonly [Labels, Distribution]>,
): Family => ({
  name,
  help,
  type: 'histogram',
  samples: () => Array.from(read(), ([labels, times]) => histogramSamples(labels, times)).flat(),
})

const escaped = (text: string): string =>
  text.replaceAll(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))

const labelled = (labels: Labels | undefined): string => {
  const pairs = Object.entries(labels ?? {}).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const familyText = ({ name, help, type, samples }: Family): string => {
  const lines = samples().map(({ part = '', labels, value }) => `${name}${part}${labelled(labels)} ${value}`)
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

export const textOf = (families: readonly Family[]): string => families.map(familyText).join('\n')
