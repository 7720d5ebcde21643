import type { auth } from '@sallyport/contract/customer/auth'
import type { SignedIn } from '@sallyport/contract/customer/auth-shapes'
import { ApiError } from '@sallyport/contract/errors'
import { recordEvent } from '../../../core/accounts/account-events.ts'
import { isRefreshToken, storeRefreshToken, successorOf } from '../../../core/accounts/refresh-tokens.ts'
import { endSession, signOutEverywhere } from '../../../core/accounts/sessions.ts'
import { signedInAs } from '../../../core/accounts/sign-in.ts'
import type { Handlers, Services } from '../../../core/call.ts'
import { notify } from '../../../core/kernel/notifications.ts'
import { sha256 } from '../../../core/kernel/vault.ts'
import { type Db, inTransaction } from '../../../db/client.ts'
import { signedOut } from '../common/session-origin.ts'
import { type Family, findRefreshToken, lockFamily, markReplaced, prolongSession } from './queries.ts'

/** How long an answer that was lost may be asked for again. */
const repeatSeconds = 30

/** A token that was replaced is used again: there are two who hold it, and one of them stole it. */
const endFamily = async (tx: Db, { session_id, user_id }: Family, now: number): Promise<void> => {
  await endSession(tx, user_id, session_id, now)
  await recordEvent(tx, { userId: user_id, kind: 'refresh_reused', now })
  await notify(tx, {
    userId: user_id,
    cause: `session:${session_id}:reused`,
    ru: 'Старый ключ входа в ваш аккаунт использован второй раз, поэтому этот сеанс завершён. Если это были не вы, завершите все сеансы и проверьте способы входа.',
    en: 'An old sign-in token of your account was used again, so that session was ended. If it was not you, end all sessions and check your ways to sign in.',
    now,
  })
}

/** The next token of the family and the end of the session; undefined when this one must not be used any more. */
const rotate = async (
  tx: Db,
  family: Family,
  token: string,
  successor: string,
  now: number,
): Promise<number | undefined> => {
  const sessionId = family.session_id
  const given = await findRefreshToken(tx, sessionId, sha256(token))
  if (given?.replaced_at === null) {
    await markReplaced(tx, sha256(token), now)
    await storeRefreshToken(tx, successor, sessionId, now)
    return prolongSession(tx, sessionId, now)
  }
  const next = await findRefreshToken(tx, sessionId, sha256(successor))
  const isRepeat = given !== undefined && now <= given.replaced_at + repeatSeconds
  return isRepeat && next?.replaced_at === null ? family.expires_at : undefined
}

interface Renewal {
  readonly sessionId: string
  /** Undefined when the family was ended instead. */
  readonly signedIn: SignedIn | undefined
}

const renew = (
  { db, vault, sessions, bus }: Services,
  token: string,
  now: number,
): Promise<Renewal | undefined> =>
  inTransaction(db, async (tx) => {
    const family = await lockFamily(tx, sha256(token), now)
    if (!family) return undefined
    const { session_id: sessionId, user_id: userId } = family
    const successor = successorOf(vault, token)
    const refreshExpiresAt = await rotate(tx, family, token, successor, now)
    await bus.publish(tx, `auth:s:${sessionId}`)
    if (refreshExpiresAt === undefined) {
      await endFamily(tx, family, now)
      return { sessionId, signedIn: undefined }
    }
    const session = { id: sessionId, userId, refreshToken: successor, refreshExpiresAt }
    return { sessionId, signedIn: await signedInAs(sessions, session) }
  })

export const sessionHandlers: Pick<Handlers<typeof auth>, 'refreshSession' | 'logout' | 'logoutAll'> = {
  refreshSession: async (call) => {
    const { bus, body, now } = call
    const token = body.refresh_token
    const renewal = isRefreshToken(token) ? await renew(call, token, now) : undefined
    if (renewal) bus.deliver(`auth:s:${renewal.sessionId}`)
    if (!renewal?.signedIn) throw new ApiError('UNAUTHORIZED')
    return renewal.signedIn
  },

  logout: async (call) => {
    const { db, bus, userId, sessionId, now } = call
    const topic = `auth:s:${sessionId}`
    await inTransaction(db, async (tx) => {
      await endSession(tx, userId, sessionId, now)
      await bus.publish(tx, topic)
    })
    bus.deliver(topic)
    return signedOut(call, true)
  },

  logoutAll: async (call) => {
    const { db, bus, userId, now } = call
    const topic = `auth:u:${userId}`
    const endedCount = await inTransaction(db, (tx) => signOutEverywhere(tx, bus, { userId, now }))
    bus.deliver(topic)
    return signedOut(call, { ended_count: endedCount })
  },
}
