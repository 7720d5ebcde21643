import type { auth } from '@sallyport/contract/customer/auth'
import type { session } from '@sallyport/contract/customer/session'
import { readEmail } from '@sallyport/domain/identity/email-address'
import { networkKey } from '@sallyport/domain/identity/ip-key'
import { grouped, readCrockford } from '@sallyport/domain/text/crockford'
import {
  issueBareCode,
  issueCode,
  newSecret,
  type RightCode,
  readBareCode,
  spendCode,
  tryCode,
} from '../../../core/accounts/one-time-codes.ts'
import { beginSession, type SessionOrigin } from '../../../core/accounts/sign-in.ts'
import { lockUser, lockWithSession } from '../../../core/accounts/users.ts'
import type { Handlers, Services } from '../../../core/call.ts'
import { countingGuess, guesserOf, signInGuess } from '../../../core/kernel/guesses.ts'
import { inTransaction } from '../../../db/client.ts'
import { originOf, signedInFrom } from '../common/session-origin.ts'
import { isWrongCode, wrongCode } from '../common/wrong-code.ts'
import { findByLogin } from './queries.ts'

/** Codes that somebody who is signed in makes to sign in elsewhere. */

const otpSymbols = 8

type Visit = Pick<Services, 'db' | 'vault' | 'sessions' | 'bus'> & {
  readonly ip: string
  readonly now: number
}

const counting = <T>(visit: Visit, subject: string, work: () => Promise<T>): Promise<T> =>
  countingGuess(visit.db, signInGuess({ ...guesserOf(visit), subject }), isWrongCode, work)

interface Typed {
  readonly right: RightCode | undefined
  readonly path: string
  readonly origin: SessionOrigin
}

const enter = (visit: Visit, { right, path, origin }: Typed) => {
  const userId = right?.userId ?? undefined
  if (!right || userId === undefined) throw wrongCode(path)
  const { db, now } = visit
  return inTransaction(db, async (tx) => {
    // Before the code, as everybody who makes codes does.
    await lockUser(tx, userId)
    if (!(await spendCode(tx, right))) throw wrongCode(path)
    return beginSession(tx, visit, { userId, method: right.method ?? 'signIn', origin, now })
  })
}

/** Made by hand, or by a sign-in at an identity provider. */
const tryBareCode = async ({ db, vault, ip, now }: Visit, given: { subject: string; code: string }) => {
  const typed = { ...given, from: networkKey(ip), now }
  return (
    (await tryCode(db, vault, { kind: 'sign_in', ...typed })) ??
    (await tryCode(db, vault, { kind: 'exchange', ...typed }))
  )
}

const readLogin = (text: string): string | number => {
  const login = readEmail(text)
  return /^\d{1,15}$/.test(login) ? Number(login) : login
}

export const ownCodeHandlers: Pick<Handlers<typeof auth>, 'signInWithCode' | 'signInWithOtp'> = {
  signInWithCode: async (call) => {
    const given = readBareCode(call.body.code)
    const origin = originOf(call)
    const signedIn = await counting(call, `code:${given?.subject ?? call.body.code}`, async () =>
      enter(call, { right: given && (await tryBareCode(call, given)), path: 'code', origin }),
    )
    return signedInFrom(call, origin, signedIn)
  },

  signInWithOtp: async (call) => {
    const { db, vault, body, ip, now } = call
    const login = readLogin(body.login)
    const origin = originOf(call)
    const signedIn = await counting(call, `otp:${login}`, async () => {
      const userId = await findByLogin(db, login)
      // Nobody's password is tried in the same way, so that it takes as long.
      const subject = String(userId ?? 'nobody')
      const code = readCrockford(body.password, otpSymbols) ?? ''
      const given = { kind: 'otp', subject, code, from: networkKey(ip), now } as const
      return enter(call, { right: await tryCode(db, vault, given), path: 'password', origin })
    })
    return signedInFrom(call, origin, signedIn)
  },
}

export const ownCodeSessionHandlers: Pick<Handlers<typeof session>, 'createOtp' | 'createSignInCode'> = {
  createOtp: ({ db, vault, userId, sessionId, now }) =>
    inTransaction(db, async (tx) => {
      await lockWithSession(tx, userId, sessionId)
      const code = newSecret(otpSymbols)
      const subject = String(userId)
      const expiresAt = await issueCode(tx, vault, { kind: 'otp', subject, code, userId, sessionId, now })
      return { password: grouped(code), expires_at: expiresAt }
    }),

  createSignInCode: ({ db, vault, userId, sessionId, now }) =>
    inTransaction(db, async (tx) => {
      await lockWithSession(tx, userId, sessionId)
      const { code, expiresAt } = await issueBareCode(tx, vault, { kind: 'sign_in', userId, sessionId, now })
      return { code, expires_at: expiresAt }
    }),
}
