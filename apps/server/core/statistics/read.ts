import { nextStart, type Step, startsBetween } from '@sallyport/domain/time/local-time'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { bucketOf, type Dimension, ofEach, type Rollup, summed, type Together } from './facts.ts'
import { readState } from './fold.ts'
import { mostRows, refuseTooMany, type TimeSpan } from './span.ts'

/** Figures of a time: from the sums that are kept, and counted from what happened since. */

export interface Wanted extends TimeSpan<Step> {
  readonly zone: string
  readonly dimension: Dimension
}

interface Cell {
  readonly at: number
  readonly value: string
}
export type Figures<M extends string> = Cell & Readonly<Record<M, number>>
/** Null is what nobody has looked at. */
type Row<M extends string> = Cell & Readonly<Record<M, number | null>>

const kept = async <M extends string>(db: Db, { table, measures }: Rollup<M>, want: Wanted) => {
  const names = sql.join(['at', 'value', ...Object.keys(measures)].map((name) => sql.ref(name)))
  const { rows } = await sql<Row<M>>`
    select ${names} from ${sql.table(table)} where step = ${want.step} and dimension = ${want.dimension}
      and at >= ${want.from}::bigint and at < ${want.to}::bigint order by at limit ${mostRows + 1}`.execute(
    db,
  )
  return rows
}

const counted = async <M extends string>(
  db: Db,
  rollup: Rollup<M>,
  want: Wanted,
  starts: readonly number[],
) => {
  if (want.from >= want.to) return []
  const { rows } = await sql<Row<M>>`
    select ${bucketOf(sql`f.at`, starts)} as at, f.value, ${summed(rollup, 'f')}
    from (${rollup.facts(want)}) f where f.dimension = ${want.dimension} group by 1, 2 order by 1`.execute(db)
  return rows
}

const together = (how: Together, one: number, other: number): number => {
  if (how === 'sum') return one + other
  return how === 'most' ? Math.max(one, other) : other
}

/** The later one is said second. */
const joined = <M extends string>(rollup: Rollup<M>, before: Row<M>, after: Row<M>): Row<M> => ({
  at: before.at,
  value: before.value,
  ...ofEach(rollup, (name, how) => {
    const [one, other]: (number | null)[] = [before[name], after[name]]
    if (typeof one !== 'number' || typeof other !== 'number') return other ?? one ?? null
    return together(how, one, other)
  }),
})

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

/**
 * One row for every hour, day or month, and each value that there is of the dimension; nothing is null. `latest` is how it is
 * at this moment. The caller sees one moment throughout.
 */
export const readFigures = async <M extends string>(
  db: Db,
  rollup: Rollup<M>,
  want: Wanted,
  latest: readonly Row<M>[] = [],
): Promise<Figures<M>[]> => {
  const state = await readState(db)
  const starts = startsBetween(want.from, want.to, want.zone, want.step)
  const from = starts[0] as number
  const to = nextStart(starts.at(-1) as number, want.zone, want.step)
  const isKept = state.zone === want.zone && state.folded_to !== null
  const old = isKept ? await kept(db, rollup, { ...want, from, to }) : []
  const since = isKept ? Math.max(from, state.folded_to as number) : from
  const recent = await counted(db, rollup, { ...want, from: since, to }, starts)
  const cells = new Map<string, Map<number, Row<M>>>(want.dimension === 'all' ? [['', new Map()]] : [])
  for (const found of [...old, ...recent, ...latest]) {
    const row = { ...found, at: startAt(starts, found.at) }
    const ofValue = cells.get(row.value) ?? new Map<number, Row<M>>()
    cells.set(row.value, ofValue)
    const before = ofValue.get(row.at)
    ofValue.set(row.at, before ? joined(rollup, before, row) : row)
  }
  refuseTooMany(starts.length, cells.size, { step: want.step, by: want.dimension })
  const values = [...cells.keys()].sort()
  return starts.flatMap((at) =>
    values.map((value) => {
      const row = cells.get(value)?.get(at)
      return { at, value, ...ofEach(rollup, (name) => row?.[name] ?? 0) }
    }),
  )
}

/** All of them as one. Of what is seen and not added, the last that is more than nothing. */
export const totalOf = <M extends string>(
  rollup: Rollup<M>,
  rows: readonly Record<M, number>[],
): Record<M, number> =>
  ofEach(rollup, (name, how) =>
    rows.reduce((sum, row) => together(how, sum, how === 'last' ? row[name] || sum : row[name]), 0),
  )
