import { ApiError } from '@sallyport/contract/errors'
import type { loadRows } from '@sallyport/contract/operator/fleet/load'
import { startsBetween } from '@sallyport/domain/time/local-time'
import type { Handlers } from '../../../core/call.ts'
import { readSettings } from '../../../core/kernel/settings.ts'
import { countOnline } from '../../../core/statistics/looks.ts'
import { spanOf } from '../../../core/statistics/span.ts'
import { nodeExists, sumLoad } from './load-queries.ts'

const rounded = (value: number): number => Math.round(value * 100) / 100

export const loadHandlers: Handlers<typeof loadRows> = {
  showNodeLoad: async ({ db, params: { id }, query, now }) => {
    if (!(await nodeExists(db, id))) throw new ApiError('NOT_FOUND')
    const { time_zone: zone } = await readSettings(db)
    const { from, to, step } = spanOf(query, ['hour', 'day'], { zone, now })
    const starts = startsBetween(from, to, zone, step)
    const sums = await sumLoad(db, id, starts, to)
    const current = starts.findLast((start) => start <= now)
    const online = now < to ? await countOnline(db, id, now) : 0
    return sums.map(({ at, samples, ...sum }) => ({
      at: Math.max(0, at),
      cpu: rounded(sum.cpu / samples),
      ram: rounded(sum.ram / samples),
      mbps_up: rounded(sum.up / samples),
      mbps_down: rounded(sum.down / samples),
      customers_online: at === current ? Math.max(sum.online, online) : sum.online,
    }))
  },
}
