import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** Who looks at the fleet next: one of the instances, for all of them. */

/** A little less than the round of each instance, so that its own next round finds it due. */
export const apartSeconds = 55
/** What takes long comes less often: a twentieth of the time is spent on it. */
const restFor = 19
/** Each quarter of an hour has its look, however long that takes. */
const mostRestSeconds = 600
/** Due later than anybody sets it: the clock has been put back. */
const strangeSeconds = 3600

/** Whether it is due and nobody else is at the figures. Whoever dies at it has left it to the next round. */
export const takeTurn = async (db: Db, now: number): Promise<boolean> => {
  const { rows } = await sql`
    update figures_state set looks_due_at = ${now + apartSeconds}::bigint where is_only = (
      select is_only from figures_state
      where looks_due_at is null or looks_due_at <= ${now}::bigint or looks_due_at > ${now + strangeSeconds}::bigint
      for update skip locked)
    returning true`.execute(db)
  return rows.length > 0
}

/** Of very many customers counting takes seconds, which customers could have had. */
export const restAfter = async (db: Db, now: number, tookSeconds: number): Promise<void> => {
  const rest = Math.min(Math.round(tookSeconds * restFor), mostRestSeconds)
  if (rest > apartSeconds)
    await db
      .updateTable('figures_state')
      .set({ looks_due_at: now + rest })
      .execute()
}
