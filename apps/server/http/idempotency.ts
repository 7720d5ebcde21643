import { hash } from 'node:crypto'
import { badRequest, conflict } from '@sallyport/contract/errors'
import { claimIdempotencyKey, storeIdempotentAnswer } from '../core/idempotency.ts'
import type { Vault } from '../core/vault.ts'
import { type Db, inTransaction } from '../db/client.ts'

export interface Answer {
  readonly status: number
  readonly body: string
  readonly isReplay?: boolean
}

const maxKeyLength = 255

/**
 * The claim, the effect and the stored answer are one transaction: a repeat, even a simultaneous one, waits
 * for the first and gets its answer. A request that failed had no effect, so its key stays free.
 */
export const answerOnce = (
  at: {
    readonly db: Db
    readonly vault: Vault
    readonly now: number
    readonly actor: string
    readonly key: string
    readonly operation: string
    /** Everything that makes the request what it is: path parameters and body. */
    readonly request: unknown
  },
  work: (tx: Db) => Promise<Answer>,
): Promise<Answer> => {
  const { db, vault, actor, key, operation } = at
  if (key.length === 0 || key.length > maxKeyLength) {
    throw badRequest('Idempotency-Key', `must have 1 to ${maxKeyLength} characters`)
  }
  const bodyHash = hash('sha256', JSON.stringify([operation, at.request ?? null]), 'buffer')
  const context = `idempotency:${actor}:${key}`
  return inTransaction(db, async (tx) => {
    const earlier = await claimIdempotencyKey(tx, { actor, key, operation, bodyHash, now: at.now })
    if (earlier) {
      if (!bodyHash.equals(earlier.body_hash)) {
        throw conflict('Idempotency-Key', 'was used with another request; take a new key')
      }
      return { status: earlier.status, body: vault.open(earlier.response_sealed, context), isReplay: true }
    }
    const answer = await work(tx)
    await storeIdempotentAnswer(tx, {
      actor,
      key,
      status: answer.status,
      sealed: vault.seal(answer.body, context),
    })
    return answer
  })
}
