import type { Db } from '../../../db/client.ts'

/** The hash of no secret. */
const nobodys = Buffer.alloc(32)

export const operatorExists = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('operators').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

export const listTokens = (db: Db, operatorId: number) =>
  db
    .selectFrom('operator_tokens')
    .select(['id', 'title', 'prefix', 'operations', 'created_at', 'expires_at', 'last_used_at'])
    .where('operator_id', '=', operatorId)
    .where('revoked_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()

export const countTokens = async (tx: Db, operatorId: number): Promise<number> => {
  const { count } = await tx
    .selectFrom('operator_tokens')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('operator_id', '=', operatorId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Undefined when this operator has no such token, or no longer. */
export const revokeToken = async (tx: Db, operatorId: number, id: number, now: number) => {
  const token = await tx
    .updateTable('operator_tokens')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('operator_id', '=', operatorId)
    .where('revoked_at', 'is', null)
    .returning(['title', 'prefix'])
    .executeTakeFirst()
  // Where an older version still runs it looks here.
  if (token) {
    await tx
      .updateTable('operators')
      .set({ token_hash: nobodys })
      .where('id', '=', operatorId)
      .where('token_prefix', '=', token.prefix)
      .execute()
  }
  return token
}
