import { ApiError } from '@sallyport/contract/errors'
import type { Challenges } from '../../../core/kernel/webauthn.ts'
import type { Db } from '../../../db/client.ts'
import { DatabaseError } from '../../../db/driver.ts'

interface Challenge {
  readonly hash: Uint8Array
  /** Null for a sign-in. */
  readonly sessionId: string | null
}

const foreignKeyViolation = '23503'

/** A session that was let in may be gone by now. */
const refuseEndedSession = (error: unknown): never => {
  if (error instanceof DatabaseError && error.code === foreignKeyViolation) throw new ApiError('UNAUTHORIZED')
  throw error
}

const insertChallenge = async (
  db: Db,
  { hash, sessionId, expiresAt }: Challenge & { readonly expiresAt: number },
): Promise<void> => {
  await db
    .insertInto('passkey_challenges')
    .values({ challenge_hash: hash, session_id: sessionId, expires_at: expiresAt })
    .execute()
    .catch(refuseEndedSession)
}

/** False when there is no such challenge of this session, or of sign-ins; it is gone afterwards. */
const takeChallenge = async (
  db: Db,
  { hash, sessionId, now }: Challenge & { readonly now: number },
): Promise<boolean> => {
  // In a transaction that fails the challenge would come back.
  if (db.isTransaction) throw new Error('A challenge is taken for good, whatever becomes of it')
  const taken = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hash)
    .where('session_id', 'is not distinct from', sessionId)
    .returning('expires_at')
    .executeTakeFirst()
  return taken !== undefined && taken.expires_at > now
}

export const challengesOf = (at: {
  readonly db: Db
  readonly sessionId: string | null
  readonly now: number
}): Challenges => ({
  insert: (hash, expiresAt) => insertChallenge(at.db, { hash, sessionId: at.sessionId, expiresAt }),
  take: (hash) => takeChallenge(at.db, { hash, sessionId: at.sessionId, now: at.now }),
})

export const accountOf = (db: Db, userId: number) =>
  db.selectFrom('users').select(['uuid', 'email']).where('id', '=', userId).executeTakeFirstOrThrow()

export const listPasskeys = (db: Db, userId: number) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'title', 'created_at', 'last_used_at', 'credential_id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()

export interface NewPasskey {
  readonly userId: number
  readonly credentialId: Uint8Array
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly transports: string[]
  readonly title: string
  readonly now: number
}

export const insertPasskey = (tx: Db, passkey: NewPasskey) =>
  tx
    .insertInto('passkeys')
    .values({
      user_id: passkey.userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      title: passkey.title,
      created_at: passkey.now,
      last_used_at: null,
    })
    .returning(['id', 'title', 'created_at', 'last_used_at'])
    .executeTakeFirstOrThrow()

export const deletePasskey = async (tx: Db, userId: number, id: number): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const findPasskey = (db: Db, credentialId: Uint8Array) =>
  db
    .selectFrom('passkeys as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'p.user_id', 'p.public_key', 'u.uuid'])
    .where('p.credential_id', '=', credentialId)
    .executeTakeFirst()

export const counterOf = async (tx: Db, id: number): Promise<number | undefined> => {
  const row = await tx.selectFrom('passkeys').select('counter').where('id', '=', id).executeTakeFirst()
  return row?.counter
}

export const recordUse = async (tx: Db, id: number, counter: number, now: number): Promise<void> => {
  await tx.updateTable('passkeys').set({ counter, last_used_at: now }).where('id', '=', id).execute()
}
