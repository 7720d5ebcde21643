import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** A tombstone has done its work once the agent applied a later revision. */
export const forgetTombstones = async (db: Db): Promise<void> => {
  await sql`
    delete from placements p using node_status st
    where st.node_id = p.node_id and not p.is_present and p.revision <= st.applied_revision
      and not exists (select from accesses a where a.id = p.access_id)`.execute(db)
}

const counterKeepSeconds = 30 * 86_400

export const forgetCounters = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('traffic_counters')
    .where('seen_at', '<=', now - counterKeepSeconds)
    .execute()
}
