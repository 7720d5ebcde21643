import type { profile } from '@sallyport/contract/customer/profile'
import { ApiError } from '@sallyport/contract/errors'
import type { Handlers } from '../../core/call.ts'
import { allowedHours, removeReminders, rescheduleReminders } from '../../core/terms/reminders.ts'
import { inTransaction } from '../../db/client.ts'
import {
  findNotificationSettings,
  lockNotificationSettings,
  type NotificationSettings,
  storeNotificationSettings,
  takeNotifications,
} from './notification-queries.ts'

const known = (settings: NotificationSettings | undefined): NotificationSettings => {
  if (!settings) throw new ApiError('UNAUTHORIZED')
  return settings
}

const haveSameHours = (a: NotificationSettings, b: NotificationSettings): boolean =>
  a.notification_start_hour === b.notification_start_hour &&
  a.notification_end_hour === b.notification_end_hour &&
  a.timezone_offset === b.timezone_offset

export const notificationHandlers: Pick<
  Handlers<typeof profile>,
  'showNotificationSettings' | 'changeNotificationSettings' | 'takeNotifications'
> = {
  showNotificationSettings: async ({ db, userId }) => known(await findNotificationSettings(db, userId)),

  changeNotificationSettings: ({ db, userId, body, now }) =>
    inTransaction(db, async (tx) => {
      const before = known(await lockNotificationSettings(tx, userId))
      const after: NotificationSettings = { ...before, ...body }
      await storeNotificationSettings(tx, userId, after)
      // A reminder that is already showing stays so when the same hours are sent again.
      if (!after.renewal_reminders) await removeReminders(tx, userId)
      else if (!haveSameHours(before, after)) {
        await rescheduleReminders(tx, { userId, hours: allowedHours(after), now })
      }
      return after
    }),

  takeNotifications: ({ db, userId, language, now }) => takeNotifications(db, userId, language, now),
}
