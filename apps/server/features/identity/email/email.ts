import type { auth } from '@sallyport/contract/customer/auth'
import { readEmail } from '@sallyport/domain/identity/email-address'
import { emailChangedLetter } from '@sallyport/domain/identity/letters'
import { type RightLetter, spendLetter } from '../../../core/accounts/mailed-codes.ts'
import { type SessionOrigin, signIn } from '../../../core/accounts/sign-in.ts'
import type { Call, Handlers } from '../../../core/call.ts'
import { letGo, type PostedLetter, postLetter } from '../../../core/kernel/mail.ts'
import type { Db } from '../../../db/client.ts'
import { linkTarget } from '../common/link-target.ts'
import { refuseUnknownReferrer, stillReferrer } from '../common/referrers.ts'
import { originOf, signedInFrom } from '../common/session-origin.ts'
import { wrongCode } from '../common/wrong-code.ts'
import { enterByMailedCode, mailCode, requireLetter } from './mailed-sign-in.ts'
import { lockEmail } from './queries.ts'

type VerifyCall = Call<typeof auth.verifyEmailSignIn>

const noticeKeepSeconds = 86_400

/** Whoever reads the old mailbox is told, in case it was not the owner who changed the address. */
const tellOldAddress = async (tx: Db, call: VerifyCall, userId: number, email: string) => {
  const old = await lockEmail(tx, userId)
  if (old === null || old === email) return undefined
  const { vault, now, language } = call
  const letter = { to: old, ...emailChangedLetter(language) }
  return postLetter(tx, vault, { letter, now, expiresAt: now + noticeKeepSeconds })
}

interface Visit {
  readonly call: VerifyCall
  readonly email: string
  readonly linkTo: number | undefined
  readonly origin: SessionOrigin
}

const enter = async ({ call, email, linkTo, origin }: Visit, right: RightLetter | undefined) => {
  if (!right) throw wrongCode('code')
  const { db, body, now } = call
  let notice: PostedLetter | undefined
  const signedIn = await signIn(call, {
    proof: { method: 'authCode', email, identity: null },
    referralCode: body.referral_code ?? (await stillReferrer(db, right.referralCode)),
    linkTo,
    origin,
    spend: async (tx) => {
      if (!(await spendLetter(tx, right))) throw wrongCode('code')
      notice = linkTo === undefined ? undefined : await tellOldAddress(tx, call, linkTo, email)
    },
    now,
  })
  await letGo(call, notice)
  return signedIn
}

export const emailHandlers: Pick<Handlers<typeof auth>, 'startEmailSignIn' | 'verifyEmailSignIn'> = {
  startEmailSignIn: async (call) => {
    const { db, body } = call
    const asked = { call, email: readEmail(body.email) }
    await requireLetter(asked)
    await refuseUnknownReferrer(db, body.referral_code)
    return { expires_at: await mailCode(asked, body.referral_code) }
  },

  verifyEmailSignIn: async (call) => {
    const { db, body } = call
    const origin = originOf(call, body.link)
    const visit = { call, email: readEmail(body.email), linkTo: linkTarget(call), origin }
    await refuseUnknownReferrer(db, body.referral_code)
    return signedInFrom(
      call,
      origin,
      await enterByMailedCode(visit, body.code, (right) => enter(visit, right)),
    )
  },
}
