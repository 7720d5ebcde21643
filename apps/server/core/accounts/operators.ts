import type { Role } from '@sallyport/contract/operation'
import type { Db } from '../../db/client.ts'
import { newOperatorToken } from '../kernel/tokens.ts'

/** Returns the token; only its hash is kept. */
export const createOperator = async (
  db: Db,
  operator: { readonly name: string; readonly role: Role; readonly now: number },
): Promise<string> => {
  const { token, prefix, secretHash } = newOperatorToken()
  await db
    .insertInto('operators')
    .values({
      name: operator.name,
      role: operator.role,
      token_prefix: prefix,
      token_hash: secretHash,
      created_at: operator.now,
      revoked_at: null,
    })
    .execute()
  return token
}
