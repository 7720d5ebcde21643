import { badRequest } from '@sallyport/contract/errors'
import type { operatorFigures } from '@sallyport/contract/operator/figures/figures'
import { latestTime } from '@sallyport/contract/shapes'
import { type Step, startOf } from '@sallyport/domain/time/local-time'
import type { Handlers } from '../../../core/call.ts'
import { readSettings } from '../../../core/kernel/settings.ts'
import { customers, type Dimension, fleet, sales, traffic } from '../../../core/statistics/facts.ts'
import { activeCustomers, lookAtFleet } from '../../../core/statistics/looks.ts'
import { type Figures, readFigures, totalOf, type Wanted } from '../../../core/statistics/read.ts'
import { type Db, inSnapshot } from '../../../db/client.ts'

const mostRows = 2000
const daySeconds = 86_400
const shortest: Readonly<Record<Step, number>> = {
  hour: 3600,
  day: 23 * 3600,
  month: 28 * daySeconds,
}
/** How far back, where nothing is said. */
const usualSpan: Readonly<Record<Step, number>> = {
  hour: daySeconds - 3600,
  day: 29 * daySeconds,
  month: 335 * daySeconds,
}

interface Query {
  readonly from?: number
  readonly to?: number
  readonly step?: Step
  readonly by?: Exclude<Dimension, 'all'>
}

const wantedOf = (query: Query, zone: string, now: number): Wanted => {
  const { step = 'day', to = now + 1, by: dimension = 'all' } = query
  const from = query.from ?? Math.max(0, startOf(Math.max(0, to - 1 - usualSpan[step]), zone, step))
  if (from >= to) throw badRequest('to', 'must be after from')
  if ((to - from) / shortest[step] > mostRows) {
    throw badRequest('from', `is too far back for steps of one ${step}: at most ${mostRows} of them`)
  }
  if (to > latestTime - 62 * daySeconds) throw badRequest('to', 'is too far away')
  return { from, to, zone, step, dimension }
}

/** With the value under the name of what it is one of. */
const named = (rows: readonly Figures[], dimension: Dimension): Record<string, unknown>[] =>
  rows.map(({ value, ...row }) => {
    if (dimension === 'all') return row
    return { ...row, [dimension]: dimension !== 'location' ? value : value === '' ? null : Number(value) }
  })

/** Whether this moment is among what is asked for. */
const hasNow = ({ from, to }: Wanted, now: number): boolean => from <= now && now < to

type Asked = { readonly db: Db; readonly query: Query; readonly now: number }

const ask = <T>({ db, query, now }: Asked, read: (tx: Db, want: Wanted) => Promise<T>): Promise<T> =>
  inSnapshot(db, async (tx) => {
    const { time_zone: zone } = await readSettings(tx)
    return read(tx, wantedOf(query, zone, now))
  })

/** The rows are made of the measures that the contract names; what is not in it is not said. */
const answered = <T>(
  rows: readonly Figures[],
  total: Record<string, number>,
  dimension: Dimension,
): { rows: T[]; total: never } => ({ rows: named(rows, dimension) as T[], total: total as never })

const fleetNow = async (tx: Db, dimension: Dimension, now: number) =>
  (await lookAtFleet(tx, now))
    .filter(({ location_id: id }) => (id === 0) === (dimension === 'all'))
    .map(({ location_id: id, ...look }) => ({ at: now, value: id === 0 ? '' : String(id), ...look }))

export const statisticsHandlers: Pick<
  Handlers<typeof operatorFigures>,
  'showSales' | 'showCustomerFigures' | 'showTrafficFigures' | 'showFleetFigures'
> = {
  showSales: (call) =>
    ask(call as Asked, async (tx, want) => {
      const rows = await readFigures(tx, sales, want)
      return answered(rows, totalOf(sales, rows), want.dimension)
    }),

  showCustomerFigures: (call) =>
    ask(call as Asked, async (tx, want) => {
      const isNow = hasNow(want, call.now)
      const seen = isNow
        ? [
            {
              at: call.now,
              value: '',
              new: 0,
              first_paid: 0,
              active: await activeCustomers(tx, call.now),
              ended: 0,
            },
          ]
        : []
      const rows = await readFigures(tx, customers, want, seen)
      return answered(rows, totalOf(customers, rows), want.dimension)
    }),

  showTrafficFigures: (call) =>
    ask(call as Asked, async (tx, want) => {
      const rows = await readFigures(tx, traffic, want)
      return answered(rows, totalOf(traffic, rows), want.dimension)
    }),

  showFleetFigures: (call) =>
    ask(call as Asked, async (tx, want) => {
      const read = async (dimension: Dimension) => {
        const seen = hasNow(want, call.now) ? await fleetNow(tx, dimension, call.now) : []
        return readFigures(tx, fleet, { ...want, dimension }, seen)
      }
      const all = await read('all')
      const rows = want.dimension === 'all' ? all : await read(want.dimension)
      return answered(rows, totalOf(fleet, all), want.dimension)
    }),
}
