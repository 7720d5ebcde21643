import type { auth } from '@sallyport/contract/customer/auth'
import type { SignedIn } from '@sallyport/contract/customer/auth-shapes'
import type { ApiError } from '@sallyport/contract/errors'
import { recordEvent } from '../../../core/accounts/account-events.ts'
import { beginSession, signInFailed } from '../../../core/accounts/sign-in.ts'
import { lockUser } from '../../../core/accounts/users.ts'
import type { Call, Handlers } from '../../../core/call.ts'
import { sameBytes } from '../../../core/kernel/vault.ts'
import { inTransaction } from '../../../db/client.ts'
import { counterOf, findPasskey, recordUse } from './queries.ts'
import { ceremonyTimeoutMs, endCeremony, readAssertion, startCeremony, userHandleOf } from './webauthn.ts'

type VerifyCall = Call<typeof auth.verifyPasskeySignIn>

const refused = (): ApiError =>
  signInFailed('', 'the passkey was not accepted; ask for a new challenge and try again')

/** The passkey that signed a challenge of ours just now, and how often it says it has signed. */
const readProof = async (call: VerifyCall) => {
  const { db, body } = call
  const ceremony = await endCeremony({ ...call, sessionId: null }, body.response.clientDataJSON)
  const passkey = ceremony && (await findPasskey(db, Buffer.from(body.id, 'base64url')))
  if (!passkey) return undefined
  const { userHandle } = body.response
  const isOfAccount =
    userHandle == null || sameBytes(Buffer.from(userHandle, 'base64url'), userHandleOf(passkey.uuid))
  const counter = isOfAccount ? await readAssertion(ceremony, body, passkey.public_key) : undefined
  return counter === undefined ? undefined : { id: passkey.id, userId: passkey.user_id, counter }
}

/** Authenticators that count never count back: a count seen before comes from a copy of the key. */
const isCountedBack = (stored: number, given: number): boolean => stored > 0 && given <= stored

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
  startPasskeySignIn: async (call) => {
    const { challenge, party } = await startCeremony({ ...call, sessionId: null })
    const timeout = ceremonyTimeoutMs
    return { challenge, rpId: party.id, timeout, userVerification: 'required', allowCredentials: [] }
  },

  verifyPasskeySignIn: async (call) => {
    const proof = await readProof(call)
    const signedIn = proof && (await enter(call, proof))
    if (!signedIn) throw refused()
    return signedIn
  },
}
