import { lockUser, refreshTtlSeconds } from '../../../core/accounts/users.ts'
import type { Db } from '../../../db/client.ts'

export interface Family {
  readonly session_id: string
  readonly user_id: number
  readonly expires_at: number
}

const ownerOf = (tx: Db, tokenHash: Uint8Array) =>
  tx
    .selectFrom('refresh_tokens')
    .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
    .select(['sessions.id', 'sessions.user_id'])
    .where('refresh_tokens.token_hash', '=', tokenHash)
    .executeTakeFirst()

/** The live session that the token belongs to, locked with its account until the transaction ends. */
export const lockFamily = async (tx: Db, tokenHash: Uint8Array, now: number): Promise<Family | undefined> => {
  const owner = await ownerOf(tx, tokenHash)
  if (!owner) return undefined
  await lockUser(tx, owner.user_id)
  return tx
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id as session_id', 'sessions.user_id', 'sessions.expires_at'])
    .where('sessions.id', '=', owner.id)
    .where('sessions.revoked_at', 'is', null)
    .where('sessions.expires_at', '>', now)
    .where('users.is_blocked', '=', false)
    .forNoKeyUpdate('sessions')
    .executeTakeFirst()
}

export const findRefreshToken = (tx: Db, sessionId: string, tokenHash: Uint8Array) =>
  tx
    .selectFrom('refresh_tokens')
    .select('replaced_at')
    .where('token_hash', '=', tokenHash)
    .where('session_id', '=', sessionId)
    .executeTakeFirst()

export const markReplaced = async (tx: Db, tokenHash: Uint8Array, now: number): Promise<void> => {
  await tx
    .updateTable('refresh_tokens')
    .set({ replaced_at: now })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Returns when it ends now. */
export const prolongSession = async (tx: Db, sessionId: string, now: number): Promise<number> => {
  const expiresAt = now + refreshTtlSeconds
  await tx.updateTable('sessions').set({ expires_at: expiresAt }).where('id', '=', sessionId).execute()
  return expiresAt
}
