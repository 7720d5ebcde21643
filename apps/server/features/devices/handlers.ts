import type { devices } from '@sallyport/contract/customer/devices'
import { ApiError } from '@sallyport/contract/errors'
import { recordEvent } from '../../core/accounts/account-events.ts'
import { forgetDevices, holdDeviceSettings } from '../../core/accounts/devices.ts'
import { subscriptionKeyContext } from '../../core/accounts/users.ts'
import type { Handlers } from '../../core/call.ts'
import { newSubscriptionKey } from '../../core/kernel/tokens.ts'
import { sha256 } from '../../core/kernel/vault.ts'
import { inTransaction } from '../../db/client.ts'
import {
  deleteDevice,
  devicesPage,
  findSettings,
  markBlocked,
  storeSettings,
  storeSubscriptionKey,
} from './queries.ts'

const usualLimit = 20

/** What belongs to the account is always there, unless the account has just been deleted. */
const ofAccount = <T>(found: T | undefined): T => {
  if (found === undefined) throw new ApiError('UNAUTHORIZED')
  return found
}

export const deviceHandlers: Handlers<typeof devices> = {
  listDevices: async ({ db, userId, query }) => {
    const { page = 1, limit = usualLimit } = query
    const [found] = await devicesPage(db, userId, limit, (page - 1) * limit)
    const { devices, total, ...settings } = ofAccount(found)
    return { devices, total, page, limit, settings }
  },

  showDeviceSettings: async ({ db, userId }) => ofAccount(await findSettings(db, userId)),

  changeDeviceSettings: async ({ db, userId, body }) =>
    ofAccount(
      await (Object.keys(body).length > 0 ? storeSettings(db, userId, body) : findSettings(db, userId)),
    ),

  blockDevice: async ({ db, userId, params, body }) => {
    const change = { userId, id: params.id, isBlocked: body.is_blocked }
    if (!(await markBlocked(db, change))) throw new ApiError('DEVICE_NOT_FOUND')
    return true
  },

  deleteDevice: async ({ db, userId, params }) => {
    if (!(await deleteDevice(db, userId, params.id))) throw new ApiError('DEVICE_NOT_FOUND')
    return true
  },

  deleteAllDevices: ({ db, userId }) => forgetDevices(db, userId),

  resetSubscriptionLink: ({ db, userId, vault, now }) =>
    inTransaction(db, async (tx) => {
      ofAccount(await holdDeviceSettings(tx, userId))
      const key = newSubscriptionKey(vault)
      const sealed = vault.seal(key, subscriptionKeyContext)
      await storeSubscriptionKey(tx, userId, { sealed, hash: sha256(key) })
      await forgetDevices(tx, userId)
      await recordEvent(tx, { userId, kind: 'subscription_key_changed', now })
      return key
    }),
}
