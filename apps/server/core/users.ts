import { randomUUID } from 'node:crypto'
import { badRequest, conflict } from '@sallyport/contract/errors'
import { type Db, inTransaction } from '../db/client.ts'
import { isUniqueViolation } from '../db/driver.ts'
import { openCustomerAccounts, transfer } from './ledger.ts'
import { newReferralCode, newSubscriptionKey, newToken } from './tokens.ts'
import { sha256, type Vault } from './vault.ts'

export const subscriptionKeyContext = 'users.subscription_key'
export const refreshTtlSeconds = 30 * 24 * 3600

export interface NewUser {
  readonly email: string | null
  readonly signInMethod: string
  /** Code of the customer who brought this one. */
  readonly referralCode: string | undefined
}

export interface CreatedUser {
  readonly id: number
  readonly email: string | null
  readonly subscriptionKey: string
  readonly referralCode: string
}

const takeReferrer = async (tx: Db, code: string): Promise<number> => {
  const referrer = await tx
    .updateTable('users')
    .set((eb) => ({ referrals_count: eb('referrals_count', '+', 1) }))
    .where('referral_code', '=', code)
    .returning('id')
    .executeTakeFirst()
  if (!referrer) throw badRequest('referral_code', 'is not the code of any customer')
  return referrer.id
}

/** The account with its ledger accounts and subscription key. */
export const createUser = (db: Db, vault: Vault, now: number, user: NewUser): Promise<CreatedUser> =>
  inTransaction(db, async (tx) => {
    const subscriptionKey = newSubscriptionKey()
    const referralCode = newReferralCode()
    const referrerId = user.referralCode === undefined ? null : await takeReferrer(tx, user.referralCode)
    const row = await tx
      .insertInto('users')
      .values({
        email: user.email?.toLowerCase() ?? null,
        subscription_key_sealed: vault.seal(subscriptionKey, subscriptionKeyContext),
        subscription_key_hash: sha256(subscriptionKey),
        sign_in_method: user.signInMethod,
        referral_code: referralCode,
        referrer_id: referrerId,
        created_at: now,
      })
      .returning(['id', 'email'])
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        if (isUniqueViolation(error, 'users_email')) throw conflict('email', 'belongs to another customer')
        throw error
      })
    await openCustomerAccounts(tx, row.id)
    return { id: row.id, email: row.email, subscriptionKey, referralCode }
  })

/** Money the operator gives or takes by hand; the cause makes a repeat harmless. */
export const grantByOperator = async (
  tx: Db,
  grant: { userId: number; kind: 'wallet' | 'referral'; amount: number; cause: string; now: number },
): Promise<void> => {
  if (grant.amount === 0) return
  await transfer(tx, {
    cause: grant.cause,
    kind: 'operator_grant',
    from: { kind: 'operator' },
    to: { userId: grant.userId, kind: grant.kind },
    amount: grant.amount,
    now: grant.now,
  })
}

export interface IssuedApiKey {
  readonly id: number
  readonly apiKey: string
  readonly prefix: string
}

export const insertApiKey = async (
  tx: Db,
  key: { userId: number; title: string | null; now: number },
): Promise<IssuedApiKey> => {
  const { token, prefix, secretHash } = newToken('slp')
  const row = await tx
    .insertInto('api_keys')
    .values({
      user_id: key.userId,
      title: key.title,
      prefix,
      secret_hash: secretHash,
      created_at: key.now,
      last_used_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: row.id, apiKey: token, prefix }
}

export const insertSession = async (db: Db, userId: number, now: number): Promise<string> => {
  const id = randomUUID()
  await db
    .insertInto('sessions')
    .values({ id, user_id: userId, created_at: now, expires_at: now + refreshTtlSeconds, revoked_at: null })
    .execute()
  return id
}

/** Holds the account until the transaction ends, for changes that must come one after another. */
export const holdUser = async (tx: Db, id: number): Promise<void> => {
  await tx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
}
