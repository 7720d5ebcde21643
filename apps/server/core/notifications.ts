import type { Db } from '../db/client.ts'

export interface Notice {
  readonly userId: number
  /** What it is about; the same is left once. */
  readonly cause: string
  readonly ru: string
  readonly en: string
  readonly now: number
}

/** Leaves a message of the service for a customer; commits with what it tells of. */
export const notify = async (tx: Db, notice: Notice): Promise<void> => {
  await tx
    .insertInto('notifications')
    .values({
      user_id: notice.userId,
      content: notice.ru,
      content_en: notice.en,
      cause: notice.cause,
      created_at: notice.now,
    })
    .onConflict((oc) => oc.column('cause').where('cause', 'is not', null).doNothing())
    .execute()
}
