import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { loadRows } from '@sallyport/contract/operator/fleet/load'
import { daysText } from '@sallyport/domain/text/counted'
import { startsBetween } from '@sallyport/domain/time/local-time'
import { secondsInDay } from '@sallyport/domain/time/period'
import type { Handlers } from '../../../core/call.ts'
import { readSettings } from '../../../core/kernel/settings.ts'
import { nodeExists, sumLoad } from './load-queries.ts'

/** How far back is shown when nobody says, and how much at once. */
const reach = {
  hour: { usual: secondsInDay, most: 35 * secondsInDay },
  day: { usual: 30 * secondsInDay, most: 400 * secondsInDay },
} as const

const rounded = (value: number): number => Math.round(value * 100) / 100

export const loadHandlers: Handlers<typeof loadRows> = {
  showNodeLoad: async ({ db, params: { id }, query, now }) => {
    const { step = 'hour', to = now } = query
    const { usual, most } = reach[step]
    const { from = Math.max(0, to - usual) } = query
    if (from >= to) throw badRequest('from', 'must be before to')
    if (to - from > most) {
      throw badRequest(
        'from',
        `is more than ${daysText(most / secondsInDay, 'en')} before to, which is the most by ${step}s`,
      )
    }
    if (!(await nodeExists(db, id))) throw new ApiError('NOT_FOUND')
    const { time_zone: zone } = await readSettings(db)
    const starts = startsBetween(from, to, zone, step)
    const sums = await sumLoad(db, id, starts, to)
    return sums.map(({ at, samples, ...sum }) => ({
      at,
      cpu: rounded(sum.cpu / samples),
      ram: rounded(sum.ram / samples),
      mbps_up: rounded(sum.up / samples),
      mbps_down: rounded(sum.down / samples),
      customers_online: sum.online,
    }))
  },
}
