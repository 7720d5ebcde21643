import type { Challenges } from '../../../core/kernel/webauthn.ts'
import type { Db } from '../../../db/client.ts'

/** Passkeys of operators, and challenges that were given for them. */

/** Of one session, or of those who sign in: they have none yet. */
export const challengesOf = (
  db: Db,
  { sessionId, now }: { readonly sessionId: string | null; readonly now: number },
): Challenges => ({
  insert: async (hash, expiresAt) => {
    const row = { challenge_hash: hash, session_id: sessionId, expires_at: expiresAt }
    await db.insertInto('operator_challenges').values(row).execute()
  },
  take: async (hash) => {
    // In a transaction that fails the challenge would come back.
    if (db.isTransaction) throw new Error('A challenge is taken for good, whatever becomes of it')
    const taken = await db
      .deleteFrom('operator_challenges')
      .where('challenge_hash', '=', hash)
      .where('session_id', 'is not distinct from', sessionId)
      .returning('expires_at')
      .executeTakeFirst()
    return taken !== undefined && taken.expires_at > now
  },
})

export const listPasskeys = (db: Db, operatorId: number) =>
  db
    .selectFrom('operator_passkeys')
    .select(['id', 'title', 'created_at', 'last_used_at', 'credential_id', 'transports'])
    .where('operator_id', '=', operatorId)
    .orderBy('id')
    .execute()

export const hasPasskey = async (db: Db, operatorId: number): Promise<boolean> => {
  const found = await db
    .selectFrom('operator_passkeys')
    .select('id')
    .where('operator_id', '=', operatorId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** How an authenticator knows and shows the operator. */
export const accountOf = (db: Db, operatorId: number) =>
  db
    .selectFrom('operators')
    .select(['handle as uuid', 'name'])
    .where('id', '=', operatorId)
    .executeTakeFirstOrThrow()

export interface NewPasskey {
  readonly operatorId: number
  readonly credentialId: Uint8Array
  readonly publicKey: Uint8Array
  readonly counter: number
  readonly transports: string[]
  readonly title: string
  readonly now: number
}

export const insertPasskey = (tx: Db, passkey: NewPasskey) =>
  tx
    .insertInto('operator_passkeys')
    .values({
      operator_id: passkey.operatorId,
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

export const deletePasskey = async (tx: Db, id: number): Promise<void> => {
  await tx.deleteFrom('operator_passkeys').where('id', '=', id).execute()
}

export const findPasskey = (db: Db, credentialId: Uint8Array) =>
  db
    .selectFrom('operator_passkeys as p')
    .innerJoin('operators as o', 'o.id', 'p.operator_id')
    .select(['p.id', 'p.operator_id', 'p.public_key', 'o.handle'])
    .where('p.credential_id', '=', credentialId)
    .executeTakeFirst()

export const counterOf = async (tx: Db, id: number): Promise<number | undefined> => {
  const row = await tx
    .selectFrom('operator_passkeys')
    .select('counter')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.counter
}

export const recordUse = async (tx: Db, id: number, counter: number, now: number): Promise<void> => {
  await tx.updateTable('operator_passkeys').set({ counter, last_used_at: now }).where('id', '=', id).execute()
}
