import { nextStart, type Step, startsBetween } from '@sallyport/domain/time/local-time'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { bucketOf, type Dimension, type Rollup, summed } from './facts.ts'
import { readState } from './fold.ts'

/** Figures of a time: from the sums that are kept, and counted from what happened since. */

export interface Wanted {
  readonly from: number
  readonly to: number
  readonly zone: string
  readonly step: Step
  readonly dimension: Dimension
}

export interface Figures {
  readonly at: number
  readonly value: string
  readonly [measure: string]: number | string | null
}

type Row = Record<string, number | string | null> & { at: number; value: string }

const kept = async (db: Db, { table, measures }: Rollup, want: Wanted): Promise<Row[]> => {
  const names = sql.join(['at', 'value', ...Object.keys(measures)].map((name) => sql.ref(name)))
  const { rows } = await sql<Row>`
    select ${names} from ${sql.table(table)} where step = ${want.step} and dimension = ${want.dimension}
      and at >= ${want.from}::bigint and at < ${want.to}::bigint order by at`.execute(db)
  return rows
}

const counted = async (db: Db, rollup: Rollup, want: Wanted, starts: readonly number[]): Promise<Row[]> => {
  if (want.from >= want.to) return []
  const { rows } = await sql<Row>`
    select ${bucketOf(sql`f.at`, starts)} as at, f.value, ${summed(rollup, 'f')}
    from (${rollup.facts(want)}) f where f.dimension = ${want.dimension} group by 1, 2 order by 1`.execute(db)
  return rows
}

/** The later one is said second. */
const joined = ({ measures }: Rollup, before: Row, after: Row): Row => {
  const both: Row = { at: before.at, value: before.value }
  for (const [name, together] of Object.entries(measures)) {
    const [one, other] = [before[name] as number | null, after[name] as number | null]
    if (one === null || other === null) both[name] = other ?? one
    else both[name] = together === 'sum' ? one + other : together === 'most' ? Math.max(one, other) : other
  }
  return both
}

/** The beginning that a moment belongs to. */
const startAt = (starts: readonly number[], at: number): number => {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] as number) <= at) low = middle
    else high = middle - 1
  }
  return starts[low] as number
}

const emptyRow = ({ measures }: Rollup, at: number, value: string): Row => ({
  at,
  value,
  ...Object.fromEntries(Object.keys(measures).map((name) => [name, null])),
})

/**
 * One row for every hour, day or month, and each value that there is of the dimension; nothing is null. `latest` is how it is
 * at this moment. The caller sees one moment throughout.
 */
export const readFigures = async (
  db: Db,
  rollup: Rollup,
  want: Wanted,
  latest: readonly Row[] = [],
): Promise<Figures[]> => {
  const state = await readState(db)
  const starts = startsBetween(want.from, want.to, want.zone, want.step)
  const from = starts[0] as number
  const to = nextStart(starts.at(-1) as number, want.zone, want.step)
  const isKept = state.zone === want.zone && state.folded_to !== null
  const old = isKept ? await kept(db, rollup, { ...want, from, to }) : []
  const since = isKept ? Math.max(from, state.folded_to as number) : from
  const recent = await counted(db, rollup, { ...want, from: since, to }, starts)
  const cells = new Map<string, Map<number, Row>>(want.dimension === 'all' ? [['', new Map()]] : [])
  for (const found of [...old, ...recent, ...latest]) {
    const row = { ...found, at: startAt(starts, found.at) }
    const ofValue = cells.get(row.value) ?? new Map<number, Row>()
    cells.set(row.value, ofValue)
    const before = ofValue.get(row.at)
    ofValue.set(row.at, before ? joined(rollup, before, row) : row)
  }
  const values = [...cells.keys()].sort()
  return starts.flatMap((at) =>
    values.map((value): Figures => zeroed(cells.get(value)?.get(at) ?? emptyRow(rollup, at, value))),
  )
}

const zeroed = (row: Row): Figures =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? 0])) as unknown as Figures

/** All of them as one. Of what is seen and not added, the last that is more than nothing. */
export const totalOf = ({ measures }: Rollup, rows: readonly Figures[]): Record<string, number> => {
  const total = Object.fromEntries(Object.keys(measures).map((name) => [name, 0]))
  for (const row of rows) {
    for (const [name, together] of Object.entries(measures)) {
      const [before, value] = [total[name] as number, row[name] as number]
      if (together === 'sum') total[name] = before + value
      else if (together === 'most') total[name] = Math.max(before, value)
      else total[name] = value || before
    }
  }
  return total
}
