import type { devices } from '@sallyport/contract/devices'
import { ApiError } from '@sallyport/contract/errors'
import type { Handlers } from '../../core/call.ts'

const notYet = async (): Promise<never> => {
  throw new ApiError('UNAVAILABLE')
}

export const deviceHandlers: Pick<
  Handlers<typeof devices>,
  | 'listDevices'
  | 'showDeviceSettings'
  | 'changeDeviceSettings'
  | 'blockDevice'
  | 'deleteDevice'
  | 'deleteAllDevices'
  | 'resetSubscriptionLink'
> = {
  listDevices: notYet,
  showDeviceSettings: notYet,
  changeDeviceSettings: notYet,
  blockDevice: notYet,
  deleteDevice: notYet,
  deleteAllDevices: notYet,
  resetSubscriptionLink: notYet,
}
