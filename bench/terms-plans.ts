import { randomBytes } from 'node:crypto'
import { Bus } from '../apps/server/core/kernel/bus.ts'
import { Vault } from '../apps/server/core/kernel/vault.ts'
import { findLastTariff, listGrants } from '../apps/server/core/sales/orders.ts'
import { findUntriedRenewals, lockDueRenewal } from '../apps/server/core/terms/auto-renewal.ts'
import { deleteLapsed, expireTerms } from '../apps/server/core/terms/expiry.ts'
import {
  forgetReminders,
  lockDueReminders,
  moveReminders,
  removeReminders,
} from '../apps/server/core/terms/reminders.ts'
import { leaveReminders } from '../apps/server/core/terms/reminders-job.ts'
import { soldForATime } from '../apps/server/core/terms/sold-for-a-time.ts'
import {
  findExpiry,
  insertTerm,
  lockOwnTerm,
  lockTermOfItem,
  lockTermsOf,
  setAutoRenewal,
} from '../apps/server/core/terms/terms.ts'
import { nextAccessId } from '../apps/server/core/vpn/access/rows.ts'
import { configTerms } from '../apps/server/features/configs/product.ts'
import { namesOf } from '../apps/server/features/configs/queries.ts'
import type { Sample } from './sample.ts'
import type { Work } from './scans.ts'

/** What is sold for a time: the jobs that watch its ends, and what customers do with it. */

/** Options behave as configurations do, as far as tables are concerned. */
const products = new Map(
  [configTerms, { ...configTerms, name: 'paid_options' as const }].map((term) => [
    term.name,
    soldForATime(term),
  ]),
)

export const makeTools = () => ({ vault: new Vault(randomBytes(32)), bus: new Bus(), products })

export const termWorks = ({ userId, termId, accessId, termIds, now }: Sample): readonly Work[] => {
  const tools = makeTools()
  const ref = { product: 'configs', itemId: accessId } as const
  const reminded = { id: termId, product: 'configs', item_id: accessId, user_id: userId } as const
  const made = { userId, product: 'configs', productId: null, itemId: nextAccessId, autoRenewalDays: 30, now }
  return [
    ['a renewal', (tx) => lockDueRenewal(tx, ['configs'], now)],
    ['renewals not tried', (tx) => findUntriedRenewals(tx, now)],
    ['what ends', (tx) => expireTerms({ db: tx, ...tools }, now)],
    ['what is past its grace', (tx) => deleteLapsed({ db: tx, ...tools }, now)],
    ['who is to be reminded', (tx) => lockDueReminders(tx, ['configs'], now, 200)],
    ['reminders', (tx) => leaveReminders({ db: tx, ...tools }, now)],
    ['reminders of a term', (tx) => forgetReminders(tx, reminded)],
    ['reminders that move', (tx) => moveReminders(tx, userId, userId + 1)],
    ['reminders that go', (tx) => removeReminders(tx, userId)],
    [
      'names of terms',
      (tx) =>
        namesOf(
          tx,
          termIds.slice(0, 200).map((id) => ({ id })),
        ),
    ],
    ["a customer's term", (tx) => lockOwnTerm(tx, userId, ref)],
    ['the term of an item', (tx) => lockTermOfItem(tx, ref)],
    ["a customer's terms", (tx) => lockTermsOf(tx, [userId])],
    ['a new term', (tx) => insertTerm(tx, { ...made, product: 'configs', expiresAt: now })],
    ['automatic renewal', (tx) => setAutoRenewal(tx, userId, ref, 30)],
    ['the end of a term', (tx) => findExpiry(tx, termId)],
    ['last tariff', (tx) => findLastTariff(tx, ref)],
    ['what orders gave', (tx) => listGrants(tx, ref, 1)],
  ]
}
