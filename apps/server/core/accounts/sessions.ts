import type { Db } from '../../db/client.ts'
import type { Bus } from '../kernel/bus.ts'
import { recordEvent } from './account-events.ts'
import { lockUser } from './users.ts'

/** Ends of sessions; whoever has a refresh token of one cannot go on. */

const liveSessions = (tx: Db, userId: number, now: number) =>
  tx
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)

export const endSession = async (tx: Db, userId: number, sessionId: string, now: number): Promise<void> => {
  await liveSessions(tx, userId, now).where('id', '=', sessionId).execute()
}

/** With the codes that a session made to come back by, or to carry everything away. Returns how many there were. */
export const endSessions = async (tx: Db, userId: number, now: number): Promise<number> => {
  await lockUser(tx, userId)
  await tx.deleteFrom('sign_in_codes').where('user_id', '=', userId).execute()
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
  const details = { ended_count: count, ...(byOperator && { by: 'operator' }) }
  await recordEvent(tx, { userId, kind: 'signed_out_everywhere', details, now })
  await bus.publish(tx, `auth:u:${userId}`)
  return count
}
