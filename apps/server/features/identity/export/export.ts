import { exportedLists, mostExported, type ProfileExport } from '@sallyport/contract/customer/export'
import type { session } from '@sallyport/contract/customer/session'
import { ApiError } from '@sallyport/contract/errors'
import { shown } from '@sallyport/domain/money/money'
import { maskEmail } from '@sallyport/domain/money/referral'
import { lastUseOf, listSessions } from '../../../core/accounts/sessions.ts'
import type { Call, Handlers } from '../../../core/call.ts'
import { namesOfTerms, termProductOf } from '../../../core/terms/term-product.ts'
import { type Db, inSnapshot } from '../../../db/client.ts'
import {
  findAccount,
  listAccesses,
  listApiKeys,
  listDevices,
  listEarnings,
  listEvents,
  listIdentities,
  listOneTimeLinks,
  listPasskeys,
  listPayments,
  listPricingRules,
  listPromocodes,
  listSubscriptions,
  listTerms,
  listUnread,
  listWithdrawals,
  type Purchased,
  type Whole,
} from './queries.ts'

type ExportCall = Call<typeof session.exportProfile>
type Lists = Pick<ProfileExport, (typeof exportedLists)[number]>

/** What customers call their purchases; those of another release have their numbers alone. */
const titlesOf = async (tx: Db, { products, language }: ExportCall, terms: readonly Purchased[]) => {
  const titles = new Map<number, string>()
  for (const [name, own] of Map.groupBy(terms, (term) => term.product)) {
    if (!namesOfTerms(products).includes(name)) continue
    for (const [id, { long }] of await termProductOf(products, name).namesOf(tx, own))
      titles.set(id, long[language].replace(/^[«“](.*)[»”]$/, '$1'))
  }
  return titles
}

const purchasesOf = async (tx: Db, call: ExportCall, whole: Whole): Promise<Lists['purchases']> => {
  const terms = await listTerms(tx, whole, call.now)
  const titles = await titlesOf(tx, call, terms)
  const ids = terms.map(({ id }) => id)
  const accesses = Map.groupBy(await listAccesses(tx, ids, call.language === 'en'), (one) => one.term_id)
  return terms.map(({ id, product, up, down, ...term }) => ({
    ...term,
    product_type: product,
    title: titles.get(id) ?? String(term.item_id),
    traffic: { up, down },
    configurations: (accesses.get(id) ?? []).map(({ up, down, ...access }) => ({
      ...access,
      traffic: { up, down },
    })),
  }))
}

const sessionsOf = async (tx: Db, call: ExportCall, { limit }: Whole): Promise<Lists['sessions']> => {
  const { userId, sessionId, now } = call
  const sessions = await listSessions(tx, { userId, currentId: sessionId, limit, now })
  return sessions.map(({ expires_at: expiresAt, ...one }) => ({
    ...one,
    last_used_at: one.id === sessionId ? now : lastUseOf(expiresAt),
    is_current: one.id === sessionId,
  }))
}

const listsOf = async (tx: Db, call: ExportCall, whole: Whole): Promise<Lists> => {
  const viewer = { inEnglish: call.language === 'en', now: call.now }
  const payments = await listPayments(tx, whole)
  const earnings = await listEarnings(tx, whole)
  return {
    identities: await listIdentities(tx, whole),
    passkeys: await listPasskeys(tx, whole),
    api_keys: await listApiKeys(tx, whole),
    sessions: await sessionsOf(tx, call, whole),
    pricing_rules: await listPricingRules(tx, whole),
    purchases: await purchasesOf(tx, call, whole),
    subscriptions: await listSubscriptions(tx, whole),
    devices: await listDevices(tx, whole),
    one_time_links: await listOneTimeLinks(tx, whole),
    payments: payments.map((one) => ({ ...one, amount: shown(one.amount, one.currency) })),
    referral_earnings: earnings.map((one) => ({ ...one, email: maskEmail(one.email) ?? null })),
    withdrawals: await listWithdrawals(tx, whole),
    promocodes: await listPromocodes(tx, whole),
    notifications: await listUnread(tx, whole, viewer),
    events: await listEvents(tx, whole),
  }
}

/** One more of each is asked for than is given, to know whether there are more. */
const cut = (lists: Lists): Lists & Pick<ProfileExport, 'cut_lists'> => ({
  ...(Object.fromEntries(
    Object.entries(lists).map(([name, rows]) => [name, rows.slice(0, mostExported)]),
  ) as Lists),
  cut_lists: exportedLists.filter((name) => lists[name].length > mostExported),
})

export const exportHandlers: Pick<Handlers<typeof session>, 'exportProfile'> = {
  exportProfile: (call) =>
    inSnapshot(call.db, async (tx) => {
      const { userId, now } = call
      const account = await findAccount(tx, userId)
      if (!account) throw new ApiError('UNAUTHORIZED')
      const lists = await listsOf(tx, call, { userId, limit: mostExported + 1 })
      return { exported_at: now, profile: account, notification_settings: account, ...cut(lists) }
    }),
}
