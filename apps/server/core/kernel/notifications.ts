import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

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

/** Leaves a message of the service for a customer, unless they are gone; commits with what it tells of. */
export const notify = async (tx: Db, notice: Notice): Promise<void> => {
  const { userId, cause, ru, en, visibleAt = 0, isReminder = false, now } = notice
  await sql`
    insert into notifications (user_id, content, content_en, cause, visible_at, is_reminder, created_at)
    select id, ${ru}, ${en}, ${cause}, ${visibleAt}::bigint, ${isReminder}::boolean, ${now}::bigint
    from users where id = ${userId}::bigint and deleted_at is null
      -- Looked for first, so that what is said over and over costs a read and not a write.
      and not exists (select from notifications where cause = ${cause})
    for key share
    on conflict (cause) where cause is not null do nothing`.execute(tx)
}

/** Delivered ones are kept for their cause alone, and no cause comes again after this long. */
export const forgetDelivered = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('notifications')
    .where('delivered_at', '<=', now - deliveredKeepSeconds)
    .execute()
}
