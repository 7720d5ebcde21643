import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { operatorAuthRows } from '@sallyport/contract/operator/staff/auth'
import type { Call, Handlers } from '../../../core/call.ts'
import { operatorPasskeys } from '../../../core/kernel/passkeys/store.ts'
import {
  creationOf,
  endCeremony,
  freeTitle,
  mostPasskeys,
  type Registered,
  readAttestation,
  startCeremony,
} from '../../../core/kernel/passkeys/webauthn.ts'
import { tellOfAccess } from '../../../core/operators/access-letters.ts'
import {
  type ConsoleSession,
  lockActiveOperator,
  noteProof,
  readAgain,
  requireProof,
} from '../../../core/operators/sessions.ts'
import { type Db, inTransaction } from '../../../db/client.ts'
import { wholeOrPage } from '../common/pages.ts'
import { accountOf } from './passkey-queries.ts'
import { requireSession } from './signed-in.ts'

/** Passkeys of whoever is signed in. */

const requireRoom = (passkeys: readonly unknown[]): void => {
  if (passkeys.length < mostPasskeys) return
  throw conflict('', `an operator has at most ${mostPasskeys} passkeys; delete one that is not used any more`)
}

/**
 * Whoever came by a link may register one: the link is an owner's word, also for those who lost what they had. All others
 * who have a passkey prove it first, so that a stolen session does not become a passkey.
 */
const requireRight = (session: ConsoleSession, passkeys: readonly unknown[], now: number): void => {
  if (session.provedAt !== null && passkeys.length > 0) requireProof(session, now)
}

const addPasskey = async (
  tx: Db,
  call: Call<(typeof operatorAuthRows)['verifyOperatorPasskey']>,
  known: ConsoleSession,
  registered: Registered,
) => {
  const { body, language, now } = call
  const { operatorId } = known
  const session = (await lockActiveOperator(tx, operatorId)) && (await readAgain(tx, known))
  if (!session) throw new ApiError('UNAUTHORIZED')
  const passkeys = await operatorPasskeys.list(tx, operatorId)
  requireRight(session, passkeys, now)
  requireRoom(passkeys)
  await noteProof(tx, session.id, now)
  const title = body.title ?? freeTitle(passkeys, language)
  await tellOfAccess(tx, call, { operatorId, by: operatorId, news: { kind: 'passkey', title } })
  const transports = body.response.transports ?? []
  return operatorPasskeys.insert(tx, { ownerId: operatorId, ...registered, transports, title, now })
}

type Handled =
  | 'listOperatorPasskeys'
  | 'startOperatorPasskey'
  | 'verifyOperatorPasskey'
  | 'deleteOperatorPasskey'

export const operatorPasskeyHandlers: Pick<Handlers<typeof operatorAuthRows>, Handled> = {
  listOperatorPasskeys: async (call) => {
    const { operatorId } = await requireSession(call)
    return wholeOrPage(await operatorPasskeys.list(call.db, operatorId), call.query)
  },

  startOperatorPasskey: async (call) => {
    const { db, publicUrl, now } = call
    const session = await requireSession(call)
    const passkeys = await operatorPasskeys.list(db, session.operatorId)
    requireRight(session, passkeys, now)
    requireRoom(passkeys)
    const challenges = operatorPasskeys.challengesOf({ db, sessionId: session.id, now })
    const ceremony = await startCeremony({ publicUrl, now, challenges })
    return creationOf(ceremony, { ...(await accountOf(db, session.operatorId)), passkeys })
  },

  verifyOperatorPasskey: async (call) => {
    const { db, publicUrl, body, now } = call
    const session = await requireSession(call)
    const challenges = operatorPasskeys.challengesOf({ db, sessionId: session.id, now })
    const ceremony = await endCeremony({ publicUrl, challenges }, body.response.clientDataJSON)
    const registered = ceremony && (await readAttestation(ceremony, body))
    if (!registered) {
      const begin = 'POST /auth/passkeys/registration/options'
      throw badRequest('', `the passkey was not accepted; begin again with ${begin}`)
    }
    return inTransaction(db, (tx) => addPasskey(tx, call, session, registered))
  },

  deleteOperatorPasskey: async (call) => {
    const { db, params, now } = call
    const session = await requireSession(call)
    return inTransaction(db, async (tx): Promise<true> => {
      if (!(await lockActiveOperator(tx, session.operatorId))) throw new ApiError('UNAUTHORIZED')
      const passkeys = await operatorPasskeys.list(tx, session.operatorId)
      if (!passkeys.some(({ id }) => id === params.id)) throw new ApiError('NOT_FOUND')
      requireProof(session, now)
      if (passkeys.length === 1) throw conflict('id', 'is your last passkey; register another one first')
      await operatorPasskeys.delete(tx, session.operatorId, params.id)
      return true
    })
  },
}
