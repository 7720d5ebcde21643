import type { Role } from '@sallyport/contract/operation'
import type { Db } from '../../db/client.ts'
import { newOperatorToken } from '../kernel/tokens.ts'

interface NewOperator {
  readonly name: string
  readonly role: Role
  readonly now: number
}

/** With a first token, of which only the hash is kept. The table of tokens takes it from here. */
export const insertOperatorWithToken = async (
  db: Db,
  { name, role, now }: NewOperator,
): Promise<{ readonly id: number; readonly token: string }> => {
  const { token, prefix, secretHash } = newOperatorToken()
  const { id } = await db
    .insertInto('operators')
    .values({
      name,
      role,
      token_prefix: prefix,
      token_hash: secretHash,
      created_at: now,
      revoked_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, token }
}

/** Returns the first token. */
export const createOperator = async (db: Db, operator: NewOperator): Promise<string> =>
  (await insertOperatorWithToken(db, operator)).token

export interface NewOperatorToken {
  readonly operatorId: number
  readonly title: string
  /** The only ones that it may call; null is all that its operator may. */
  readonly operations: readonly string[] | null
  readonly expiresAt: number | null
  /** Null: nobody who comes over the network. */
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
