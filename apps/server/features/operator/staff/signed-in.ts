import { ApiError } from '@sallyport/contract/errors'
import { consoleCookie } from '@sallyport/contract/operation'
import type { SignedInOperator } from '@sallyport/contract/operator/staff/auth'
import { type Cookie, Reply, type Services } from '../../../core/call.ts'
import {
  type ConsoleSession,
  endOf,
  idleEndOf,
  provedUntil,
  useConsoleSession,
} from '../../../core/operators/sessions.ts'
import type { Db } from '../../../db/client.ts'
import { hasPasskey } from './passkey-queries.ts'

/** Who comes with the cookie, and what whoever signs in is given. */

export interface FromBrowser extends Pick<Services, 'db' | 'publicUrl' | 'vault' | 'log'> {
  readonly cookie: (name: string) => string | undefined
  readonly header: (name: string) => string | undefined
  readonly now: number
}

export const requireSession = async ({ db, cookie, now }: FromBrowser): Promise<ConsoleSession> => {
  const token = cookie(consoleCookie)
  const session = token ? await useConsoleSession(db, token, now) : undefined
  if (!session) throw new ApiError('UNAUTHORIZED', [{ path: '', problem: 'sign in first' }])
  return session
}

const cookieOf = (value: string, maxAgeSeconds: number): Cookie => ({
  name: consoleCookie,
  value,
  path: '/',
  maxAgeSeconds,
  isSecure: true,
  sameSite: 'Strict',
})

export const signedOut = new Reply(true as const, cookieOf('', 0))

export const shownSession = async (
  db: Db,
  session: ConsoleSession,
  now: number,
): Promise<SignedInOperator> => ({
  operator_id: session.operatorId,
  role: session.role,
  signed_in_at: session.createdAt,
  expires_at: idleEndOf(session, now),
  ends_at: endOf(session),
  proved_until: provedUntil(session, now),
  has_passkey: await hasPasskey(db, session.operatorId),
})

/** The browser keeps the cookie as long as the session can last; how long it does is known here. */
export const signedIn = async (
  db: Db,
  { token, session }: { readonly token: string; readonly session: ConsoleSession },
  now: number,
): Promise<Reply<SignedInOperator>> =>
  new Reply(await shownSession(db, session, now), cookieOf(token, endOf(session) - now))
