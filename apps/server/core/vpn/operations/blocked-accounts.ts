import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../db/client.ts'
import type { Bus } from '../../kernel/bus.ts'
import type { Job } from '../../kernel/jobs.ts'
import { lockTermsOf } from '../../terms/terms.ts'
import { pauseAccesses, resumeAccesses } from './server-slots.ts'

/** An account that is closed has nothing on any node, and opened again it has there what it would have had. */

const lockUser = (tx: Db, id: number) =>
  tx.selectFrom('users').select('is_blocked').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

const markBlocked = async (tx: Db, id: number, isBlocked: boolean): Promise<boolean | undefined> => {
  const user = await lockUser(tx, id)
  if (user && user.is_blocked !== isBlocked) {
    await tx.updateTable('users').set({ is_blocked: isBlocked }).where('id', '=', id).execute()
  }
  return user?.is_blocked
}

/** The caller locks the account. */
const switchLive = async (tx: Db, bus: Bus, userId: number, isBlocked: boolean): Promise<void> => {
  const terms = await lockTermsOf(tx, [userId])
  const live = terms.filter((term) => term.state === 'active' && term.paused === null)
  const ids = live.map((term) => term.id)
  if (ids.length > 0) await (isBlocked ? pauseAccesses(tx, bus, ids) : resumeAccesses(tx, bus, ids))
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
  await switchLive(tx, bus, userId, isBlocked)
  return wasBlocked
}

const pageSize = 1000

/** Closed accounts by number, with whether a node has something of theirs. */
export const listClosed = async (db: Db, after: number): Promise<{ id: number; is_placed: boolean }[]> => {
  const { rows } = await sql<{ id: number; is_placed: boolean }>`
    select u.id, p.node_id is not null as is_placed
    from users u left join lateral (
      select p.node_id from terms t join accesses a on a.term_id = t.id join placements p on p.access_id = a.id
      where t.user_id = u.id and t.state = 'active' and t.paused is null and p.is_present limit 1) p on true
    where u.is_blocked and u.id > ${after}::bigint order by u.id limit ${pageSize}`.execute(db)
  return rows
}

/** An instance of a release before 0029 that still runs closes accounts and leaves what they have on nodes. */
export const takeClosedOff = async ({ db, bus }: { db: Db; bus: Bus }): Promise<void> => {
  for (let after = 0; ; ) {
    const page = await listClosed(db, after)
    for (const { id } of page.filter((user) => user.is_placed)) {
      await inTransaction(db, async (tx) => {
        if ((await lockUser(tx, id))?.is_blocked) await switchLive(tx, bus, id, true)
      })
    }
    if (page.length < pageSize) return
    after = page.at(-1)?.id as number
  }
}

export const takeClosedOffJob: Job<{ readonly db: Db; readonly bus: Bus }> = {
  name: 'take closed accounts off nodes',
  everySeconds: 60,
  run: takeClosedOff,
}
