import type { paidOptions } from '@sallyport/contract/customer/paid-options/paid-options'
import { ApiError } from '@sallyport/contract/errors'
import { forgetPanelDevices, listPanelDevices } from '../../core/accounts/devices/panel-devices.ts'
import { findSubscriptionOfTerm } from '../../core/accounts/subscription-keys.ts'
import type { Handlers } from '../../core/call.ts'
import { isOption } from '../../core/options/option-ownership.ts'
import type { Db } from '../../db/client.ts'

/** Devices that fetched what an option gives. */

const requireSubscription = async (db: Db, userId: number, optionId: number): Promise<number> => {
  const id = await findSubscriptionOfTerm(db, isOption(userId, optionId))
  if (id === undefined) throw new ApiError('NOT_FOUND')
  return id
}

export const deviceHandlers: Pick<
  Handlers<typeof paidOptions>,
  'listPanelDevices' | 'deletePanelDevices' | 'deletePanelDevice'
> = {
  listPanelDevices: async ({ db, vault, userId, params }) => {
    const devices = await listPanelDevices(db, vault, await requireSubscription(db, userId, params.id))
    return { total: devices.length, devices }
  },

  deletePanelDevices: async ({ db, vault, userId, params }) => {
    await forgetPanelDevices(db, vault, await requireSubscription(db, userId, params.id))
    return true
  },

  deletePanelDevice: async ({ db, vault, userId, params }) => {
    const subscription = await requireSubscription(db, userId, params.id)
    if ((await forgetPanelDevices(db, vault, subscription, params.device_id)) === 0) {
      throw new ApiError('DEVICE_NOT_FOUND')
    }
    return true
  },
}
