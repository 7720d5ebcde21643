import type { auth } from '@sallyport/contract/auth'
import { readEmail } from '@sallyport/domain/email-address'
import { networkKey } from '@sallyport/domain/ip-key'
import { codeLetter, emailChangedLetter } from '@sallyport/domain/letters'
import type { Call, Handlers } from '../../core/call.ts'
import { codeTtlSeconds, issueCode, newDigits, spendCode, tryCode } from '../../core/codes.ts'
import { countingGuess, guesserOf, letterGuess, requireGuess, signInGuess } from '../../core/guesses.ts'
import { letGo, type PostedLetter, postLetter } from '../../core/mail.ts'
import { signIn } from '../../core/sign-in.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { holdEmail } from './email-queries.ts'
import { linkTarget } from './link-target.ts'
import { refuseUnknownReferrer, stillReferrer } from './referrers.ts'
import { isWrongCode, wrongCode } from './wrong-code.ts'

type VerifyCall = Call<typeof auth.verifyEmailSignIn>

const noticeKeepSeconds = 86_400

/** Whoever reads the old mailbox is told, in case it was not the owner who changed the address. */
const tellOldAddress = async (tx: Db, call: VerifyCall, userId: number, email: string) => {
  const old = await holdEmail(tx, userId)
  if (old === null || old === email) return undefined
  const { vault, now, language } = call
  const letter = { to: old, ...emailChangedLetter(language) }
  return postLetter(tx, vault, { letter, now, expiresAt: now + noticeKeepSeconds })
}

const enter = async (call: VerifyCall, email: string, linkTo: number | undefined) => {
  const { db, vault, body, ip, now } = call
  const given = { kind: 'email', subject: email, code: body.code, from: networkKey(ip), now } as const
  const right = await tryCode(db, vault, given)
  if (!right) throw wrongCode('code')
  let notice: PostedLetter | undefined
  const signedIn = await signIn(call, {
    proof: { method: 'authCode', email, identity: null },
    referralCode: body.referral_code ?? (await stillReferrer(db, right.referralCode)),
    linkTo,
    spend: async (tx) => {
      if (!(await spendCode(tx, right))) throw wrongCode('code')
      notice = linkTo === undefined ? undefined : await tellOldAddress(tx, call, linkTo, email)
    },
    now,
  })
  await letGo(call, notice)
  return signedIn
}

export const emailHandlers: Pick<Handlers<typeof auth>, 'startEmailSignIn' | 'verifyEmailSignIn'> = {
  startEmailSignIn: async (call) => {
    const { db, vault, body, language, ip, now } = call
    const email = readEmail(body.email)
    await requireGuess(db, letterGuess({ ...guesserOf(call), subject: email }))
    await refuseUnknownReferrer(db, body.referral_code)
    const code = newDigits()
    const letter = { to: email, ...codeLetter(language, code, codeTtlSeconds / 60) }
    const { expiresAt, posted } = await inTransaction(db, async (tx) => {
      const referral =
        body.referral_code === undefined ? undefined : { code: body.referral_code, from: networkKey(ip) }
      const expiresAt = await issueCode(tx, vault, { kind: 'email', subject: email, code, referral, now })
      return {
        expiresAt,
        posted: await postLetter(tx, vault, { letter, subject: `code:${email}`, now, expiresAt }),
      }
    })
    await letGo(call, posted)
    return { expires_at: expiresAt }
  },

  verifyEmailSignIn: async (call) => {
    const { db, body } = call
    const email = readEmail(body.email)
    const linkTo = linkTarget(call)
    await refuseUnknownReferrer(db, body.referral_code)
    const guess = signInGuess({ ...guesserOf(call), subject: `email:${email}` })
    return countingGuess(db, guess, isWrongCode, () => enter(call, email, linkTo))
  },
}
