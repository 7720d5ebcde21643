import type { Db } from '../../../db/client.ts'
import type { Bus } from '../../kernel/bus.ts'
import { lockTermsOf } from '../../terms/terms.ts'
import { pauseAccesses, resumeAccesses } from './server-slots.ts'

/** An account that is closed has nothing on any node, and opened again it has there what it would have had. */

const markBlocked = async (tx: Db, id: number, isBlocked: boolean): Promise<boolean | undefined> => {
  const user = await tx
    .selectFrom('users')
    .select('is_blocked')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (user && user.is_blocked !== isBlocked) {
    await tx.updateTable('users').set({ is_blocked: isBlocked }).where('id', '=', id).execute()
  }
  return user?.is_blocked
}

/**
 * Returns how it was; undefined when there is no such customer. The account comes first and all its terms after: whoever buys holds the
 * account, and whoever places anything holds its term, so each comes wholly before this or finds the account closed.
 */
export const setBlocked = async (
  tx: Db,
  bus: Bus,
  userId: number,
  isBlocked: boolean,
): Promise<boolean | undefined> => {
  const wasBlocked = await markBlocked(tx, userId, isBlocked)
  if (wasBlocked === undefined || (!isBlocked && !wasBlocked)) return wasBlocked
  const terms = await lockTermsOf(tx, userId)
  const live = terms.filter((term) => term.state === 'active' && term.paused === null)
  const ids = live.map((term) => term.id)
  if (ids.length > 0) await (isBlocked ? pauseAccesses(tx, bus, ids) : resumeAccesses(tx, bus, ids))
  return wasBlocked
}
