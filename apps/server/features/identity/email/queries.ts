import type { Db } from '../../../db/client.ts'

/** The account's address, which nobody else changes until the transaction ends. */
export const lockEmail = async (tx: Db, userId: number): Promise<string | null> => {
  const user = await tx
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return user.email
}
