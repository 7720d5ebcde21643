import type { operatorFigures } from '@sallyport/contract/operator/figures/figures'
import { startOf } from '@sallyport/domain/time/local-time'
import type { Handlers } from '../../../core/call.ts'
import { onlineWithinSeconds } from '../../../core/fleet/servers.ts'
import { readSettings } from '../../../core/kernel/settings.ts'
import { customers, sales } from '../../../core/statistics/facts.ts'
import { activeCustomers, lookAtPlaces } from '../../../core/statistics/looks.ts'
import { type Figures, readFigures, totalOf, type Wanted } from '../../../core/statistics/read.ts'
import { inSnapshot } from '../../../db/client.ts'
import { countWaiting, listSlots } from './queries.ts'

const daySeconds = 86_400
const soonSeconds = 3 * daySeconds

/** The last so many days, and as many before them. */
const compared = (days: readonly Figures<keyof typeof sales.measures>[], count: number) => ({
  ...totalOf(sales, days.slice(-count)),
  before: totalOf(sales, days.slice(-2 * count, -count)),
})

export const overviewHandlers: Pick<Handlers<typeof operatorFigures>, 'showOverview'> = {
  showOverview: ({ db, now }) =>
    inSnapshot(db, async (tx) => {
      const { time_zone: zone } = await readSettings(tx)
      const noon = startOf(now, zone, 'day') + daySeconds / 2
      const want: Wanted = { from: noon - 59 * daySeconds, to: now + 1, zone, step: 'day', dimension: 'all' }
      const sold = await readFigures(tx, sales, want)
      const people = await readFigures(tx, customers, { ...want, from: noon - 29 * daySeconds })
      const came = totalOf(customers, people)
      const today = totalOf(customers, people.slice(-1))
      const [all] = await lookAtPlaces(tx, now)
      const { terms_ending, terms_ending_unrenewed, ...open } = await countWaiting(tx, {
        now,
        until: now + soonSeconds,
      })
      return {
        sales: {
          today: compared(sold, 1),
          last_7_days: compared(sold, 7),
          last_30_days: compared(sold, 30),
        },
        customers: {
          new_today: today.new,
          new: came.new,
          active: await activeCustomers(tx, now),
          ended: came.ended,
        },
        terms_ending,
        terms_ending_unrenewed,
        open,
        nodes: { total: all?.nodes ?? 0, online: all?.nodes_online ?? 0 },
        slots: await listSlots(tx, now - onlineWithinSeconds),
      }
    }),
}
