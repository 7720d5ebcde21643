import type { Db } from '../../db/client.ts'

/** Until then their owner sees which were opened, and whoever comes late is told so. */
const keptSeconds = 7 * 86_400

export const forgetOneTimeLinks = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('one_time_links')
    .where('expires_at', '<=', now - keptSeconds)
    .execute()
}
