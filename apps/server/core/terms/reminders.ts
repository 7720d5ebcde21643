import { secondsInDay } from '@sallyport/domain/time/period'
import { type AllowedHours, reminderTime } from '@sallyport/domain/time/quiet-hours'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { notify } from '../kernel/notifications.ts'
import { reminderText } from './reminders-text.ts'

/** Reminders that a configuration ends: one three days before, one a day before, in each of its periods. */

const firstStageDays = 3
const lastStageDays = 1

export interface DueReminder {
  readonly id: number
  readonly user_id: number
  readonly title: string | null
  readonly protocol: string
  readonly auto_renewal: boolean
  readonly expires_at: number
  readonly title_ru: string
  readonly title_en: string
  readonly renewal_reminders: boolean
  readonly notification_start_hour: number
  readonly notification_end_hour: number
  readonly timezone_offset: number
}

export type HoursRow = Pick<
  DueReminder,
  'notification_start_hour' | 'notification_end_hour' | 'timezone_offset'
>

export const allowedHours = (row: HoursRow): AllowedHours => ({
  startHour: row.notification_start_hour,
  endHour: row.notification_end_hour,
  offsetMinutes: row.timezone_offset,
})

/**
 * Held together with the customer's settings, so that a change of these comes wholly before or wholly after.
 * Nothing is waited for: what somebody else holds is found by the next run.
 */
export const holdDueReminders = async (tx: Db, now: number, limit: number): Promise<DueReminder[]> => {
  const { rows } = await sql<DueReminder>`
    select c.id, c.user_id, c.title, c.protocol, c.auto_renewal, c.expires_at, l.title_ru, l.title_en,
      u.renewal_reminders, u.notification_start_hour, u.notification_end_hour, u.timezone_offset
    from configs c join users u on u.id = c.user_id join locations l on l.id = c.location_id
    where c.state = 'active' and c.reminders_left < 2 and c.expires_at > ${now}
      and c.expires_at <= ${now + firstStageDays * secondsInDay}
      and (c.reminders_left = 0 or c.expires_at <= ${now + lastStageDays * secondsInDay})
    order by c.expires_at limit ${limit}
    for update of c skip locked for share of u skip locked`.execute(tx)
  return rows
}

const causePrefix = (configId: number): string => `reminder:config:${configId}:`

/** Leaves the reminder that is due, unless the customer wants none, and remembers that it was its time. */
export const leaveReminder = async (tx: Db, config: DueReminder, now: number): Promise<void> => {
  const isLast = config.expires_at <= now + lastStageDays * secondsInDay
  if (config.renewal_reminders) {
    await notify(tx, {
      userId: config.user_id,
      cause: `${causePrefix(config.id)}${isLast ? lastStageDays : firstStageDays}:${config.expires_at}`,
      ...reminderText(config),
      visibleAt: reminderTime(now, config.expires_at, allowedHours(config)),
      isReminder: true,
      now,
    })
  }
  await tx
    .updateTable('configs')
    .set({ reminders_left: isLast ? 2 : 1 })
    .where('id', '=', config.id)
    .execute()
}

/** In one order everywhere, so that readers and writers of a customer's messages cannot wait in a ring. */
const holdWaiting = (tx: Db, userId: number) =>
  tx
    .selectFrom('notifications')
    .select(['id', 'cause'])
    .where('user_id', '=', userId)
    .where('delivered_at', 'is', null)
    .where('is_reminder', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute()

const remove = async (tx: Db, reminders: readonly { readonly id: number }[]): Promise<void> => {
  if (reminders.length === 0) return
  const ids = reminders.map((reminder) => reminder.id)
  await tx.deleteFrom('notifications').where('id', 'in', ids).execute()
}

/** A configuration got a new end: what waits to remind of the old one goes, and the new one is reminded of anew. */
export const forgetReminders = async (
  tx: Db,
  item: { readonly userId: number; readonly configId: number },
): Promise<void> => {
  const { userId, configId } = item
  const waiting = await holdWaiting(tx, userId)
  await remove(
    tx,
    waiting.filter((reminder) => reminder.cause?.startsWith(causePrefix(configId))),
  )
  await tx
    .updateTable('configs')
    .set({ reminders_left: 0 })
    .where('id', '=', configId)
    .where('user_id', '=', userId)
    .execute()
}

/** The configurations are another customer's now, and so is what waits to remind of them. */
export const moveReminders = async (tx: Db, fromId: number, toId: number): Promise<void> => {
  const ids = (await holdWaiting(tx, fromId)).map((reminder) => reminder.id)
  if (ids.length === 0) return
  await tx.updateTable('notifications').set({ user_id: toId }).where('id', 'in', ids).execute()
}

/** The customer wants no reminders any more. */
export const removeReminders = async (tx: Db, userId: number): Promise<void> =>
  remove(tx, await holdWaiting(tx, userId))

/** The customer's hours were changed: what waits comes at the new ones. */
export const rescheduleReminders = async (
  tx: Db,
  at: { readonly userId: number; readonly hours: AllowedHours; readonly now: number },
): Promise<void> => {
  for (const { id, cause } of await holdWaiting(tx, at.userId)) {
    const endsAt = Number(cause?.split(':').at(-1))
    await tx
      .updateTable('notifications')
      .set({ visible_at: reminderTime(at.now, endsAt, at.hours) })
      .where('id', '=', id)
      .execute()
  }
}
