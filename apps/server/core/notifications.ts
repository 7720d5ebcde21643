import type { Db } from '../db/client.ts'

export interface Notice {
  readonly userId: number
  /** What it is about; the same is left once. */
  readonly cause: string
  readonly ru: string
  readonly en: string
  readonly now: number
  /** Not shown before; at once when left out. */
  readonly visibleAt?: number
  /** Obeys the customer's settings of reminders, also when they are changed later. */
  readonly isReminder?: boolean
}

const deliveredKeepSeconds = 400 * 86_400

/** Leaves a message of the service for a customer; commits with what it tells of. */
export const notify = async (tx: Db, notice: Notice): Promise<void> => {
  await tx
    .insertInto('notifications')
    .values({
      user_id: notice.userId,
      content: notice.ru,
      content_en: notice.en,
      cause: notice.cause,
      visible_at: notice.visibleAt ?? 0,
      is_reminder: notice.isReminder ?? false,
      created_at: notice.now,
    })
    .onConflict((oc) => oc.column('cause').where('cause', 'is not', null).doNothing())
    .execute()
}

/** Delivered ones are kept for their cause alone, and no cause comes again after this long. */
export const forgetDelivered = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('notifications')
    .where('delivered_at', '<=', now - deliveredKeepSeconds)
    .execute()
}
