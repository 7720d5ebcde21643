import { sql } from 'kysely'
import { type Db, inTransaction } from '../db/client.ts'
import { forgetCodes } from './accounts/codes.ts'
import { forgetMailedCodes } from './accounts/mailed-codes.ts'
import { forgetSessions } from './accounts/refresh-tokens.ts'
import { forgetIdempotencyKeys } from './kernel/idempotency.ts'
import { forgetLetters } from './kernel/mail.ts'
import { forgetDelivered } from './kernel/notifications.ts'
import { forgetGuesses } from './kernel/security-counters.ts'
import { forgetPayees } from './settlement/deleted-accounts.ts'
import { forgetPayloads } from './settlement/inbox.ts'

const counterKeepSeconds = 30 * 86_400
const trialKeepSeconds = 3600
const lateComerSeconds = 3600
const proofKeepSeconds = 3600

const forgetCounters = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('traffic_counters')
    .where('seen_at', '<=', now - counterKeepSeconds)
    .execute()
}

const forgetTrials = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('trials')
    .where('created_at', '<=', now - trialKeepSeconds)
    .execute()
}

const forgetPasskeyChallenges = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
}

/** Some time after they would have been believed, because clocks differ. */
const forgetProofs = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('used_proofs')
    .where('expires_at', '<=', now - proofKeepSeconds)
    .execute()
}

/** Kept a while longer than they are good for, so that a late comer is sent back to the page that waits. */
const forgetOauthStates = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('oauth_states')
    .where('expires_at', '<=', now - lateComerSeconds)
    .execute()
}

/** A tombstone has done its work once the agent applied a later revision. */
const forgetTombstones = async (db: Db): Promise<void> => {
  await sql`
    delete from placements p using node_status st, configs c
    where st.node_id = p.node_id and c.id = p.config_id and not p.is_present
      and c.state = 'deleted' and p.revision <= st.applied_revision`.execute(db)
}

const steps: readonly ((db: Db, now: number) => Promise<void>)[] = [
  forgetIdempotencyKeys,
  forgetGuesses,
  forgetCodes,
  forgetMailedCodes,
  forgetLetters,
  forgetDelivered,
  forgetCounters,
  forgetPayloads,
  forgetTrials,
  forgetPasskeyChallenges,
  forgetSessions,
  forgetProofs,
  forgetOauthStates,
  forgetTombstones,
  forgetPayees,
]

/** Rows nobody will ask for again. In transactions, because these are repeated when two instances get in each other's way. */
export const tidy = async (db: Db, now: number): Promise<void> => {
  for (const step of steps) await inTransaction(db, (tx) => step(tx, now))
}
