import { sql } from 'kysely'
import type { Db } from '../db/client.ts'
import { forgetGuesses } from './guesses.ts'
import { forgetIdempotencyKeys } from './idempotency.ts'
import { forgetPayloads } from './inbox.ts'
import { forgetDelivered } from './notifications.ts'

const counterKeepSeconds = 30 * 86_400
const trialKeepSeconds = 3600

/** Rows nobody will ask for again. */
export const tidy = async (db: Db, now: number): Promise<void> => {
  await forgetIdempotencyKeys(db, now)
  await forgetGuesses(db, now)
  await forgetDelivered(db, now)
  await db
    .deleteFrom('traffic_counters')
    .where('seen_at', '<=', now - counterKeepSeconds)
    .execute()
  await forgetPayloads(db, now)
  await db
    .deleteFrom('trials')
    .where('created_at', '<=', now - trialKeepSeconds)
    .execute()
  // A tombstone has done its work once the agent applied a later revision.
  await sql`
    delete from placements p using node_status st, configs c
    where st.node_id = p.node_id and c.id = p.config_id and not p.is_present
      and c.state = 'deleted' and p.revision <= st.applied_revision`.execute(db)
}
