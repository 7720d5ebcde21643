import type { Db } from '../db/client.ts'

export const idempotencyTtlSeconds = 24 * 3600

export interface StoredAnswer {
  readonly body_hash: Uint8Array
  readonly status: number
  readonly response_sealed: Uint8Array
}

/** Takes the key for this transaction, or returns the answer of the one that had it. */
export const claimIdempotencyKey = async (
  tx: Db,
  claim: { actor: string; key: string; operation: string; bodyHash: Uint8Array; now: number },
): Promise<StoredAnswer | undefined> => {
  const { actor, key, operation, bodyHash, now } = claim
  const fresh = { operation, body_hash: bodyHash, status: null, response_sealed: null, created_at: now }
  const taken = await tx
    .insertInto('idempotency_keys')
    .values({ actor, key, ...fresh })
    // A key older than its life is as good as new.
    .onConflict((oc) =>
      oc
        .columns(['actor', 'key'])
        .doUpdateSet(fresh)
        .where('idempotency_keys.created_at', '<=', now - idempotencyTtlSeconds),
    )
    .returning('key')
    .executeTakeFirst()
  if (taken) return undefined
  const stored = await tx
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'status', 'response_sealed'])
    .where('actor', '=', actor)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return stored as StoredAnswer
}

export const storeIdempotentAnswer = async (
  tx: Db,
  answer: { actor: string; key: string; status: number; sealed: Uint8Array },
): Promise<void> => {
  await tx
    .updateTable('idempotency_keys')
    .set({ status: answer.status, response_sealed: answer.sealed })
    .where('actor', '=', answer.actor)
    .where('key', '=', answer.key)
    .execute()
}

export const forgetIdempotencyKeys = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<=', now - idempotencyTtlSeconds)
    .execute()
}
