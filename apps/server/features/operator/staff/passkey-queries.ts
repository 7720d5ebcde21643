import type { Db } from '../../../db/client.ts'

export const hasPasskey = async (db: Db, operatorId: number): Promise<boolean> => {
  const found = await db
    .selectFrom('operator_passkeys')
    .select('id')
    .where('operator_id', '=', operatorId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** How an authenticator knows and shows the operator. */
export const accountOf = (db: Db, operatorId: number) =>
  db
    .selectFrom('operators')
    .select(['handle as uuid', 'name'])
    .where('id', '=', operatorId)
    .executeTakeFirstOrThrow()
