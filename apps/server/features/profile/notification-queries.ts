import type { Language } from '@sallyport/domain/text/language'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

const settingsColumns = [
  'renewal_reminders',
  'notification_start_hour',
  'notification_end_hour',
  'timezone_offset',
] as const

export interface NotificationSettings {
  readonly renewal_reminders: boolean
  readonly notification_start_hour: number
  readonly notification_end_hour: number
  readonly timezone_offset: number
}

export const findNotificationSettings = (db: Db, userId: number): Promise<NotificationSettings | undefined> =>
  db.selectFrom('users').select(settingsColumns).where('id', '=', userId).executeTakeFirst()

/** Held until the transaction ends: reminders are left only by who can see the settings stand still. */
export const lockNotificationSettings = (tx: Db, userId: number): Promise<NotificationSettings | undefined> =>
  tx.selectFrom('users').select(settingsColumns).where('id', '=', userId).forNoKeyUpdate().executeTakeFirst()

export const storeNotificationSettings = async (
  tx: Db,
  userId: number,
  settings: NotificationSettings,
): Promise<void> => {
  await tx.updateTable('users').set(settings).where('id', '=', userId).execute()
}

/**
 * What may be shown by now, oldest first. It is marked and emptied in the statement that finds it: a second reader
 * waits for the first, looks again, and finds it delivered. The text comes from the locked rows, because an update
 * returns what it wrote.
 */
export const takeNotifications = async (db: Db, userId: number, language: Language, now: number) => {
  const { rows } = await sql<{ id: number; content: string }>`
    with waiting as (
      select id, content, content_en from notifications
      where user_id = ${userId} and delivered_at is null and visible_at <= ${now}
      order by id for update
    ), taken as (
      update notifications n set content = '', content_en = null, delivered_at = ${now}
      from waiting w where n.id = w.id
      returning n.id, case when ${language === 'en'} then coalesce(w.content_en, w.content) else w.content end as content
    )
    select id, content from taken order by id`.execute(db)
  return rows
}
