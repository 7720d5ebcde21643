import { forgetCodes } from '../core/accounts/codes.ts'
import { forgetMailedCodes } from '../core/accounts/mailed-codes.ts'
import { forgetSessions } from '../core/accounts/refresh-tokens.ts'
import { forgetOauthStates, forgetPasskeyChallenges, forgetProofs } from '../core/accounts/spent-proofs.ts'
import { forgetCounters, forgetTombstones } from '../core/fleet/tombstones.ts'
import { forgetTrials } from '../core/fleet/trials.ts'
import { forgetIdempotencyKeys } from '../core/kernel/idempotency.ts'
import type { Job } from '../core/kernel/jobs.ts'
import { forgetLetters } from '../core/kernel/mail.ts'
import { forgetDelivered } from '../core/kernel/notifications.ts'
import { forgetGuesses } from '../core/kernel/security-counters.ts'
import { forgetPayees } from '../core/settlement/deleted-accounts.ts'
import { forgetPayloads } from '../core/settlement/inbox.ts'
import { type Db, inTransaction } from '../db/client.ts'

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

export const tidyJob: Job<{ readonly db: Db }> = {
  name: 'tidy',
  everySeconds: 600,
  run: ({ db }, now) => tidy(db, now),
}
