import type { paidOptions } from '@sallyport/contract/customer/paid-options/paid-options'
import { badRequest } from '@sallyport/contract/errors'
import { periodAt, trafficPeriodSeconds } from '@sallyport/domain/lifecycle/option-status'
import { findTermDeviceLimit, storeTermDeviceLimit } from '../../core/accounts/subscription-keys.ts'
import type { Handlers } from '../../core/call.ts'
import { findOption, type Option } from '../../core/options/option-catalogue.ts'
import { findOwn, requireOption } from '../../core/options/option-ownership.ts'
import { storeTrafficLimit } from '../../core/options/option-terms.ts'
import { applyQuota, findUsage, optionStatus } from '../../core/options/traffic-usage.ts'
import { inTransaction } from '../../db/client.ts'

/** What an option has carried, and how much it may. */

/** Unlimited is more than any most. */
const requireWithin = (path: string, wanted: number | undefined, most: number): void => {
  if (wanted === undefined || most === 0) return
  if (wanted === 0) throw badRequest(path, `cannot be unlimited for this option; at most ${most}`)
  if (wanted > most) throw badRequest(path, `is more than this option allows; at most ${most}`)
}

export const limitHandlers: Pick<
  Handlers<typeof paidOptions>,
  'showOptionSubscription' | 'changeOptionLimits'
> = {
  showOptionSubscription: async ({ db, userId, params, now }) => {
    const term = await findOwn(db, userId, params.id)
    const [usage, deviceLimit] = await Promise.all([findUsage(db, term.id), findTermDeviceLimit(db, term.id)])
    // The round that switches it off may not have come yet.
    const isEnded = term.expires_at <= now
    return {
      used_traffic_bytes: usage.used,
      lifetime_used_traffic_bytes: usage.lifetime,
      device_limit: deviceLimit || null,
      traffic_limit_bytes: usage.traffic_limit,
      status: optionStatus({ ...term, state: isEnded ? 'expired' : 'active' }),
      period_ends_at: periodAt(usage.period_began_at, now) + trafficPeriodSeconds,
    }
  },

  changeOptionLimits: (call) => {
    const { userId, params, body } = call
    return inTransaction(call.db, async (tx) => {
      const term = await requireOption(tx, userId, params.id)
      const option = (await findOption(tx, params.id)) as Option
      requireWithin('device_limit', body.device_limit, option.most_devices)
      requireWithin('traffic_limit', body.traffic_limit, option.most_traffic)
      if (body.device_limit !== undefined) await storeTermDeviceLimit(tx, term.id, body.device_limit)
      if (body.traffic_limit !== undefined) {
        await storeTrafficLimit(tx, term.id, body.traffic_limit)
        await applyQuota(tx, call, term, option)
      }
      return true
    })
  },
}
