import type { auth } from '@sallyport/contract/customer/auth'
import { readEmail } from '@sallyport/domain/identity/email-address'
import { networkKey } from '@sallyport/domain/identity/ip-key'
import { codeLetter, emailChangedLetter } from '@sallyport/domain/identity/letters'
import { grouped, readCrockford } from '@sallyport/domain/text/crockford'
import {
  foreignGuess,
  letterGuess,
  letterSlot,
  slotStart,
  takeLetter,
} from '../../../core/accounts/letter-limits.ts'
import {
  findByLongCode,
  keepMailedCode,
  longSymbols,
  type RightLetter,
  spendLetter,
  tryForeignDigits,
  tryOwnDigits,
} from '../../../core/accounts/mailed-codes.ts'
import { codeTtlSeconds, newDigits, newSecret } from '../../../core/accounts/one-time-codes.ts'
import { type SessionOrigin, signIn } from '../../../core/accounts/sign-in.ts'
import type { Call, Handlers } from '../../../core/call.ts'
import {
  countingGuess,
  guesserOf,
  requireGuess,
  returnGuess,
  signInGuess,
} from '../../../core/kernel/guesses.ts'
import { letGo, type PostedLetter, postLetter } from '../../../core/kernel/mail.ts'
import { type Db, inTransaction } from '../../../db/client.ts'
import { linkTarget } from '../common/link-target.ts'
import { refuseUnknownReferrer, stillReferrer } from '../common/referrers.ts'
import { originOf, signedInFrom } from '../common/session-origin.ts'
import { isWrongCode, wrongCode } from '../common/wrong-code.ts'
import { lockEmail } from './queries.ts'

type StartCall = Call<typeof auth.startEmailSignIn>
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

const askerOf = ({ ip }: { readonly ip: string }, email: string) => ({ email, network: networkKey(ip) })

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

const guessOf = ({ call, email }: Visit) => signInGuess({ ...guesserOf(call), subject: `email:${email}` })

const enterByDigits = (visit: Visit) => {
  const { call, email } = visit
  const { db, vault, body, now } = call
  const given = { ...askerOf(call, email), digits: body.code, now }
  return countingGuess(db, guessOf(visit), isWrongCode, async () => {
    const own = await tryOwnDigits(db, vault, given)
    if (own) return enter(visit, own.right)
    const foreign = foreignGuess({ ...guesserOf(call), subject: email })
    return countingGuess(db, foreign, isWrongCode, async () =>
      enter(visit, await tryForeignDigits(db, vault, given)),
    )
  })
}

/** Only a wrong one counts: a right one opens, whatever strangers did. */
const enterByLongCode = async (visit: Visit) => {
  const { call, email } = visit
  const { db, vault, body, now } = call
  const long = readCrockford(body.code, longSymbols) ?? ''
  const right = await findByLongCode(db, vault, { ...askerOf(call, email), long, now })
  if (!right) await requireGuess(db, guessOf(visit))
  const signedIn = await enter(visit, right)
  // The letter no longer lies there for whoever is sent none.
  if (right) await returnGuess(db, letterSlot({ ...guesserOf(call), subject: email, now: right.mailedAt }))
  return signedIn
}

/** When what the letter carries ends. */
const mail = async (call: StartCall, email: string, hasDigits: boolean): Promise<number> => {
  const { db, vault, body, language, now } = call
  const asker = askerOf(call, email)
  const [digits, long] = [hasDigits ? newDigits() : undefined, newSecret(longSymbols)]
  const letter = {
    to: email,
    ...codeLetter(language, { digits, long: grouped(long), minutes: codeTtlSeconds / 60 }),
  }
  const { expiresAt, posted } = await inTransaction(db, async (tx) => {
    const code = { ...asker, digits, long, referralCode: body.referral_code, now }
    const expiresAt = await keepMailedCode(tx, vault, code)
    const subject = `code:${email} ${asker.network}`
    return { expiresAt, posted: await postLetter(tx, vault, { letter, subject, now, expiresAt }) }
  })
  await letGo(call, posted)
  return expiresAt
}

export const emailHandlers: Pick<Handlers<typeof auth>, 'startEmailSignIn' | 'verifyEmailSignIn'> = {
  startEmailSignIn: async (call) => {
    const { db, body, now } = call
    const email = readEmail(body.email)
    const asker = { ...guesserOf(call), subject: email }
    await requireGuess(db, letterGuess(asker))
    await refuseUnknownReferrer(db, body.referral_code)
    const leave = await takeLetter(db, asker)
    if (!leave) return { expires_at: slotStart(now) + codeTtlSeconds }
    try {
      return { expires_at: await mail(call, email, leave.hasDigits) }
    } catch (error) {
      await returnGuess(db, leave.guess)
      throw error
    }
  },

  verifyEmailSignIn: async (call) => {
    const { db, body } = call
    const email = readEmail(body.email)
    const linkTo = linkTarget(call)
    await refuseUnknownReferrer(db, body.referral_code)
    const origin = originOf(call, body.link)
    const visit = { call, email, linkTo, origin }
    const signedIn = /^\d{6}$/.test(body.code) ? enterByDigits(visit) : enterByLongCode(visit)
    return signedInFrom(call, origin, await signedIn)
  },
}
