import type { subscriptionDeviceRows } from '@sallyport/contract/customer/custom-subscriptions/devices'
import { ApiError } from '@sallyport/contract/errors'
import { blockDevice, dropDevices } from '../../core/accounts/devices/device-places.ts'
import { devicesPage } from '../../core/accounts/devices/devices.ts'
import {
  type CustomRef,
  customRef,
  findDeviceSettings,
  storeDeviceSettings,
} from '../../core/accounts/subscription-keys.ts'
import type { Handlers } from '../../core/call.ts'
import { requireOwn } from '../../core/custom-subscriptions/custom-subscriptions.ts'
import type { Db } from '../../db/client.ts'

const usualLimit = 20

const required = <T>(found: T | undefined): T => {
  if (found === undefined) throw new ApiError('NOT_FOUND')
  return found
}

/** What is not there is the device, unless the subscription is not either. */
const refuseMissing = async (db: Db, ref: CustomRef): Promise<never> => {
  await requireOwn(db, ref)
  throw new ApiError('DEVICE_NOT_FOUND')
}

export const deviceHandlers: Handlers<typeof subscriptionDeviceRows> = {
  listSubscriptionDevices: async ({ db, userId, params, query }) => {
    const { page = 1, limit = usualLimit } = query
    const [found] = await devicesPage(db, userId, params.id, limit, (page - 1) * limit)
    const { devices, total } = required(found)
    return { devices, total, page, limit }
  },

  showSubscriptionDeviceSettings: async ({ db, userId, params }) =>
    required(await findDeviceSettings(db, customRef(userId, params.id))),

  changeSubscriptionDeviceSettings: async ({ db, userId, params, body }) => {
    const ref = customRef(userId, params.id)
    const isChange = Object.keys(body).length > 0
    return required(await (isChange ? storeDeviceSettings(db, ref, body) : findDeviceSettings(db, ref)))
  },

  blockSubscriptionDevice: async ({ db, vault, userId, params, body }) => {
    const ref = customRef(userId, params.id)
    const device = { id: params.deviceId, isBlocked: body.is_blocked }
    return (await blockDevice(db, vault, ref, device)) || refuseMissing(db, ref)
  },

  deleteSubscriptionDevice: async ({ db, vault, userId, params }) => {
    const ref = customRef(userId, params.id)
    return (await dropDevices(db, vault, ref, params.deviceId)) > 0 || refuseMissing(db, ref)
  },

  deleteSubscriptionDevices: async ({ db, vault, userId, params }) => {
    const ref = customRef(userId, params.id)
    await requireOwn(db, ref)
    return { deleted_count: await dropDevices(db, vault, ref) }
  },
}
