import type { Db } from '../../../db/client.ts'

/** By the number of the account, or by its e-mail. */
export const findByLogin = async (db: Db, login: string | number): Promise<number | undefined> => {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where(typeof login === 'number' ? 'id' : 'email', '=', login)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return user?.id
}
