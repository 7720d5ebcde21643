import type { Db } from '../../db/client.ts'

/** What proved once who somebody is, and proves nothing more. */

const lateComerSeconds = 3600
const proofKeepSeconds = 3600

export const forgetPasskeyChallenges = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute()
}

/** Some time after they would have been believed, because clocks differ. */
export const forgetProofs = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('used_proofs')
    .where('expires_at', '<=', now - proofKeepSeconds)
    .execute()
}

/** Kept a while longer than they are good for, so that a late comer is sent back to the page that waits. */
export const forgetOauthStates = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('oauth_states')
    .where('expires_at', '<=', now - lateComerSeconds)
    .execute()
}
