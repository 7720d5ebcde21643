import { badRequest } from '@sallyport/contract/errors'
import type { operatorFigures } from '@sallyport/contract/operator/figures/figures'
import type { Step } from '@sallyport/domain/time/local-time'
import type { Handlers } from '../../../core/call.ts'
import { readSettings } from '../../../core/kernel/settings.ts'
import { customers, type Dimension, fleet, sales, traffic } from '../../../core/statistics/facts.ts'
import { activeCustomers, lookNow } from '../../../core/statistics/looks.ts'
import { type Figures, readFigures, totalOf, type Wanted } from '../../../core/statistics/read.ts'
import { type AskedSpan, spanOf } from '../../../core/statistics/span.ts'
import { type Db, inSnapshot } from '../../../db/client.ts'

const notDivided =
  'divides no customers: leave it out. Sales are by product, method or location, traffic and fleet by location'

const steps = ['day', 'hour', 'month'] as const

interface Query extends AskedSpan<Step> {
  readonly by?: Exclude<Dimension, 'all'>
}

/** The value under the name of what it is one of. */
const nameOf = (dimension: Dimension, value: string) => {
  if (dimension === 'all') return {}
  return { [dimension]: dimension !== 'location' ? value : value === '' ? null : Number(value) }
}

const answered = <M extends string, T>(rows: readonly Figures<M>[], total: T, dimension: Dimension) => ({
  // East of Greenwich the day of the first second began before it.
  rows: rows.map(({ value, at, ...row }) => ({ at: Math.max(0, at), ...row, ...nameOf(dimension, value) })),
  total,
})

/** Whether this moment is among what is asked for. */
const hasNow = ({ from, to }: Wanted, now: number): boolean => from <= now && now < to

type Asked = { readonly db: Db; readonly query: Query; readonly now: number }

const ask = <T>({ db, query, now }: Asked, read: (tx: Db, want: Wanted) => Promise<T>): Promise<T> =>
  inSnapshot(db, async (tx) => {
    const { time_zone: zone } = await readSettings(tx)
    return read(tx, { ...spanOf(query, steps, { zone, now }), zone, dimension: query.by ?? 'all' })
  })

const fleetNow = async (tx: Db, dimension: Dimension, now: number) =>
  (await lookNow(tx, now))
    .filter(({ location_id: id }) => (id === 0) === (dimension === 'all'))
    .map(({ location_id: id, ...look }) => ({ at: now, value: id === 0 ? '' : String(id), ...look }))

export const statisticsHandlers: Pick<
  Handlers<typeof operatorFigures>,
  'showSales' | 'showCustomerFigures' | 'showTrafficFigures' | 'showFleetFigures'
> = {
  showSales: (call) =>
    ask(call, async (tx, want) => {
      const rows = await readFigures(tx, sales, want)
      return answered(rows, totalOf(sales, rows), want.dimension)
    }),

  showCustomerFigures: (call) => {
    if (call.query.by) throw badRequest('by', notDivided)
    return ask(call, async (tx, want) => {
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
    })
  },

  showTrafficFigures: (call) =>
    ask(call, async (tx, want) => {
      const rows = await readFigures(tx, traffic, want)
      return answered(rows, totalOf(traffic, rows), want.dimension)
    }),

  showFleetFigures: (call) =>
    ask(call, async (tx, want) => {
      const read = async (dimension: Dimension) => {
        const seen = hasNow(want, call.now) ? await fleetNow(tx, dimension, call.now) : []
        return readFigures(tx, fleet, { ...want, dimension }, seen)
      }
      const all = await read('all')
      const rows = want.dimension === 'all' ? all : await read(want.dimension)
      return answered(rows, totalOf(fleet, all), want.dimension)
    }),
}
