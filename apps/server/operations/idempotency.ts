import { createHmac } from 'node:crypto'
import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import { canonicalJson } from '@sallyport/domain/text/canonical-json'
import {
  claimIdempotencyKey,
  releaseIdempotencyKey,
  storeAwaitedPayment,
  storeIdempotentAnswer,
} from '../core/kernel/idempotency.ts'
import type { Vault } from '../core/kernel/vault.ts'
import { AwaitingLink } from '../core/sales/awaiting-link.ts'
import { type Db, inTransaction } from '../db/client.ts'
import { DatabaseError } from '../db/driver.ts'
import { type Answer, envelopeOf, openEnvelope } from './answer.ts'

/** A request with a key, which has an effect once. */
export interface KeyedRequest {
  readonly db: Db
  readonly vault: Vault
  readonly now: number
  readonly actor: string
  readonly key: string
  readonly operation: string
  /** Everything that makes the request what it is: path parameters and body. */
  readonly request: unknown
}

const maxKeyLength = 255

const contextOf = ({ actor, key }: KeyedRequest): string => `idempotency:${actor}:${key}`

const keepAnswer = (db: Db, at: KeyedRequest, answer: Answer): Promise<void> =>
  storeIdempotentAnswer(db, {
    actor: at.actor,
    key: at.key,
    status: answer.status,
    // Kept as HTTP answers it.
    sealed: at.vault.seal(envelopeOf(answer), contextOf(at)),
  })

const lockNotAvailable = '55P03'
const stillRunning = 'the first request with this key is still worked on; repeat it with the same key'

/** Waits for the first, but not for ever: told apart from a conflict, a client knows that it has only to ask again. */
const refuseWhileRunning = (error: unknown): never => {
  if (!(error instanceof DatabaseError) || error.code !== lockNotAvailable) throw error
  throw new ApiError('UNAVAILABLE', [{ path: 'Idempotency-Key', problem: stillRunning }], 1)
}

/**
 * The claim, the effect and the stored answer are one transaction: a repeat, even a simultaneous one, waits
 * for the first and gets its answer. A request that failed had no effect, so its key stays free.
 */
const claimAndWork = async (
  at: KeyedRequest,
  work: (tx: Db) => Promise<Answer | AwaitingLink>,
): Promise<Answer | AwaitingLink> => {
  const { db, vault, actor, key, operation } = at
  // Keyed, because a body may hold a card number, and those are few enough to be tried one by one.
  const bodyHash = createHmac('sha256', vault.subkey('idempotency'))
    .update(canonicalJson([operation, at.request ?? null]))
    .digest()
  return inTransaction(db, async (tx) => {
    const claim = { actor, key, operation, bodyHash, now: at.now }
    const earlier = await claimIdempotencyKey(tx, claim).catch(refuseWhileRunning)
    if (earlier) {
      if (!bodyHash.equals(earlier.body_hash)) {
        throw conflict('Idempotency-Key', 'was used with another request; take a new key')
      }
      const { status, response_sealed: sealed, payment_id: paymentId } = earlier
      if (status !== null && sealed !== null) {
        return { ...openEnvelope(status, vault.open(sealed, contextOf(at))), isReplay: true }
      }
      return new AwaitingLink(paymentId as number)
    }
    const answer = await work(tx)
    if (answer instanceof AwaitingLink) await storeAwaitedPayment(tx, { actor, key, ...answer })
    else if (answer.isPreview) await releaseIdempotencyKey(tx, { actor, key })
    else await keepAnswer(tx, at, answer)
    return answer
  })
}

/**
 * A payment link comes from outside after the transaction. The claim names the payment, so a repeat goes on with the
 * same one however the first attempt ended.
 */
export const answerOnce = async (
  at: KeyedRequest,
  work: (tx: Db) => Promise<Answer | AwaitingLink>,
  answerWithLink: (awaiting: AwaitingLink) => Promise<Answer>,
): Promise<Answer> => {
  const { db, actor, key } = at
  if (key.length === 0 || key.length > maxKeyLength) {
    throw badRequest('Idempotency-Key', `must have 1 to ${maxKeyLength} characters`)
  }
  const claimed = await claimAndWork(at, work)
  if (!(claimed instanceof AwaitingLink)) return claimed
  try {
    const answer = await answerWithLink(claimed)
    await keepAnswer(db, at, answer)
    return answer
  } catch (error) {
    if (error instanceof ApiError && error.code === 'PAYMENT_METHOD_UNAVAILABLE') {
      await releaseIdempotencyKey(db, { actor, key, ...claimed })
    }
    throw error
  }
}
