import { toRoubles } from '@sallyport/domain/money/exchange'
import { commissionOf } from '@sallyport/domain/money/referral'
import type { Journal } from '../journal.ts'
import type { Books, OrderRow, ReceiptRow, RefundRow } from '../queries.ts'
import { findIntents, type IntentOf } from './check-intents.ts'

/**
 * What every balance must be, made from what customers were shown and what providers took. The service's books say
 * only what became of each order; the amounts are not theirs.
 */

const referralPercent = 20
const balanceMethod = 1
/** A payment may be granted, and a share earned, a while after it came. */
const graceSeconds = 86_400
const referralMethod = 7

const isInner = ({ payment_method_id: method }: OrderRow): boolean =>
  method === balanceMethod || method === referralMethod

export interface Model {
  readonly wallets: Map<number, number>
  readonly referrals: Map<number, number>
}

const add = (balances: Map<number, number>, userId: number, amount: number): void => {
  balances.set(userId, (balances.get(userId) ?? 0) + amount)
}

interface Sources {
  readonly journal: Journal
  readonly books: Books
  readonly intentOf: IntentOf
  readonly receiptsOf: ReadonlyMap<number, readonly ReceiptRow[]>
  readonly refundsOf: ReadonlyMap<number, readonly RefundRow[]>
}

/** Roubles of a piece of money: at the order's rate, and what is beyond the price never above the day's rate. */
const worthOf = ({ journal, intentOf }: Sources, order: OrderRow, receipt: ReceiptRow): number => {
  if (receipt.verdict === 'suspense') return 0
  const isWrong = receipt.currency !== order.currency || receipt.amount < order.price
  if (isWrong) return journal.credits.get(receipt.id) ?? Number.NaN
  if (receipt.currency === 'RUB') return receipt.amount
  if (journal.isRateMoment(receipt.currency, receipt.created_at)) return receipt.value_rub
  const value = intentOf(order)?.worthOf(order.price) ?? Number.NaN
  const excess = receipt.amount - order.price
  const rate = journal.rateAt(receipt.currency, receipt.created_at)
  const today = rate === undefined ? Number.POSITIVE_INFINITY : toRoubles(excess, receipt.currency, rate)
  return value + Math.min(Math.floor((value * excess) / order.price), today)
}

const roublesOf = ({ intentOf }: Sources, order: OrderRow): number =>
  intentOf(order)?.worthOf(order.price) ?? order.price

/** Roubles that one receipt brought to the balance, with what a refund of the order put there. */
const broughtBy = (from: Sources, order: OrderRow, receipt: ReceiptRow): number => {
  const worth = worthOf(from, order, receipt)
  if (receipt.verdict !== 'accepted') return worth
  const isOnBalance =
    order.product === 'balance' ? order.fulfilled_at !== null : order.refunded_to === 'balance'
  const value = roublesOf(from, order)
  return worth - value + (isOnBalance ? value : 0)
}

const missingOf = ({ books }: Sources, { id }: RefundRow): number => {
  const subject = `refund:${id}`
  const alert = books.alerts.find((row) => row.kind === 'refund_uncovered' && row.subject === subject)
  return Number((alert?.details as { missing_rub?: number } | undefined)?.missing_rub ?? 0)
}

/** What a refund put on the balance, or took from it. */
const movedBy = (from: Sources, order: OrderRow, refund: RefundRow): number => {
  if (refund.state !== 'done' || refund.destination === 'balance') return 0
  const isTopUp = order.product === 'balance' && order.fulfilled_at !== null
  if (refund.operator_id !== null) return isTopUp ? -roublesOf(from, order) : 0
  const receipt = from.receiptsOf.get(order.id)?.find(({ id }) => id === refund.receipt_id)
  return receipt ? missingOf(from, refund) - broughtBy(from, order, receipt) : Number.NaN
}

/** What an order has done to its customer's balance, or to the earnings it was paid with. */
const effectOf = (from: Sources, order: OrderRow): number => {
  if (isInner(order)) return order.refunded_at === null ? -order.price : 0
  const receipts = from.receiptsOf.get(order.id) ?? []
  const refunds = from.refundsOf.get(order.id) ?? []
  const brought = receipts.reduce((sum, receipt) => sum + broughtBy(from, order, receipt), 0)
  return refunds.reduce((sum, refund) => sum + movedBy(from, order, refund), brought)
}

const addOrders = (model: Model, from: Sources): string[] => {
  const moved = new Map<number | null, string[]>()
  const sums = new Map<number | null, number>()
  for (const { order_id, cause, amount, from_kind, to_kind } of from.books.transfers) {
    const kinds = ['wallet', 'referral']
    const isCommission = cause.startsWith('commission')
    const sign = isCommission ? 0 : Number(kinds.includes(to_kind)) - Number(kinds.includes(from_kind))
    sums.set(order_id, (sums.get(order_id) ?? 0) + sign * amount)
    moved.set(order_id, [...(moved.get(order_id) ?? []), `${cause} ${amount}`])
  }
  return from.books.orders.flatMap((order) => {
    const effect = effectOf(from, order)
    add(order.payment_method_id === referralMethod ? model.referrals : model.wallets, order.user_id, effect)
    const sum = sums.get(order.id) ?? 0
    // Money that comes for a deleted account has rules of its own, which the books are held to.
    if (from.journal.deletions.has(order.user_id)) return []
    const shown = `${JSON.stringify(order)} ${moved.get(order.id)?.join(', ')}`
    return sum === effect ? [] : [`order ${order.id} moved ${sum}, not ${effect}: ${shown}`]
  })
}

/** Each share is as large as it must be, and has been released or taken back as its money was. */
const addCommissions = (model: Model, from: Sources): string[] => {
  const { books, journal } = from
  const referrers = new Map(books.users.map((user) => [user.id, user.referrer_id]))
  const earned = new Map(books.commissions.map((commission) => [commission.receipt_id, commission]))
  const moved = new Map(books.transfers.map((transfer) => [transfer.cause, transfer]))
  const refunded = new Set(books.refunds.filter(({ state }) => state === 'done').map((row) => row.receipt_id))
  const orders = new Map(books.orders.map((order) => [order.id, order]))
  return books.receipts.flatMap((receipt) => {
    const order = orders.get(receipt.order_id) as OrderRow
    const referrer = referrers.get(order.user_id) ?? null
    const amount = commissionOf(worthOf(from, order, receipt), referralPercent)
    const commission = earned.get(receipt.id)
    const isOver = (id: number) => journal.isDeletedBy(id, receipt.created_at + graceSeconds)
    if (!commission && (isOver(order.user_id) || (referrer !== null && isOver(referrer)))) return []
    if (Number.isNaN(amount) && journal.deletions.has(order.user_id)) return []
    if (referrer === null || amount === 0) return commission ? [`${receipt.id} earned somebody a share`] : []
    const state = refunded.has(receipt.id) ? 'reversed' : 'released'
    const ownerAt = (time: number) => journal.ownerAt(referrer, commission?.created_at ?? 0, time)
    const owner = ownerAt(Number.POSITIVE_INFINITY)
    if (commission?.amount !== amount || commission.referrer_id !== owner || commission.state !== state) {
      return [`receipt ${receipt.id} is to earn ${amount} ${state}: ${JSON.stringify(commission ?? null)}`]
    }
    const release = moved.get(`commission:${commission.id}:release`)
    const reversal = moved.get(`commission:${commission.id}:reverse`)
    const taken = reversal?.amount ?? 0
    const isReleased = release !== undefined
    if (release) add(model.referrals, ownerAt(release.created_at), amount)
    if (release && reversal) add(model.referrals, ownerAt(reversal.created_at), -taken)
    const isWhole = taken === (state === 'reversed' ? amount : 0)
    return isWhole || (isReleased && taken < amount) ? [] : [`commission ${commission.id} took ${taken} back`]
  })
}

const sourcesOf = (journal: Journal, books: Books): Sources => ({
  journal,
  books,
  intentOf: findIntents(journal),
  receiptsOf: Map.groupBy(books.receipts, (receipt) => receipt.order_id),
  refundsOf: Map.groupBy(books.refunds, (refund) => refund.order_id),
})

/** Asked for = paid + rejected + pending, each as it was asked for. */
const checkWithdrawals = (model: Model, journal: Journal, { withdrawals }: Books): string[] => {
  const rows = new Map(withdrawals.map((row) => [row.id, row]))
  const problems = journal.withdrawals.flatMap(({ id, userId, amount }) => {
    const row = rows.get(id)
    rows.delete(id)
    if (row?.user_id !== userId || row.amount !== amount)
      return [`withdrawal ${id} is not there as asked for`]
    if (row.status !== 'rejected') add(model.referrals, userId, -amount)
    return []
  })
  return [...problems, ...[...rows.keys()].map((id) => `withdrawal ${id} was never asked for`)]
}

const compare = (
  books: Books,
  kind: 'wallet' | 'referral',
  expected: ReadonlyMap<number, number>,
): string[] =>
  books.accounts.flatMap((account) => {
    const userId = account.user_id as number
    if (account.kind !== kind || !expected.has(userId)) return []
    const wanted = expected.get(userId)
    return account.balance === wanted ? [] : [`${kind} of ${userId} is ${account.balance}, not ${wanted}`]
  })

export const checkWallets = (journal: Journal, books: Books): { problems: string[]; model: Model } => {
  const from = sourcesOf(journal, books)
  const model: Model = { wallets: new Map(), referrals: new Map() }
  for (const [userId, { wallet, referral }] of journal.openings) {
    add(model.wallets, userId, wallet + journal.adjusted(userId))
    add(model.referrals, userId, referral)
  }
  for (const { fromId, toId, wallet, referral } of journal.moves) {
    add(model.wallets, fromId, -wallet)
    add(model.wallets, toId, wallet)
    add(model.referrals, fromId, -referral)
    add(model.referrals, toId, referral)
  }
  const problems = [
    ...addOrders(model, from),
    ...addCommissions(model, from),
    ...checkWithdrawals(model, journal, books),
  ]
  // Nobody can spend what is left there.
  for (const userId of journal.deletions.keys()) {
    model.wallets.delete(userId)
    model.referrals.delete(userId)
  }
  const wallets = compare(books, 'wallet', model.wallets)
  return { problems: [...problems, ...wallets, ...compare(books, 'referral', model.referrals)], model }
}
