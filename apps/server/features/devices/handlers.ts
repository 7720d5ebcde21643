import type { devices } from '@sallyport/contract/customer/devices'
import { ApiError } from '@sallyport/contract/errors'
import { recordEvent } from '../../core/accounts/account-events.ts'
import { blockDevice, dropDevices } from '../../core/accounts/devices/device-places.ts'
import { devicesPage } from '../../core/accounts/devices/devices.ts'
import { forgetPanelDevicesOf } from '../../core/accounts/devices/panel-devices.ts'
import { changeKey, findDeviceSettings, storeDeviceSettings } from '../../core/accounts/subscription-keys.ts'
import type { Handlers } from '../../core/call.ts'
import { renewEverything } from '../../core/vpn/operations/renew-credentials.ts'
import { inTransaction } from '../../db/client.ts'

const usualLimit = 20

/** What belongs to the account is always there, unless the account has just been deleted. */
const ofAccount = <T>(found: T | undefined): T => {
  if (found === undefined) throw new ApiError('UNAUTHORIZED')
  return found
}

export const deviceHandlers: Handlers<typeof devices> = {
  listDevices: async ({ db, userId, query }) => {
    const { page = 1, limit = usualLimit } = query
    const [found] = await devicesPage(db, userId, null, limit, (page - 1) * limit)
    const { devices, total, ...settings } = ofAccount(found)
    return { devices, total, page, limit, settings }
  },

  showDeviceSettings: async ({ db, userId }) => ofAccount(await findDeviceSettings(db, { userId })),

  changeDeviceSettings: async ({ db, userId, body }) =>
    ofAccount(
      await (Object.keys(body).length > 0
        ? storeDeviceSettings(db, { userId }, body)
        : findDeviceSettings(db, { userId })),
    ),

  blockDevice: async ({ db, vault, userId, params, body }) => {
    const device = { id: params.id, isBlocked: body.is_blocked }
    if (!(await blockDevice(db, vault, { userId }, device))) throw new ApiError('DEVICE_NOT_FOUND')
    return true
  },

  deleteDevice: async ({ db, vault, userId, params }) => {
    if ((await dropDevices(db, vault, { userId }, params.id)) === 0) throw new ApiError('DEVICE_NOT_FOUND')
    return true
  },

  deleteAllDevices: ({ db, vault, userId }) => dropDevices(db, vault, { userId }),

  resetSubscriptionLink: ({ db, userId, vault, bus, now }) =>
    inTransaction(db, async (tx) => {
      // Before the key: whoever changes what it delivers locks the terms first, and the subscription when all is done.
      await renewEverything(tx, { vault, bus }, userId, 'paid_options')
      const key = ofAccount(await changeKey(tx, vault, { userId }))
      await forgetPanelDevicesOf(tx, userId)
      await recordEvent(tx, { userId, kind: 'subscription_key_changed', now })
      return key
    }),
}
