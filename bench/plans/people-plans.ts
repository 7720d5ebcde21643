import { type BroadcastView, broadcastViews } from '@sallyport/contract/operator/people/broadcasts'
import { type UserSort, userSorts, userViews } from '@sallyport/contract/operator/people/views'
import { countAudience, listAudience } from '../../apps/server/core/broadcasts/audience.ts'
import { listBroadcasts, lockDueBroadcast } from '../../apps/server/core/broadcasts/broadcasts.ts'
import { findCustomers } from '../../apps/server/core/customers/find-customers.ts'
import { fieldOf } from '../../apps/server/core/customers/sources.ts'
import {
  accessFacts,
  accountFacts,
  emptyTerms,
  fetchFacts,
  findTrafficAt,
  machineFacts,
  paymentFacts,
  termFacts,
} from '../../apps/server/features/operator/people/diagnosis-queries.ts'
import { listCustomers } from '../../apps/server/features/operator/people/search-queries.ts'
import {
  findAccount,
  listAccessesOf,
  listDevicesOf,
  listLastOrders,
  listSessions,
  listSubscriptions,
  listTerms,
  listUnread,
} from '../../apps/server/features/operator/people/user-queries.ts'
import type { Work } from '../scans.ts'
import { makeTools } from '../terms-plans.ts'

/** Customers as operators look for them, look at them and write to them. */

const canSort = (view: string, sort: UserSort): boolean =>
  fieldOf(sort).field !== 'next_end' || ['active', 'ending', 'never_connected'].includes(view)

export const peopleWorks = (userId: number): readonly Work[] => {
  const { vault } = makeTools()
  const now = Math.floor(Date.now() / 1000)
  const lists = userViews.flatMap((view) =>
    userSorts
      .filter((sort) => canSort(view, sort))
      .map(
        (sort): Work => [
          `operator: customers who are ${view}, by ${sort}`,
          (tx) => findCustomers(tx, vault, { view, sort, limit: 50, now }),
          // Customers are met one by one, up to a bound, and here nobody is in that view.
          view === 'never_connected' ? ['subscriptions', 'users'] : [],
        ],
      ),
  )
  const searches = ['c5@bench.example', 'c77', 'c', '500', 'nobody'].map(
    (search): Work => [
      `operator: customers by “${search}”`,
      (tx) => findCustomers(tx, vault, { search, limit: 50, now }),
    ],
  )
  const counts = (['ending', 'blocked', 'paying'] as const).map(
    (view): Work => [
      `operator: how many are ${view}`,
      (tx) => countAudience(tx, vault, { view }, now),
      ['users'],
    ],
  )
  const windows = broadcastViews.map(
    (view: BroadcastView): Work => [
      `a window of a message to those who are ${view}`,
      (tx) => listAudience(tx, vault, { view }, { after: userId, upTo: userId + 2000, now }),
    ],
  )
  return [
    ...lists,
    ...searches,
    ...counts,
    ...windows,
    ['operator: rows of customers', (tx) => listCustomers(tx, [userId, userId + 1, userId + 2], now)],
    [
      'operator: a customer’s page',
      async (tx) => {
        await findAccount(tx, userId)
        await listSessions(tx, userId, now)
        await listSubscriptions(tx, userId)
        await listTerms(tx, userId)
        await listAccessesOf(tx, userId, now, true)
        await listDevicesOf(tx, userId)
        await listLastOrders(tx, userId)
        await listUnread(tx, userId)
      },
    ],
    [
      'operator: a diagnosis',
      async (tx) => {
        await accountFacts(tx, userId)
        for (const facts of [termFacts, accessFacts, emptyTerms, machineFacts, paymentFacts, fetchFacts]) {
          await facts(tx, userId, now)
        }
        await findTrafficAt(tx, userId)
      },
    ],
    ['operator: messages to many', (tx) => listBroadcasts(tx, { limit: 50, before: undefined })],
    ['a message to many that is due', (tx) => lockDueBroadcast(tx, now)],
  ]
}
