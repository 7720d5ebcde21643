import type { SignedIn } from '@sallyport/contract/customer/auth-shapes'
import { networkKey } from '@sallyport/domain/identity/ip-key'
import { codeLetter } from '@sallyport/domain/identity/letters'
import { grouped, readCrockford } from '@sallyport/domain/text/crockford'
import type { Language } from '@sallyport/domain/text/language'
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
  tryForeignDigits,
  tryOwnDigits,
} from '../../../core/accounts/mailed-codes.ts'
import { codeTtlSeconds, newDigits, newSecret } from '../../../core/accounts/one-time-codes.ts'
import type { Services } from '../../../core/call.ts'
import {
  countingGuess,
  guesserOf,
  requireGuess,
  returnGuess,
  signInGuess,
} from '../../../core/kernel/guesses.ts'
import { letGo, postLetter } from '../../../core/kernel/mail.ts'
import { inTransaction } from '../../../db/client.ts'
import { isWrongCode } from '../common/wrong-code.ts'

/** Codes to sign in that are mailed to an address, however the address was named: limits and tries are those of the address. */

type Asking = Services & { readonly ip: string; readonly now: number; readonly language: Language }

export interface Addressed {
  readonly call: Asking
  readonly email: string
}

const askerOf = ({ call, email }: Addressed) => ({ email, network: networkKey(call.ip) })

/** When what the letter carries ends. */
const mail = async (
  asked: Addressed,
  hasDigits: boolean,
  referralCode: string | undefined,
): Promise<number> => {
  const { call, email } = asked
  const { db, vault, language, now } = call
  const asker = askerOf(asked)
  const [digits, long] = [hasDigits ? newDigits() : undefined, newSecret(longSymbols)]
  const letter = {
    to: email,
    ...codeLetter(language, { digits, long: grouped(long), minutes: codeTtlSeconds / 60 }),
  }
  const { expiresAt, posted } = await inTransaction(db, async (tx) => {
    const code = { ...asker, digits, long, referralCode, now }
    const expiresAt = await keepMailedCode(tx, vault, code)
    const subject = `code:${email} ${asker.network}`
    return { expiresAt, posted: await postLetter(tx, vault, { letter, subject, now, expiresAt }) }
  })
  await letGo(call, posted)
  return expiresAt
}

const subjectOf = ({ call, email }: Addressed) => ({ ...guesserOf(call), subject: email })

/** Refuses whose network has asked for too many. */
export const requireLetter = ({ call, email }: Addressed): Promise<void> =>
  requireGuess(call.db, letterGuess(subjectOf({ call, email })))

/** Mails a letter, unless one lies in the mailbox already. When its code ends. */
export const mailCode = async (asked: Addressed, referralCode?: string): Promise<number> => {
  const { db, now } = asked.call
  const leave = await takeLetter(db, subjectOf(asked))
  if (!leave) return slotStart(now) + codeTtlSeconds
  try {
    return await mail(asked, leave.hasDigits, referralCode)
  } catch (error) {
    await returnGuess(db, leave.guess)
    throw error
  }
}

/** Opens what the right letter opens; throws what is wrong about none. */
type Enter = (right: RightLetter | undefined) => Promise<SignedIn>

export const mailedGuess = ({ call, email }: Addressed) =>
  signInGuess({ ...guesserOf(call), subject: `email:${email}` })

const enterByDigits = (asked: Addressed, digits: string, enter: Enter): Promise<SignedIn> => {
  const { db, vault, now } = asked.call
  const given = { ...askerOf(asked), digits, now }
  return countingGuess(db, mailedGuess(asked), isWrongCode, async () => {
    const own = await tryOwnDigits(db, vault, given)
    if (own) return enter(own.right)
    return countingGuess(db, foreignGuess(subjectOf(asked)), isWrongCode, async () =>
      enter(await tryForeignDigits(db, vault, given)),
    )
  })
}

/** Only a wrong one counts: a right one opens, whatever strangers did. */
const enterByLongCode = async (asked: Addressed, code: string, enter: Enter): Promise<SignedIn> => {
  const { db, vault, now } = asked.call
  const long = readCrockford(code, longSymbols) ?? ''
  const right = await findByLongCode(db, vault, { ...askerOf(asked), long, now })
  if (!right) await requireGuess(db, mailedGuess(asked))
  const signedIn = await enter(right)
  // The letter no longer lies there for whoever is sent none.
  if (right) await returnGuess(db, letterSlot({ ...subjectOf(asked), now: right.mailedAt }))
  return signedIn
}

/** By either code of a letter. */
export const enterByMailedCode = (asked: Addressed, code: string, enter: Enter): Promise<SignedIn> =>
  /^\d{6}$/.test(code) ? enterByDigits(asked, code, enter) : enterByLongCode(asked, code, enter)
