import type { auth } from '@sallyport/contract/customer/auth'
import type { SignedIn } from '@sallyport/contract/customer/auth-shapes'
import type { ApiError } from '@sallyport/contract/errors'
import { recordEvent } from '../../../core/accounts/account-events.ts'
import { beginSession, signInFailed } from '../../../core/accounts/sign-in.ts'
import { lockUser } from '../../../core/accounts/users.ts'
import type { Call, Handlers } from '../../../core/call.ts'
import { customerPasskeys, type Signed } from '../../../core/kernel/passkeys/store.ts'
import { requestOf, startCeremony } from '../../../core/kernel/passkeys/webauthn.ts'
import { type Db, inTransaction } from '../../../db/client.ts'

type VerifyCall = Call<typeof auth.verifyPasskeySignIn>

const refused = (): ApiError =>
  signInFailed('', 'the passkey was not accepted; ask for a new challenge and try again')

/** There is no session yet. */
const ofSignIns = ({ db, now }: { readonly db: Db; readonly now: number }) =>
  customerPasskeys.challengesOf({ db, now, sessionId: null })

const enter = ({ db, sessions, now }: VerifyCall, signed: Signed): Promise<SignedIn | undefined> =>
  inTransaction(db, async (tx) => {
    const { passkeyId, ownerId: userId } = signed
    await lockUser(tx, userId)
    const use = await customerPasskeys.noteUse(tx, signed, now)
    if (use === 'counted back') {
      await recordEvent(tx, { userId, kind: 'passkey_suspicious', details: { passkey_id: passkeyId }, now })
    }
    return use === 'used' ? beginSession(tx, sessions, { userId, method: 'signIn', now }) : undefined
  })

export const passkeySignInHandlers: Pick<
  Handlers<typeof auth>,
  'startPasskeySignIn' | 'verifyPasskeySignIn'
> = {
  startPasskeySignIn: async (call) =>
    requestOf(await startCeremony({ ...call, challenges: ofSignIns(call) })),

  verifyPasskeySignIn: async (call) => {
    const signed = await customerPasskeys.readSigned(call, call.body, null)
    const signedIn = signed && (await enter(call, signed))
    if (!signedIn) throw refused()
    return signedIn
  },
}
