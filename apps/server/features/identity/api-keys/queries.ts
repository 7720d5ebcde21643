import { lockUser } from '../../../core/accounts/users.ts'
import type { Db } from '../../../db/client.ts'

export const listApiKeys = (db: Db, userId: number) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'title', 'prefix', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()

/** Holding the account's row makes simultaneous requests count one after another. */
export const countApiKeysLocked = async (tx: Db, userId: number): Promise<number> => {
  await lockUser(tx, userId)
  const { count } = await tx
    .selectFrom('api_keys')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export const deleteApiKey = (tx: Db, userId: number, id: number) =>
  tx
    .deleteFrom('api_keys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('prefix')
    .executeTakeFirst()
