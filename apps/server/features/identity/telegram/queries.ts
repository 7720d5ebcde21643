import type { Db } from '../../../db/client.ts'

/** False when the same data was used before. */
export const spendProof = async (tx: Db, proofHash: Uint8Array, expiresAt: number): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('used_proofs')
    .values({ proof_hash: proofHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('proof_hash').doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}
