import { ApiError } from '@sallyport/contract/errors'
import type { profile } from '@sallyport/contract/profile'
import type { Handlers } from '../../core/call.ts'

const unfinished = (): never => {
  throw new ApiError('UNAVAILABLE')
}

export const notificationHandlers: Pick<
  Handlers<typeof profile>,
  'showNotificationSettings' | 'changeNotificationSettings' | 'takeNotifications'
> = {
  showNotificationSettings: unfinished,
  changeNotificationSettings: unfinished,
  takeNotifications: unfinished,
}
