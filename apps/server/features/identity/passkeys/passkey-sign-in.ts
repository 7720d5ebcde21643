import type { auth } from '@sallyport/contract/customer/auth'
import type { SignedIn } from '@sallyport/contract/customer/auth-shapes'
import type { ApiError } from '@sallyport/contract/errors'
import { recordEvent } from '../../../core/accounts/account-events.ts'
import { beginSession, signInFailed } from '../../../core/accounts/sign-in.ts'
import { lockUser } from '../../../core/accounts/users.ts'
import type { Call, Handlers } from '../../../core/call.ts'
import { sameBytes } from '../../../core/kernel/vault.ts'
import {
  endCeremony,
  isCountedBack,
  readAssertion,
  requestOf,
  startCeremony,
  userHandleOf,
} from '../../../core/kernel/webauthn.ts'
import { type Db, inTransaction } from '../../../db/client.ts'
import { challengesOf, counterOf, findPasskey, recordUse } from './queries.ts'

type VerifyCall = Call<typeof auth.verifyPasskeySignIn>

const refused = (): ApiError =>
  signInFailed('', 'the passkey was not accepted; ask for a new challenge and try again')

/** There is no session yet. */
const ofSignIns = ({ db, now }: { readonly db: Db; readonly now: number }) =>
  challengesOf({ db, now, sessionId: null })

/** The passkey that signed a challenge of ours just now, and how often it says it has signed. */
const readProof = async (call: VerifyCall) => {
  const { db, body } = call
  const ceremony = await endCeremony({ ...call, challenges: ofSignIns(call) }, body.response.clientDataJSON)
  const passkey = ceremony && (await findPasskey(db, Buffer.from(body.id, 'base64url')))
  if (!passkey) return undefined
  const { userHandle } = body.response
  const isOfAccount =
    userHandle == null || sameBytes(Buffer.from(userHandle, 'base64url'), userHandleOf(passkey.uuid))
  const counter = isOfAccount ? await readAssertion(ceremony, body, passkey.public_key) : undefined
  return counter === undefined ? undefined : { id: passkey.id, userId: passkey.user_id, counter }
}

const enter = (
  { db, sessions, now }: VerifyCall,
  { id, userId, counter }: { id: number; userId: number; counter: number },
): Promise<SignedIn | undefined> =>
  inTransaction(db, async (tx) => {
    await lockUser(tx, userId)
    const stored = await counterOf(tx, id)
    // It was deleted meanwhile.
    if (stored === undefined) return undefined
    if (isCountedBack(stored, counter)) {
      await recordEvent(tx, { userId, kind: 'passkey_suspicious', details: { passkey_id: id }, now })
      return undefined
    }
    await recordUse(tx, id, counter, now)
    return beginSession(tx, sessions, { userId, method: 'signIn', now })
  })

export const passkeySignInHandlers: Pick<
  Handlers<typeof auth>,
  'startPasskeySignIn' | 'verifyPasskeySignIn'
> = {
  startPasskeySignIn: async (call) =>
    requestOf(await startCeremony({ ...call, challenges: ofSignIns(call) })),

  verifyPasskeySignIn: async (call) => {
    const proof = await readProof(call)
    const signedIn = proof && (await enter(call, proof))
    if (!signedIn) throw refused()
    return signedIn
  },
}
