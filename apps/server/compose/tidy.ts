import { forgetMailedCodes } from '../core/accounts/mailed-codes.ts'
import { forgetCodes } from '../core/accounts/one-time-codes.ts'
import { forgetSessions } from '../core/accounts/refresh-tokens.ts'
import { forgetOauthStates, forgetPasskeyChallenges, forgetProofs } from '../core/accounts/spent-proofs.ts'
import { forgetOneTimeLinks } from '../core/delivery/one-time-links.ts'
import { forgetCounters, forgetLoad, forgetTombstones } from '../core/fleet/tombstones.ts'
import { forgetTrials } from '../core/fleet/trials.ts'
import { forgetIdempotencyKeys } from '../core/kernel/idempotency.ts'
import { allowLongStatements, type Job } from '../core/kernel/jobs.ts'
import { forgetLetters } from '../core/kernel/mail.ts'
import { forgetDelivered } from '../core/kernel/notifications.ts'
import { forgetGuesses } from '../core/kernel/security-counters.ts'
import { forgetOperatorSignIns } from '../core/operators/sessions.ts'
import { forgetPayees } from '../core/settlement/deleted-accounts.ts'
import { forgetPayloads } from '../core/settlement/inbox.ts'
import { forgetUncarried } from '../core/vpn/failover/record-failures.ts'
import { forgetEvents } from '../core/webhooks/lines.ts'
import { type Db, inTransaction } from '../db/client.ts'

const steps: readonly ((db: Db, now: number) => Promise<void>)[] = [
  forgetIdempotencyKeys,
  forgetGuesses,
  forgetCodes,
  forgetMailedCodes,
  forgetOneTimeLinks,
  forgetLetters,
  forgetDelivered,
  forgetCounters,
  forgetPayloads,
  forgetTrials,
  forgetPasskeyChallenges,
  forgetSessions,
  forgetProofs,
  forgetOauthStates,
  forgetOperatorSignIns,
  forgetTombstones,
  forgetUncarried,
  forgetLoad,
  forgetPayees,
  forgetEvents,
]

/**
 * Rows nobody will ask for again. In transactions, because these are repeated when two instances get in each other's way.
 * They look through whole tables, and may take longer than what somebody waits for. One that fails keeps no other from its
 * work.
 */
export const tidy = async (db: Db, now: number): Promise<void> => {
  const failures: unknown[] = []
  for (const step of steps) {
    await inTransaction(db, async (tx) => {
      await allowLongStatements(tx)
      await step(tx, now)
    }).catch((error) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some rows could not be tidied away')
}

export const tidyJob: Job<{ readonly db: Db }> = {
  name: 'tidy',
  everySeconds: 600,
  run: ({ db }, now) => tidy(db, now),
}
