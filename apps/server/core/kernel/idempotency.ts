import type { Db } from '../../db/client.ts'

export const idempotencyTtlSeconds = 24 * 3600

export interface StoredAnswer {
  readonly body_hash: Uint8Array
  /** Null while the answer waits for a payment link. */
  readonly status: number | null
  readonly response_sealed: Uint8Array | null
  readonly payment_id: number | null
}

/** Takes the key for this transaction, or returns the answer of the one that had it. */
export const claimIdempotencyKey = async (
  tx: Db,
  claim: { actor: string; key: string; operation: string; bodyHash: Uint8Array; now: number },
): Promise<StoredAnswer | undefined> => {
  const { actor, key, operation, bodyHash, now } = claim
  const fresh = {
    operation,
    body_hash: bodyHash,
    status: null,
    response_sealed: null,
    payment_id: null,
    created_at: now,
  }
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
    .select(['body_hash', 'status', 'response_sealed', 'payment_id'])
    .where('actor', '=', actor)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return stored
}

/** The answer will be the link of this payment. */
export const storeAwaitedPayment = async (
  tx: Db,
  claim: { actor: string; key: string; paymentId: number },
): Promise<void> => {
  await tx
    .updateTable('idempotency_keys')
    .set({ payment_id: claim.paymentId })
    .where('actor', '=', claim.actor)
    .where('key', '=', claim.key)
    .execute()
}

/** Nothing came of it, or of the payment that it waits for: the key is free again. */
export const releaseIdempotencyKey = async (
  db: Db,
  claim: { actor: string; key: string; paymentId?: number },
): Promise<void> => {
  await db
    .deleteFrom('idempotency_keys')
    .where('actor', '=', claim.actor)
    .where('key', '=', claim.key)
    .where('payment_id', 'is not distinct from', claim.paymentId ?? null)
    .execute()
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
