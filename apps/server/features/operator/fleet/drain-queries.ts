import type { Db } from '../../../db/client.ts'

/** Servers as whoever empties them sees them. */

/** Of the operator's own, locked. */
export const lockOwnServer = (tx: Db, id: number) =>
  tx
    .selectFrom('servers')
    .select(['id', 'state'])
    .where('id', '=', id)
    .where('owner_term_id', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const listOwnServers = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('servers')
    .select(['id', 'state'])
    .where('id', 'in', ids)
    .where('owner_term_id', 'is', null)
    .execute()

/** The configuration of a term that is sold alone. */
export const findOnlyAccess = (tx: Db, termId: number) =>
  tx
    .selectFrom('accesses')
    .select(['id', 'server_id'])
    .where('term_id', '=', termId)
    .where('beside_id', 'is', null)
    .execute()

/** When the last old link of an access ends; undefined without any. */
export const findHeldUntil = async (tx: Db, accessId: number): Promise<number | undefined> => {
  const row = await tx
    .selectFrom('held_accesses')
    .select('until')
    .where('access_id', '=', accessId)
    .where('is_live', '=', true)
    .orderBy('until', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.until
}
