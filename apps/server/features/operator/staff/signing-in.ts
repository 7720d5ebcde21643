import { ApiError, conflict } from '@sallyport/contract/errors'
import { consoleCookie, type Role } from '@sallyport/contract/operation'
import type { operatorAuthRows } from '@sallyport/contract/operator/staff/auth'
import { clientOf } from '@sallyport/domain/identity/client'
import type { Handlers } from '../../../core/call.ts'
import { operatorPasskeys, type Signed } from '../../../core/kernel/passkeys/store.ts'
import { requestOf, startCeremony } from '../../../core/kernel/passkeys/webauthn.ts'
import { takeSignInLink } from '../../../core/operators/links.ts'
import {
  beginConsoleSession,
  endConsoleSession,
  endOwnSession,
  idleEndOf,
  listConsoleSessions,
  lockActiveOperator,
  noteProof,
} from '../../../core/operators/sessions.ts'
import { type Db, inTransaction } from '../../../db/client.ts'
import { type FromBrowser, requireSession, shownSession, signedIn, signedOut } from './signed-in.ts'

const refused = (path: string, problem: string): ApiError => new ApiError('UNAUTHORIZED', [{ path, problem }])
const badLink = () => refused('token', 'the link is unknown, used or too old; ask an owner for a new one')
const badPasskey = () => refused('', 'the passkey was not accepted; ask for a new challenge and try again')

/** The operator who signed, locked; undefined when they or the passkey are gone meanwhile, or it is a copy. */
const acceptSigned = async (
  tx: Db,
  { log, now }: FromBrowser,
  signed: Signed,
): Promise<{ readonly id: number; readonly role: Role } | undefined> => {
  const { passkeyId, ownerId } = signed
  const operator = await lockActiveOperator(tx, ownerId)
  const use = operator && (await operatorPasskeys.noteUse(tx, signed, now))
  if (use === 'counted back') {
    log.warn({ operator: ownerId, passkey: passkeyId }, 'a passkey counted back: there may be a copy of it')
  }
  return use === 'used' ? operator : undefined
}

/** Whoever was signed in at this browser before is so no longer. */
const enter = async (
  tx: Db,
  { vault, cookie, header, now }: FromBrowser,
  operator: { readonly id: number; readonly role: Role },
  provedAt: number | null,
) => {
  const before = cookie(consoleCookie)
  if (before) await endConsoleSession(tx, before)
  const client = clientOf(header('User-Agent'))
  return signedIn(tx, await beginConsoleSession(tx, vault, { operator, provedAt, client, now }), now)
}

type Handled =
  | 'signInByLink'
  | 'startOperatorSignIn'
  | 'verifyOperatorSignIn'
  | 'startOperatorProof'
  | 'verifyOperatorProof'
  | 'refreshOperatorSession'
  | 'listOperatorSessions'
  | 'endOperatorSession'
  | 'signOutOperator'

export const signingInHandlers: Pick<Handlers<typeof operatorAuthRows>, Handled> = {
  signInByLink: (call) =>
    inTransaction(call.db, async (tx) => {
      const operator = await takeSignInLink(tx, call.body.token, call.now)
      if (!operator) throw badLink()
      return enter(tx, call, operator, null)
    }),

  startOperatorSignIn: async ({ db, publicUrl, now }) => {
    const challenges = operatorPasskeys.challengesOf({ db, sessionId: null, now })
    return requestOf(await startCeremony({ publicUrl, now, challenges }))
  },

  verifyOperatorSignIn: async (call) => {
    const signed = await operatorPasskeys.readSigned(call, call.body, null)
    if (!signed) throw badPasskey()
    return inTransaction(call.db, async (tx) => {
      const operator = await acceptSigned(tx, call, signed)
      if (!operator) throw badPasskey()
      return enter(tx, call, operator, call.now)
    })
  },

  startOperatorProof: async (call) => {
    const { db, publicUrl, now } = call
    const { id: sessionId, operatorId } = await requireSession(call)
    const passkeys = await operatorPasskeys.list(db, operatorId)
    if (passkeys.length === 0)
      throw conflict('', 'you have no passkey yet: register one, which is a proof too')
    const challenges = operatorPasskeys.challengesOf({ db, sessionId, now })
    return requestOf(await startCeremony({ publicUrl, now, challenges }), passkeys)
  },

  verifyOperatorProof: async (call) => {
    const { db, now } = call
    const session = await requireSession(call)
    const signed = await operatorPasskeys.readSigned(call, call.body, session.id)
    if (signed?.ownerId !== session.operatorId) throw badPasskey()
    return inTransaction(db, async (tx) => {
      const operator = await acceptSigned(tx, call, signed)
      if (!operator || !(await noteProof(tx, session.id, now))) throw badPasskey()
      return shownSession(tx, { ...session, provedAt: now }, now)
    })
  },

  refreshOperatorSession: async (call) => shownSession(call.db, await requireSession(call), call.now),

  listOperatorSessions: async (call) => {
    const { db, now } = call
    const session = await requireSession(call)
    const sessions = await listConsoleSessions(db, session, now)
    return sessions.map(({ id, client, created_at: createdAt, seen_at: seenAt }) => ({
      id,
      client,
      created_at: createdAt,
      last_seen_at: seenAt,
      expires_at: idleEndOf({ createdAt }, seenAt),
      is_current: id === session.id,
    }))
  },

  endOperatorSession: async (call) => {
    const { db, params, now } = call
    const { id, operatorId } = await requireSession(call)
    if (!(await endOwnSession(db, { operatorId, id: params.id, now }))) throw new ApiError('NOT_FOUND')
    return params.id === id ? signedOut : true
  },

  signOutOperator: async ({ db, cookie }) => {
    const token = cookie(consoleCookie)
    if (token) await endConsoleSession(db, token)
    return signedOut
  },
}
