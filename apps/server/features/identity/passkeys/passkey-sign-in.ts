import type { auth } from '@sallyport/contract/customer/auth'
import type { SignedIn } from '@sallyport/contract/customer/auth-shapes'
import type { ApiError } from '@sallyport/contract/errors'
import { recordEvent } from '../../../core/accounts/account-events.ts'
import { beginSession, type SessionOrigin, signInFailed } from '../../../core/accounts/sign-in.ts'
import { lockUser } from '../../../core/accounts/users.ts'
import type { Call, Handlers } from '../../../core/call.ts'
import { customerPasskeys, type Signed } from '../../../core/kernel/passkeys/store.ts'
import { requestOf, startCeremony } from '../../../core/kernel/passkeys/webauthn.ts'
import { type Db, inTransaction } from '../../../db/client.ts'
import { originOf, signedInFrom } from '../common/session-origin.ts'

type VerifyCall = Call<typeof auth.verifyPasskeySignIn>

const refused = (): ApiError =>
  signInFailed('', 'the passkey was not accepted; ask for a new challenge and try again')

/** There is no session yet. */
const ofSignIns = ({ db, now }: { readonly db: Db; readonly now: number }) =>
  customerPasskeys.challengesOf({ db, now, sessionId: null })

const enter = (call: VerifyCall, signed: Signed, origin: SessionOrigin): Promise<SignedIn | undefined> =>
  inTransaction(call.db, async (tx) => {
    const { now } = call
    const { passkeyId, ownerId: userId } = signed
    await lockUser(tx, userId)
    const use = await customerPasskeys.noteUse(tx, signed, now)
    if (use === 'counted back') {
      await recordEvent(tx, { userId, kind: 'passkey_suspicious', details: { passkey_id: passkeyId }, now })
    }
    return use === 'used' ? beginSession(tx, call, { userId, method: 'signIn', origin, now }) : undefined
  })

export const passkeySignInHandlers: Pick<
  Handlers<typeof auth>,
  'startPasskeySignIn' | 'verifyPasskeySignIn'
> = {
  startPasskeySignIn: async (call) =>
    requestOf(await startCeremony({ ...call, challenges: ofSignIns(call) })),

  verifyPasskeySignIn: async (call) => {
    const signed = await customerPasskeys.readSigned(call, call.body, null)
    const origin = originOf(call)
    const signedIn = signed && (await enter(call, signed, origin))
    if (!signedIn) throw refused()
    return signedInFrom(call, origin, signedIn)
  },
}
