import type { auth } from '@sallyport/contract/customer/auth'
import { hintOf } from '@sallyport/domain/identity/email-address'
import { keyLetters } from '../../../core/accounts/letter-limits.ts'
import { type RightLetter, spendLetter } from '../../../core/accounts/mailed-codes.ts'
import { beginSession, type SessionOrigin } from '../../../core/accounts/sign-in.ts'
import { requireKeyOwner } from '../../../core/accounts/subscription-keys.ts'
import type { Call, Handlers } from '../../../core/call.ts'
import { guesserOf, requireGuess, signInGuess, takeFirst } from '../../../core/kernel/guesses.ts'
import { inTransaction } from '../../../db/client.ts'
import { originOf, signedInFrom } from '../common/session-origin.ts'
import { wrongCode } from '../common/wrong-code.ts'
import { type Addressed, enterByMailedCode, mailCode, requireLetter } from '../email/mailed-sign-in.ts'
import { lockEmail } from '../email/queries.ts'
import { findWaysIn } from './queries.ts'

/**
 * Signing in to the account that a subscription key belongs to. The key only says which account is meant, as an address
 * would: whoever has it proves nothing, and learns of the address no more than its owner needs to know the mailbox by.
 */

/** Null where no letter is sent: keys get about, and those who have one together cause only so many. */
const mailByKey = async (asked: Addressed): Promise<number | null> => {
  const { call, email } = asked
  await requireLetter(asked)
  const leave = await takeFirst(call.db, [keyLetters({ ...guesserOf(call), subject: email })])
  return leave ? mailCode(asked) : null
}

const waysOf = async (
  { db, telegram, identityProviders }: Call<typeof auth.startSubscriptionSignIn>,
  userId: number,
) => {
  const ways = await findWaysIn(db, userId)
  const has = new Set(ways?.providers)
  return {
    passkey: ways?.has_passkey ?? false,
    telegram: telegram !== undefined && has.has('telegram'),
    oauth: [...identityProviders.values()].flatMap(({ name: provider, title }) =>
      has.has(provider) ? { provider, title } : [],
    ),
  }
}

/** For those who caused no letter: its owner would not know that they asked. */
const nothingTold = { email_hint: null, passkey: false, telegram: false, oauth: [] }

interface Visit extends Addressed {
  readonly call: Call<typeof auth.verifySubscriptionSignIn>
  readonly userId: number
  readonly origin: SessionOrigin
}

/** The account of the key and no other, whoever has the address meanwhile; none is made. */
const enter = ({ call, email, userId, origin }: Visit, right: RightLetter | undefined) => {
  if (!right) throw wrongCode('code')
  const { db, now } = call
  return inTransaction(db, async (tx) => {
    const isStill = (await lockEmail(tx, userId)) === email
    if (!isStill || !(await spendLetter(tx, right))) throw wrongCode('code')
    return beginSession(tx, call, { userId, method: 'authCode', origin, now })
  })
}

export const subscriptionHandlers: Pick<
  Handlers<typeof auth>,
  'startSubscriptionSignIn' | 'verifySubscriptionSignIn'
> = {
  startSubscriptionSignIn: async (call) => {
    const { email, id } = await requireKeyOwner(call, call.body.subscription_key)
    // Without an address the other ways are all there is.
    if (email === null) return { expires_at: null, email_hint: null, ...(await waysOf(call, id)) }
    const expiresAt = await mailByKey({ call, email })
    if (expiresAt === null) return { expires_at: null, ...nothingTold }
    return { expires_at: expiresAt, email_hint: hintOf(email), ...(await waysOf(call, id)) }
  },

  verifySubscriptionSignIn: async (call) => {
    const { db, body } = call
    const { email, id: userId } = await requireKeyOwner(call, body.subscription_key)
    if (email === null) {
      await requireGuess(db, signInGuess({ ...guesserOf(call), subject: `user:${userId}` }))
      throw wrongCode('code')
    }
    const origin = originOf(call)
    const visit = { call, email, userId, origin }
    return signedInFrom(
      call,
      origin,
      await enterByMailedCode(visit, body.code, (right) => enter(visit, right)),
    )
  },
}
