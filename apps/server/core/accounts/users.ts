import { randomUUID } from 'node:crypto'
import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/client.ts'
import { DatabaseError, isUniqueViolation } from '../../db/driver.ts'
import { announcing } from '../kernel/outbox.ts'
import { newApiKey, newReferralCode } from '../kernel/tokens.ts'
import type { Vault } from '../kernel/vault.ts'
import { openCustomerAccounts, transfer } from '../ledger/ledger.ts'
import { openAccountSubscription } from './subscription-keys.ts'

export const refreshTtlSeconds = 30 * 24 * 3600

/**
 * The account's id, as a value within a statement. It locks the account: whoever deletes or empties it waits until this
 * transaction ends. Null when the account is deleted, which no column for an owner takes.
 */
export const livingUser = (id: number) =>
  sql<number>`(select id from users where id = ${id}::bigint and deleted_at is null for share)`

const notNullViolation = '23502'

/** For an insert with `livingUser`: a request that was let in before the account was deleted comes too late. */
export const refuseDeleted = (error: unknown): never => {
  const isGone =
    error instanceof DatabaseError && error.code === notNullViolation && /"user_id"/.test(error.message)
  throw isGone ? new ApiError('UNAUTHORIZED') : error
}

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
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!referrer) throw badRequest('referral_code', 'is not the code of any customer')
  return referrer.id
}

/** Whether a new account may name it. */
export const isReferralCode = async (db: Db, code: string): Promise<boolean> => {
  const referrer = await db
    .selectFrom('users')
    .select('id')
    .where('referral_code', '=', code)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return referrer !== undefined
}

const userCreated = (now: number) => ({
  type: 'user.created' as const,
  subject: sql<string>`'user:' || users.id`,
  data: sql`jsonb_build_object('user_id', users.id, 'sign_in_method', users.sign_in_method,
    'referrer_id', users.referrer_id, 'created_at', users.created_at)`,
  now,
})

/** The account with its ledger accounts and its subscription. */
export const createUser = (db: Db, vault: Vault, now: number, user: NewUser): Promise<CreatedUser> =>
  inTransaction(db, async (tx) => {
    const referralCode = newReferralCode()
    const referrerId = user.referralCode === undefined ? null : await takeReferrer(tx, user.referralCode)
    const row = await tx
      .insertInto('users')
      .values({
        email: user.email?.toLowerCase() ?? null,
        sign_in_method: user.signInMethod,
        referral_code: referralCode,
        referrer_id: referrerId,
        created_at: now,
      })
      .returning(['id', 'email', announcing(userCreated(now)).as('is_announced')])
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        if (isUniqueViolation(error, 'users_email')) throw conflict('email', 'belongs to another customer')
        throw error
      })
    await openCustomerAccounts(tx, row.id)
    const subscriptionKey = await openAccountSubscription(tx, vault, { userId: row.id, now })
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
  vault: Vault,
  key: { userId: number; title: string | null; now: number },
): Promise<IssuedApiKey> => {
  const { token, prefix, secretHash } = newApiKey(vault)
  const row = await tx
    .insertInto('api_keys')
    .values({
      user_id: livingUser(key.userId),
      title: key.title,
      prefix,
      secret_hash: secretHash,
      created_at: key.now,
      last_used_at: null,
    })
    // Prefixes are drawn from some 900 million, so one that is taken comes up now and then.
    .onConflict((conflict) => conflict.column('prefix').doNothing())
    .returning('id')
    .executeTakeFirst()
    .catch(refuseDeleted)
  return row ? { id: row.id, apiKey: token, prefix } : insertApiKey(tx, vault, key)
}

/** How a session began, and what of it the browser shows again. */
export interface SessionStart {
  readonly sign_in_method?: string
  readonly client?: string | null
  readonly cookie_hash?: Uint8Array | null
}

export const insertSession = async (
  db: Db,
  userId: number,
  now: number,
  start: SessionStart = {},
): Promise<string> => {
  const id = randomUUID()
  const user_id = livingUser(userId)
  await db
    .insertInto('sessions')
    .values({ id, user_id, created_at: now, expires_at: now + refreshTtlSeconds, revoked_at: null, ...start })
    .execute()
    .catch(refuseDeleted)
  return id
}

/** Several accounts, locked in one order until the transaction ends; those that are deleted are left out. */
export const lockUsers = (tx: Db, ids: readonly number[]) =>
  tx
    .selectFrom('users')
    .select(['id', 'is_blocked'])
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

export const isBlocked = async (db: Db, id: number): Promise<boolean> => {
  const user = await db.selectFrom('users').select('is_blocked').where('id', '=', id).executeTakeFirst()
  return user?.is_blocked === true
}

/** Holds the account until the transaction ends, for changes that must come one after another. */
export const lockUser = async (tx: Db, id: number): Promise<void> => {
  if ((await lockUsers(tx, [id])).length === 0) throw new ApiError('UNAUTHORIZED')
}

/** For what a session leaves behind: one that was ended a moment ago, with all others, leaves nothing. Returns when it ends. */
export const lockWithSession = async (tx: Db, userId: number, sessionId: string): Promise<number> => {
  await lockUser(tx, userId)
  const session = await tx
    .selectFrom('sessions')
    .select('expires_at')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (!session) throw new ApiError('UNAUTHORIZED')
  return session.expires_at
}
