import type { Db } from '../../../db/client.ts'

/** How an authenticator knows and shows the customer. */
export const accountOf = (db: Db, userId: number) =>
  db.selectFrom('users').select(['uuid', 'email']).where('id', '=', userId).executeTakeFirstOrThrow()
