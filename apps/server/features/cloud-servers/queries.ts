import type { Db } from '../../db/client.ts'

/** The one server of a customer's machine. */
export const findOwnServer = (db: Db, termId: number) =>
  db.selectFrom('servers').select(['id', 'node_id']).where('owner_term_id', '=', termId).executeTakeFirst()
