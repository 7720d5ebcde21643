import { conflict } from '@sallyport/contract/errors'
import { type Db, inTransaction } from '../../db/client.ts'
import { isUniqueViolation } from '../../db/driver.ts'
import { randomBase62 } from '../kernel/tokens.ts'
import { sha256 } from '../kernel/vault.ts'

export const enrolmentTtlSeconds = 3600

export interface NewNode {
  readonly name: string
  readonly address: string
  readonly listenAddress: string
}

export const createNode = (
  db: Db,
  node: NewNode,
  now: number,
): Promise<{ id: number; enrolmentToken: string; expiresAt: number }> =>
  inTransaction(db, async (tx) => {
    const { id } = await tx
      .insertInto('nodes')
      .values({
        name: node.name,
        address: node.address,
        listen_address: node.listenAddress,
        public_key: null,
        enrolment_token_hash: null,
        enrolment_expires_at: null,
        enrolment_spent_by: null,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        if (isUniqueViolation(error)) throw conflict('name', 'is the name of another node')
        throw error
      })
    await tx
      .insertInto('node_status')
      .values({ node_id: id, last_seen_at: null, apply_error: null, agent_version: null })
      .execute()
    return { id, ...(await issueEnrolmentToken(tx, id, now)) }
  })

/** A demo's node sells what its engines cannot serve yet, so that the API can be tried anywhere. */
export const sellWithoutEngines = async (tx: Db, nodeId: number): Promise<void> => {
  await tx.updateTable('nodes').set({ sells_without_engine: true }).where('id', '=', nodeId).execute()
}

/** This token and no other makes somebody the node, once. */
export const setEnrolmentToken = async (
  db: Db,
  nodeId: number,
  token: string,
  expiresAt: number,
): Promise<void> => {
  await db
    .updateTable('nodes')
    .set({
      enrolment_token_hash: sha256(token),
      enrolment_expires_at: expiresAt,
      enrolment_spent_by: null,
    })
    .where('id', '=', nodeId)
    .execute()
}

/** A fresh one-time token for a node; the one before stops working. */
export const issueEnrolmentToken = async (db: Db, nodeId: number, now: number) => {
  const enrolmentToken = randomBase62(32)
  const expiresAt = now + enrolmentTtlSeconds
  await setEnrolmentToken(db, nodeId, enrolmentToken, expiresAt)
  return { enrolmentToken, expiresAt }
}
