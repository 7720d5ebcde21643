import type { Db } from '../db/client.ts'

/** How long an ended item can still be renewed. */
export const renewableSeconds = 14 * 86_400

export const findDueConfigs = (tx: Db, now: number, limit: number) =>
  tx
    .selectFrom('configs as c')
    .innerJoin('servers as s', 's.id', 'c.server_id')
    .select(['c.id', 'c.server_id', 's.node_id'])
    .where('c.state', '=', 'active')
    .where('c.expires_at', '<=', now)
    // A fixed order of servers and nodes keeps rival transactions from waiting for each other in a ring.
    .orderBy('s.node_id')
    .orderBy('c.server_id')
    .orderBy('c.id')
    .limit(limit)
    .forUpdate('c')
    .skipLocked()
    .execute()

export const markConfigExpired = async (tx: Db, id: number): Promise<void> => {
  await tx.updateTable('configs').set({ state: 'expired' }).where('id', '=', id).execute()
}

/** Past the days in which it could be renewed, a configuration goes for good, its credentials too. */
export const deleteLapsedConfigs = async (db: Db, now: number): Promise<number> => {
  const deleted = await db
    .updateTable('configs')
    .set({ state: 'deleted', credential_nonce: null })
    .where('state', '=', 'expired')
    .where('expires_at', '<=', now - renewableSeconds)
    .executeTakeFirst()
  return Number(deleted.numUpdatedRows)
}
