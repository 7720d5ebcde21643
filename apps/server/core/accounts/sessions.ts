import { type Db, inTransaction } from '../../db/client.ts'
import type { Bus } from '../kernel/bus.ts'
import { recordEvent } from './account-events.ts'
import { isSessionId } from './session-tokens.ts'
import { lockUser, refreshTtlSeconds } from './users.ts'

/** Sessions, and ends of them; whoever has a refresh token of one, or its cookie, cannot go on. */

const liveSessions = (tx: Db, userId: number, now: number) =>
  tx
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)

/** What a session made to come back by, or to carry everything away. */
const forgetCodesOf = (tx: Db, userId: number) =>
  tx.deleteFrom('sign_in_codes').where('user_id', '=', userId).execute()

/** With the account's codes: which session made one is not kept. False when there is none of the account that goes on. */
export const endSession = async (
  tx: Db,
  userId: number,
  sessionId: string,
  now: number,
): Promise<boolean> => {
  if (!isSessionId(sessionId)) return false
  await lockUser(tx, userId)
  const { numUpdatedRows } = await liveSessions(tx, userId, now)
    .where('id', '=', sessionId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await forgetCodesOf(tx, userId)
  return true
}

/** The session that a browser had before it signed in anew. The topic tells every instance when it is committed. */
export const endSessionOfCookie = async (tx: Db, bus: Bus, cookieHash: Uint8Array, now: number) => {
  const ended = await tx
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('cookie_hash', '=', cookieHash)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (ended) await bus.publish(tx, `auth:s:${ended.id}`)
}

const prolongAfterSeconds = 86_400

/** Whether a session that is used lasts longer again; written at most once a day. */
export const isToProlong = (expiresAt: number, now: number): boolean =>
  expiresAt <= now + refreshTtlSeconds - prolongAfterSeconds

/** False when somebody else has just done it, or it has ended. */
export const prolongUsedSession = async (
  { db, bus }: { readonly db: Db; readonly bus: Bus },
  id: string,
  now: number,
): Promise<boolean> => {
  const topic = `auth:s:${id}`
  const isProlonged = await inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('sessions')
      .set({ expires_at: now + refreshTtlSeconds })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .where('expires_at', '<=', now + refreshTtlSeconds - prolongAfterSeconds)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await bus.publish(tx, topic)
    return numUpdatedRows > 0n
  })
  if (isProlonged) bus.deliver(topic)
  return isProlonged
}

/** Whatever uses a session puts its end off, so that says when it was last used. */
export const lastUseOf = (expiresAt: number): number => expiresAt - refreshTtlSeconds

/** The current one, then those that were used last. */
export const listSessions = (
  db: Db,
  of: {
    readonly userId: number
    readonly currentId: string
    readonly limit: number
    readonly now: number
  },
) =>
  db
    .selectFrom('sessions')
    .select(['id', 'client', 'sign_in_method', 'created_at', 'expires_at'])
    .where('user_id', '=', of.userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', of.now)
    .orderBy((eb) => eb('id', '=', of.currentId), 'desc')
    .orderBy('expires_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(of.limit)
    .execute()

/** With the account's codes. Returns how many there were. */
export const endSessions = async (tx: Db, userId: number, now: number): Promise<number> => {
  await lockUser(tx, userId)
  await forgetCodesOf(tx, userId)
  const { numUpdatedRows } = await liveSessions(tx, userId, now).executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Every session at once. The caller tells its own instance when it is committed. Returns how many there were. */
export const signOutEverywhere = async (
  tx: Db,
  bus: Bus,
  of: { readonly userId: number; readonly now: number; readonly byOperator?: boolean },
): Promise<number> => {
  const { userId, now, byOperator = false } = of
  const count = await endSessions(tx, userId, now)
  await tx.updateTable('users').set({ signed_out_at: now }).where('id', '=', userId).execute()
  const details = { ended_count: count, ...(byOperator && { by: 'operator' }) }
  await recordEvent(tx, { userId, kind: 'signed_out_everywhere', details, now })
  await bus.publish(tx, `auth:u:${userId}`)
  return count
}
