import type { SignedIn } from '@sallyport/contract/customer/auth-shapes'
import { ApiError, conflict } from '@sallyport/contract/errors'
import { type Db, inTransaction } from '../../db/client.ts'
import { isUniqueViolation } from '../../db/driver.ts'
import type { Bus } from '../kernel/bus.ts'
import { sha256, type Vault } from '../kernel/vault.ts'
import { recordAndTell, recordEvent } from './account-events.ts'
import { giveRefreshToken } from './refresh-tokens.ts'
import type { SessionTokens } from './session-tokens.ts'
import { endSessionOfCookie } from './sessions.ts'
import {
  createUser,
  insertSession,
  lockUser,
  lockUsers,
  lockWithSession,
  refreshTtlSeconds,
} from './users.ts'

/** From a proof of who somebody is to a session of their account, which is made when there is none. */

export interface Proof {
  /** Shown as sign_in_method: authCode, telegram, google, … */
  readonly method: string
  /** An address that is proven to be theirs. */
  readonly email: string | null
  readonly identity: {
    readonly provider: string
    readonly subject: string
    /** What people call the provider. */
    readonly title: string
  } | null
}

/** Where somebody signs in. */
export interface SessionOrigin {
  /** The program, in words: "Chrome, Android". */
  readonly client: string | null
  /** What the browser is to come with from now on. */
  readonly cookie: string | undefined
  /** What it has come with; that session is over. */
  readonly formerCookie: string | undefined
  /** The session that goes on instead of a new one, where a proof is linked to its account. */
  readonly keptSessionId: string | undefined
}

interface Parts {
  readonly db: Db
  readonly vault: Vault
  readonly bus: Bus
  readonly sessions: SessionTokens
}

export interface SignInRequest {
  readonly proof: Proof
  /** For a new account. */
  readonly referralCode: string | undefined
  /** The account to attach the proof to, when it is not to find or make one. */
  readonly linkTo: number | undefined
  readonly origin: SessionOrigin
  /** Uses up what proved it, in the same transaction; throws when it was used meanwhile. */
  readonly spend?: (tx: Db) => Promise<void>
  /** Throws when what proved it is from before the account was signed out everywhere, and would open it again. */
  readonly outlast?: (signedOutAt: number) => void
  readonly now: number
}

export const signInFailed = (path: string, problem: string): ApiError =>
  new ApiError('UNAUTHORIZED', [{ path, problem }])

const refuseClosed = (user: { readonly is_blocked: boolean } | undefined): void => {
  if (!user) throw new ApiError('UNAUTHORIZED')
  if (user.is_blocked) {
    throw new ApiError('FORBIDDEN', [{ path: '', problem: 'the account is blocked; write to support' }])
  }
}

/** Holds an account whose session will begin later, so that one that is being deleted is not opened again. */
export const lockOpenAccount = async (tx: Db, userId: number): Promise<void> => {
  const [user] = await lockUsers(tx, [userId])
  refuseClosed(user)
}

/** What whoever signs in, or goes on, is given. */
export const signedInAs = async (
  sessions: SessionTokens,
  session: {
    readonly id: string
    readonly userId: number
    readonly refreshToken: string
    readonly refreshExpiresAt: number
    readonly isNew?: boolean
  },
): Promise<SignedIn> => {
  const { token, expiresAt } = await sessions.issue(session.id, session.userId)
  return {
    session_token: token,
    expires_at: expiresAt,
    refresh_token: session.refreshToken,
    refresh_expires_at: session.refreshExpiresAt,
    user_id: session.userId,
    is_new_account: session.isNew ?? false,
  }
}

export interface SessionBegin {
  readonly userId: number
  readonly method: string
  readonly origin: SessionOrigin
  readonly isNew?: boolean
  readonly outlast?: SignInRequest['outlast']
  readonly now: number
}

/** A new session of an account that is known. */
export const beginSession = async (
  tx: Db,
  { sessions, bus }: Pick<Parts, 'sessions' | 'bus'>,
  { userId, method, origin, isNew = false, outlast, now }: SessionBegin,
): Promise<SignedIn> => {
  const { client, cookie, formerCookie } = origin
  // Holds the account too, so that one that is being deleted is not signed in to.
  const user = await tx
    .updateTable('users')
    .set({ sign_in_method: method })
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .returning(['is_blocked', 'signed_out_at'])
    .executeTakeFirst()
  refuseClosed(user)
  if (user?.signed_out_at != null) outlast?.(user.signed_out_at)
  const cookieHash = cookie === undefined ? null : sha256(cookie)
  const start = { sign_in_method: method, client, cookie_hash: cookieHash }
  const id = await insertSession(tx, userId, now, start)
  const refreshToken = await giveRefreshToken(tx, id, now)
  await recordEvent(tx, { userId, kind: 'signed_in', details: { method }, now })
  if (cookie !== undefined && formerCookie !== undefined) {
    await endSessionOfCookie(tx, bus, sha256(formerCookie), now)
  }
  return signedInAs(sessions, { id, userId, refreshToken, refreshExpiresAt: now + refreshTtlSeconds, isNew })
}

/** Tokens for a session that goes on: the cabinet links with its cookie, and stays where it is. */
const keepSession = async (
  tx: Db,
  { sessions }: Pick<Parts, 'sessions'>,
  { id, userId, now }: { readonly id: string; readonly userId: number; readonly now: number },
): Promise<SignedIn> => {
  const refreshExpiresAt = await lockWithSession(tx, userId, id)
  return signedInAs(sessions, {
    id,
    userId,
    refreshToken: await giveRefreshToken(tx, id, now),
    refreshExpiresAt,
  })
}

const findByIdentity = async (tx: Db, { identity }: Proof): Promise<number | undefined> => {
  if (!identity) return undefined
  const row = await tx
    .selectFrom('identities')
    .select('user_id')
    .where('provider', '=', identity.provider)
    .where('subject', '=', identity.subject)
    .executeTakeFirst()
  return row?.user_id
}

const findByEmail = async (tx: Db, { email }: Proof): Promise<number | undefined> => {
  if (email === null) return undefined
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  return row?.id
}

const attachIdentity = async (tx: Db, userId: number, { identity }: Proof, now: number): Promise<void> => {
  if (!identity) return
  const { provider, subject } = identity
  await tx.insertInto('identities').values({ user_id: userId, provider, subject, created_at: now }).execute()
  if (provider === 'telegram') {
    await tx.updateTable('users').set({ is_messenger_connected: true }).where('id', '=', userId).execute()
  }
}

/** An account that is there already gets one more way in. */
const linkIdentity = async (tx: Db, userId: number, proof: Proof, now: number): Promise<void> => {
  if (!proof.identity) return
  // Before the row that refers to the account: whoever deletes it takes the two in this order.
  await lockUser(tx, userId)
  await attachIdentity(tx, userId, proof, now)
  const { title } = proof.identity
  await recordAndTell(
    tx,
    { userId, kind: 'identity_linked', details: { method: proof.method }, now },
    {
      ru: `К вашему аккаунту привязан новый способ входа: ${title}. Если это были не вы, отвяжите его и завершите все сеансы.`,
      en: `A new way to sign in was linked to your account: ${title}. If it was not you, remove it and end all sessions.`,
    },
  )
}

const createAccount = async (tx: Db, vault: Vault, request: SignInRequest): Promise<number> => {
  const { proof, referralCode, now } = request
  const user = await createUser(tx, vault, now, {
    email: proof.email,
    signInMethod: proof.method,
    referralCode,
  })
  await attachIdentity(tx, user.id, proof, now)
  await recordEvent(tx, { userId: user.id, kind: 'created', details: { method: proof.method }, now })
  return user.id
}

const findOrCreate = async (tx: Db, vault: Vault, request: SignInRequest) => {
  const { proof, now } = request
  const known = await findByIdentity(tx, proof)
  if (known !== undefined) return { userId: known, isNew: false }
  const owner = await findByEmail(tx, proof)
  if (owner === undefined) return { userId: await createAccount(tx, vault, request), isNew: true }
  await linkIdentity(tx, owner, proof, now)
  return { userId: owner, isNew: false }
}

const setEmail = async (tx: Db, userId: number, email: string, now: number): Promise<void> => {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ email: email.toLowerCase() })
    .where('id', '=', userId)
    .where('email', 'is distinct from', email.toLowerCase())
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  await recordAndTell(
    tx,
    { userId, kind: 'email_changed', now },
    {
      ru: 'У вашего аккаунта новый адрес почты для входа. Если это были не вы, привяжите снова свой адрес и завершите все сеансы.',
      en: 'Your account has a new e-mail address to sign in with. If it was not you, link your own address again and end all sessions.',
    },
  )
}

/** The proof becomes one more way into the account. */
const link = async (tx: Db, userId: number, { proof, now }: SignInRequest): Promise<void> => {
  const holder = proof.identity ? await findByIdentity(tx, proof) : await findByEmail(tx, proof)
  if (holder === userId) return
  if (holder !== undefined) throw conflict('link', 'this way to sign in belongs to another account')
  if (proof.identity) await linkIdentity(tx, userId, proof, now)
  else if (proof.email !== null) await setEmail(tx, userId, proof.email, now)
}

const isTaken = (error: unknown): boolean =>
  isUniqueViolation(error, 'identities_provider_subject_key') ||
  isUniqueViolation(error, 'users_email') ||
  (error instanceof ApiError && error.code === 'CONFLICT' && error.details?.[0]?.path === 'email')

/**
 * Finds, makes or links the account, and does what follows from it in the same transaction. Of two first sign-ins at
 * once one makes the account; the other finds it when it looks again.
 */
export const withAccount = async <T>(
  { db, vault }: Pick<Parts, 'db' | 'vault'>,
  request: SignInRequest,
  then: (tx: Db, account: { readonly userId: number; readonly isNew: boolean }) => Promise<T>,
): Promise<T> => {
  const { linkTo } = request
  const attempt = () =>
    inTransaction(db, async (tx) => {
      await request.spend?.(tx)
      if (linkTo === undefined) return then(tx, await findOrCreate(tx, vault, request))
      await link(tx, linkTo, request)
      return then(tx, { userId: linkTo, isNew: false })
    })
  try {
    return await attempt()
  } catch (error) {
    if (!isTaken(error)) throw error
    return attempt()
  }
}

export const signIn = (parts: Parts, request: SignInRequest): Promise<SignedIn> =>
  withAccount(parts, request, (tx, account) => {
    const { proof, linkTo, origin, now } = request
    const { keptSessionId: id } = origin
    // Whoever links has a session that began since.
    const outlast = linkTo === undefined ? request.outlast : undefined
    return id === undefined
      ? beginSession(tx, parts, { ...account, method: proof.method, origin, outlast, now })
      : keepSession(tx, parts, { id, userId: account.userId, now })
  })
