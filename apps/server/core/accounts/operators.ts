import type { Role } from '@sallyport/contract/operation'
import type { Db } from '../../db/client.ts'
import { newOperatorToken } from '../kernel/tokens.ts'

/** Returns the first token; only its hash is kept. The table of tokens takes it from here. */
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

export interface NewOperatorToken {
  readonly operatorId: number
  readonly title: string
  /** The only ones that it may call; null is all that its operator may. */
  readonly operations: readonly string[] | null
  readonly expiresAt: number | null
  readonly now: number
}

export const insertOperatorToken = async (tx: Db, made: NewOperatorToken) => {
  const { token, prefix, secretHash } = newOperatorToken()
  const { id } = await tx
    .insertInto('operator_tokens')
    .values({
      operator_id: made.operatorId,
      title: made.title,
      prefix,
      secret_hash: secretHash,
      operations: made.operations && [...made.operations],
      created_at: made.now,
      expires_at: made.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, prefix, token }
}
