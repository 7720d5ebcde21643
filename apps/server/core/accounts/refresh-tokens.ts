import { createHmac } from 'node:crypto'
import type { Db } from '../../db/client.ts'
import { randomBase62 } from '../kernel/tokens.ts'
import { sha256, type Vault } from '../kernel/vault.ts'
import { refreshTtlSeconds } from './users.ts'

/** Opaque tokens that renew a session, each once; only their hashes are kept. */

const prefix = 'slr_'
const secretLength = 43
/** With room for clocks that differ. */
const keepSeconds = 86_400

export const isRefreshToken = (text: string): boolean => /^slr_[0-9A-Za-z_-]{43}$/.test(text)

const newRefreshToken = (): string => prefix + randomBase62(secretLength)

/** The same for every repeat, so that an answer that was lost can be given again without being kept. */
export const successorOf = (vault: Vault, token: string): string =>
  prefix + createHmac('sha256', vault.subkey('refresh-tokens')).update(token).digest('base64url')

export const storeRefreshToken = async (
  tx: Db,
  token: string,
  sessionId: string,
  now: number,
): Promise<void> => {
  await tx
    .insertInto('refresh_tokens')
    .values({ token_hash: sha256(token), session_id: sessionId, created_at: now, replaced_at: null })
    .execute()
}

/** The first of a session's family. */
export const giveRefreshToken = async (tx: Db, sessionId: string, now: number): Promise<string> => {
  const token = newRefreshToken()
  await storeRefreshToken(tx, token, sessionId, now)
  return token
}

/**
 * Sessions that ended and, with them, their tokens. Until then also a revoked session is kept; and of one that goes on,
 * the tokens that would themselves have ended by now.
 */
export const forgetSessions = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('sessions')
    .where('expires_at', '<=', now - keepSeconds)
    .execute()
  await db
    .deleteFrom('refresh_tokens')
    .where('replaced_at', '<=', now - refreshTtlSeconds)
    .execute()
}
