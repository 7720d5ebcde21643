import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/**
 * After a restore nobody knows what was renewed in the time that was lost. For these days nothing is destroyed for good, so
 * that customers can say so and operators can look.
 */
const holdSeconds = 7 * 86_400

const key = 'restored'

interface Restored {
  /** Until when nothing is destroyed. */
  readonly hold_until: number
}

export const noteRestored = async (tx: Db, now: number): Promise<number> => {
  const value: Restored = { hold_until: now + holdSeconds }
  const changed = { value: JSON.stringify(value), updated_at: now }
  await tx
    .insertInto('settings')
    .values({ key, ...changed })
    .onConflict((oc) => oc.column('key').doUpdateSet(changed))
    .execute()
  return value.hold_until
}

/** Whether it was restored a short while ago. */
export const isHeldAfterRestore = async (db: Db, now: number): Promise<boolean> => {
  const { rows } = await sql<{ value: Restored }>`select value from settings where key = ${key}`.execute(db)
  return now < (rows[0]?.value.hold_until ?? 0)
}
