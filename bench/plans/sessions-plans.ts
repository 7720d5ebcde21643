import { findCookieOwner, findSession } from '../../apps/server/core/accounts/credentials.ts'
import { spendCode } from '../../apps/server/core/accounts/one-time-codes.ts'
import {
  endSession,
  endSessionOfCookie,
  listSessions,
  prolongUsedSession,
} from '../../apps/server/core/accounts/sessions.ts'
import { sha256 } from '../../apps/server/core/kernel/vault.ts'
import * as exported from '../../apps/server/features/identity/export/queries.ts'
import { readHeldEarnings } from '../../apps/server/features/profile/referral-queries.ts'
import type { Work } from '../scans.ts'
import { makeTools } from '../terms-plans.ts'

/** Where somebody is signed in, and everything that is kept about them. */

const early = 1_700_000_000
const nobody = '00000000-0000-4000-8000-000000000000'

const exportWorks = (userId: number): readonly Work[] => {
  const whole = { userId, limit: 1001 }
  const viewer = { inEnglish: true, now: early }
  return [
    ['one’s data: the account', (tx) => exported.findAccount(tx, userId)],
    ['one’s data: identities', (tx) => exported.listIdentities(tx, whole)],
    ['one’s data: passkeys', (tx) => exported.listPasskeys(tx, whole)],
    ['one’s data: API keys', (tx) => exported.listApiKeys(tx, whole)],
    ['one’s data: prices', (tx) => exported.listPricingRules(tx, whole)],
    [
      'one’s data: purchases',
      async (tx) => {
        const terms = await exported.listTerms(tx, whole, early)
        await exported.listAccesses(
          tx,
          terms.map(({ id }) => id),
          true,
        )
      },
    ],
    ['one’s data: subscriptions', (tx) => exported.listSubscriptions(tx, whole)],
    ['one’s data: devices', (tx) => exported.listDevices(tx, whole)],
    ['one’s data: payments', (tx) => exported.listPayments(tx, whole)],
    ['one’s data: earnings', (tx) => exported.listEarnings(tx, whole)],
    ['one’s data: withdrawals', (tx) => exported.listWithdrawals(tx, whole)],
    ['one’s data: keys', (tx) => exported.listPromocodes(tx, whole)],
    ['one’s data: notifications', (tx) => exported.listUnread(tx, whole, viewer)],
    ['one’s data: events', (tx) => exported.listEvents(tx, whole)],
  ]
}

export const sessionWorks = (userId: number): readonly Work[] => {
  const { bus } = makeTools()
  const code = { kind: 'otp', subjectHash: Buffer.alloc(32), codeHash: Buffer.alloc(32) } as const
  return [
    ['sessions', (tx) => listSessions(tx, { userId, currentId: nobody, limit: 100, now: early })],
    ['a session', (tx) => findSession(tx, nobody)],
    ['the owner of a cookie', (tx) => findCookieOwner(tx, sha256('cookie9'))],
    ['a session that is used', (tx) => prolongUsedSession({ db: tx, bus }, nobody, early)],
    ['a session to end', (tx) => endSession(tx, userId, nobody, early)],
    ['the session before in a browser', (tx) => endSessionOfCookie(tx, bus, sha256('cookie9'), early)],
    ['a code that is used', (tx) => spendCode(tx, { ...code, userId, method: null, triedAt: early })],
    ['earnings that are held', (tx) => readHeldEarnings(tx, userId)],
    ...exportWorks(userId),
  ]
}
