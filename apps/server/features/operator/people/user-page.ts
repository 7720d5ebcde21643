import { ApiError } from '@sallyport/contract/errors'
import type { userPageRows } from '@sallyport/contract/operator/people/user-page'
import { shown } from '@sallyport/domain/money/money'
import type { Language } from '@sallyport/domain/text/language'
import { signOutEverywhere } from '../../../core/accounts/sessions.ts'
import type { Handlers, Services } from '../../../core/call.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { requireProof } from '../../../core/operators/sessions.ts'
import { optionStatus } from '../../../core/options/traffic-usage.ts'
import { namesOfTerms, termProductOf } from '../../../core/terms/term-product.ts'
import { afterCommit, type Db, inSnapshot } from '../../../db/client.ts'
import { requireCustomer } from '../common/queries.ts'
import { changeUser, flagsShown } from './change-user.ts'
import { listEvents, listPricingRules } from './queries.ts'
import {
  type AccessOfTerm,
  findAccount,
  listAccessesOf,
  listDevicesOf,
  listIdentities,
  listLastOrders,
  listSessions,
  listSubscriptions,
  listTerms,
  listUnread,
  type TermRow,
} from './user-queries.ts'

const lastEvents = 50

interface Viewer extends Pick<Services, 'products'> {
  readonly language: Language
  readonly now: number
}

const accessShown = ({ id, protocol, title, is_placed, problem, up, down, ...place }: AccessOfTerm) => ({
  id,
  protocol,
  title,
  place,
  is_placed,
  problem,
  traffic: { up, down },
})

const withoutQuotes = (name: string): string => name.replace(/^[«“](.*)[»”]$/, '$1')

/** What customers call them; those of another release have their numbers alone. */
const titlesOf = async (tx: Db, terms: readonly TermRow[], { products, language }: Viewer) => {
  const titles = new Map<number, string>()
  for (const [name, own] of Map.groupBy(terms, (term) => term.product)) {
    if (!namesOfTerms(products).includes(name)) continue
    for (const [id, { long }] of await termProductOf(products, name).namesOf(tx, own))
      titles.set(id, withoutQuotes(long[language]))
  }
  return titles
}

const termsShown = async (tx: Db, userId: number, viewer: Viewer) => {
  const { language, now } = viewer
  const terms = await listTerms(tx, userId)
  const titles = await titlesOf(tx, terms, viewer)
  const accesses = Map.groupBy(
    await listAccessesOf(tx, userId, now, language === 'en'),
    (access) => access.term_id,
  )
  return terms.map(({ id, product, state, paused, up, down, ...term }) => {
    const own = (accesses.get(id) ?? []).map(accessShown)
    const isOver = state !== 'active' || term.expires_at <= now
    return {
      ...term,
      term_id: id,
      product_type: product,
      title: titles.get(id) ?? String(term.item_id),
      state: optionStatus({ state: isOver ? 'expired' : 'active', paused }),
      place: own[0]?.place ?? null,
      traffic: { up, down },
      accesses: own,
    }
  })
}

/** As it is in this transaction. */
const requirePage = async (tx: Db, id: number, viewer: Viewer) => {
  const account = await findAccount(tx, id)
  if (!account) throw new ApiError('NOT_FOUND')
  const orders = await listLastOrders(tx, id)
  return {
    ...account,
    flags: flagsShown(account.flags),
    identities: await listIdentities(tx, id),
    sessions: await listSessions(tx, id, viewer.now),
    subscriptions: await listSubscriptions(tx, id),
    terms: await termsShown(tx, id, viewer),
    devices: await listDevicesOf(tx, id),
    pricing_rules: await listPricingRules(tx, id),
    orders: orders.map((order) => ({ ...order, amount: shown(order.amount, order.currency) })),
    notifications: await listUnread(tx, id),
    events: await listEvents(tx, id, { limit: lastEvents }),
  }
}

export const userPageHandlers: Handlers<typeof userPageRows> = {
  showUser: (call) => inSnapshot(call.db, (tx) => requirePage(tx, call.params.id, call)),

  changeUser: (call) => {
    // Whoever has the address has the account.
    if (call.body.email !== undefined) requireProof(call.operatorSession, call.now)
    return (tx) => changeUser(tx, call, () => requirePage(tx, call.params.id, call))
  },

  signUserOut:
    ({ bus, params, now }) =>
    async (tx) => {
      await requireCustomer(tx, params.id)
      const count = await signOutEverywhere(tx, bus, { userId: params.id, now, byOperator: true })
      afterCommit(() => bus.deliver(`auth:u:${params.id}`))
      return audited(true, { before: { sessions: count }, after: { sessions: 0 } })
    },
}
