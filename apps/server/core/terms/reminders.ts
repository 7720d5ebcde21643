import { secondsInDay } from '@sallyport/domain/time/period'
import { type AllowedHours, reminderTime } from '@sallyport/domain/time/quiet-hours'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { notify } from '../kernel/notifications.ts'
import { reminderText } from './reminders-text.ts'
import type { TermName, TermProduct } from './term-product.ts'
import { type Term, tellingOf, termColumns } from './terms.ts'

/** Reminders that a term ends: one three days before, one a day before, in each of its periods. */

const firstStageDays = 3
const lastStageDays = 1

export interface DueReminder extends Term {
  readonly reminders_sent: number
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
 * Nothing is waited for: what somebody else has locked is found by the next run.
 */
export const lockDueReminders = async (
  tx: Db,
  products: readonly string[],
  now: number,
  limit: number,
): Promise<DueReminder[]> => {
  const { rows } = await sql<DueReminder>`
    select ${termColumns}, t.reminders_sent, u.renewal_reminders, u.notification_start_hour, u.notification_end_hour, u.timezone_offset
    from terms t join users u on u.id = t.user_id
    where t.state = 'active' and t.reminders_sent < 2 and t.product = any(${products}) and t.expires_at > ${now} and t.stopped_at is null
      and t.expires_at <= ${now + firstStageDays * secondsInDay}
      and (t.reminders_sent = 0 or t.expires_at <= ${now + lastStageDays * secondsInDay})
    order by t.expires_at limit ${limit}
    for update of t skip locked for share of u skip locked`.execute(tx)
  return rows
}

type Reminded = Pick<Term, 'id' | 'product' | 'item_id' | 'user_id'>

const causePrefix = ({ product, item_id }: Reminded): string => `reminder:${product}:${item_id}:`

/** Leaves the reminder that is due, unless the customer wants none, and remembers that it was its time. */
export const leaveReminder = async (
  tx: Db,
  product: TermProduct,
  term: DueReminder,
  name: TermName,
  now: number,
): Promise<void> => {
  const isLast = term.expires_at <= now + lastStageDays * secondsInDay
  if (term.renewal_reminders) {
    await notify(tx, {
      userId: term.user_id,
      cause: `${causePrefix(term)}${isLast ? lastStageDays : firstStageDays}:${term.expires_at}`,
      ...reminderText(product, term, name),
      visibleAt: reminderTime(now, term.expires_at, allowedHours(term)),
      isReminder: true,
      now,
    })
  }
  await tx
    .updateTable('terms')
    .set({ reminders_sent: isLast ? 2 : 1 })
    .where('id', '=', term.id)
    .returning((term.reminders_sent === 0 ? tellingOf('term.ending', now) : sql`false`).as('is_announced'))
    .execute()
}

/** In one order everywhere, so that readers and writers of a customer's messages cannot wait in a ring. */
const lockWaiting = (tx: Db, userId: number) =>
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

/** A term got a new end: what waits to remind of the old one goes, and the new one is reminded of anew. */
export const forgetReminders = async (tx: Db, term: Reminded): Promise<void> => {
  const waiting = await lockWaiting(tx, term.user_id)
  await remove(
    tx,
    waiting.filter((reminder) => reminder.cause?.startsWith(causePrefix(term))),
  )
  await tx.updateTable('terms').set({ reminders_sent: 0 }).where('id', '=', term.id).execute()
}

/** The terms are another customer's now, and so is what waits to remind of them. */
export const moveReminders = async (tx: Db, fromId: number, toId: number): Promise<void> => {
  const ids = (await lockWaiting(tx, fromId)).map((reminder) => reminder.id)
  if (ids.length === 0) return
  await tx.updateTable('notifications').set({ user_id: toId }).where('id', 'in', ids).execute()
}

/** The customer wants no reminders any more. */
export const removeReminders = async (tx: Db, userId: number): Promise<void> =>
  remove(tx, await lockWaiting(tx, userId))

/** The customer's hours were changed: what waits comes at the new ones. */
export const rescheduleReminders = async (
  tx: Db,
  at: { readonly userId: number; readonly hours: AllowedHours; readonly now: number },
): Promise<void> => {
  for (const { id, cause } of await lockWaiting(tx, at.userId)) {
    const endsAt = Number(cause?.split(':').at(-1))
    await tx
      .updateTable('notifications')
      .set({ visible_at: reminderTime(at.now, endsAt, at.hours) })
      .where('id', '=', id)
      .execute()
  }
}
