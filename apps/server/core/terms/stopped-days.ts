import { secondsInDay } from '@sallyport/domain/time/period'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { forgetReminders } from './reminders.ts'
import type { Term } from './terms.ts'

/**
 * Days that do not run. Of a term that is stopped, what is left is its end less `stopped_at`, and both move on together: so the end
 * that everybody reads is right to a minute, and no moment counts twice, whoever moves them and however often.
 */

/** What is stopped is moved on when it is this far behind, or this near its end. */
const behindSeconds = 60
const movedAtOnce = 500

const moved = (to: RawBuilder<unknown>) => sql`expires_at = t.expires_at + (${to} - t.stopped_at),
  stopped_seconds = t.stopped_seconds + (${to} - t.stopped_at)`

/** From a moment that has passed. The caller locks it. False when it is stopped already, or had ended before. */
export const stopDays = async (tx: Db, termId: number, since: number): Promise<boolean> => {
  const { rows } = await sql`
    update terms t set stopped_at = ${since}::bigint 
    where t.id = ${termId}::bigint and t.stopped_at is null and t.expires_at > ${since}::bigint returning t.id`.execute(
    tx,
  )
  return rows.length > 0
}

/** The caller locks it. What was lost for long is reminded of anew. */
export const runDays = async (
  tx: Db,
  term: Term,
  stop: { readonly began: number; readonly ended: number },
): Promise<void> => {
  await sql`
    update terms t set ${moved(sql`${stop.ended}::bigint`)}, stopped_at = null
    where t.id = ${term.id}::bigint and t.stopped_at is not null`.execute(tx)
  if (stop.ended - stop.began >= secondsInDay) await forgetReminders(tx, term)
}

/** Moves the ends of everything that is stopped on; what somebody else has locked is found by the next round. */
export const moveEnds = async (db: Db, now: number): Promise<void> => {
  for (;;) {
    const { rows } = await sql`
      update terms t set ${moved(sql`${now}::bigint`)}, stopped_at = ${now}::bigint
      where t.id in (select d.id from terms d
        where d.stopped_at is not null and d.state = 'active' and d.stopped_at < ${now}::bigint
          and (d.stopped_at <= ${now - behindSeconds}::bigint or d.expires_at <= ${now + behindSeconds}::bigint)
        order by d.id limit ${movedAtOnce} for update skip locked)
      returning t.id`.execute(db)
    if (rows.length < movedAtOnce) return
  }
}

/** How much longer it lasts because its days did not run. */
export const findStoppedSeconds = async (tx: Db, termId: number): Promise<number> => {
  const row = await tx
    .selectFrom('terms')
    .select('stopped_seconds')
    .where('id', '=', termId)
    .executeTakeFirstOrThrow()
  return row.stopped_seconds
}
