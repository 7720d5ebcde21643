import { roublesText } from '@sallyport/domain/text/counted'
import { type Db, inTransaction } from '../../db/client.ts'
import type { PaymentFact } from '../../ports/payments.ts'
import { raiseAlert } from '../kernel/alerts.ts'
import { notify } from '../kernel/notifications.ts'
import { lockBalance, transfer } from '../ledger/ledger.ts'
import { type LockedOrder, lockOrder } from '../sales/orders.ts'
import { findReceipt, lockReceipt, type ReceiptRow } from './receipts.ts'
import { findRefundOf, insertRefund, type RefundRow, updateRefund } from './refund-rows.ts'
import { takeFromWallet } from './refund-takings.ts'
import { completeRefund, type RefundParts } from './refunds.ts'

/** Money a provider gave back by itself, or because we asked and did not hear its answer. */

/** The event speaks of something that has not been told yet; it comes back later. */
export class NotYet extends Error {
  override readonly name = 'NotYet'
}

type Refunded = Extract<PaymentFact, { kind: 'refunded' }>

/** How much of this piece of money had gone to the customer's balance, in roubles. */
const onBalance = (order: LockedOrder, receipt: ReceiptRow): number => {
  if (receipt.verdict === 'extra') return receipt.value_rub
  const ofOrder = order.product === 'balance' && order.state !== 'paid' ? order.valueRub : 0
  const wasCredited = order.state === 'refunded' ? order.valueRub : 0
  return Math.max(ofOrder, wasCredited) + Math.max(0, receipt.value_rub - order.valueRub)
}

/** What is still there is taken; what was spent is the service's loss, and a person is told. */
const takeBack = async (
  tx: Db,
  at: RefundParts,
  order: LockedOrder,
  receipt: ReceiptRow,
  refund: RefundRow,
): Promise<void> => {
  const wantedRub = onBalance(order, receipt)
  if (wantedRub === 0) return
  const { userId } = order
  const amountRub = Math.min(wantedRub, await lockBalance(tx, userId, 'wallet'))
  const amount = Math.floor((receipt.amount * amountRub) / Math.max(1, receipt.value_rub))
  if (amountRub > 0 && amount > 0) {
    await takeFromWallet(tx, refund, { userId, amountRub, amount }, at.now)
    await notify(tx, {
      userId,
      cause: `refund:${refund.id}:taken`,
      ru: `Платёж по заказу № ${order.id} возвращён вам; зачисленная с него сумма, ${roublesText(amountRub, 'ru')}, списана с баланса.`,
      en: `The payment for order ${order.id} went back to you; what it had brought, ${roublesText(amountRub, 'en')}, was taken from the balance.`,
      now: at.now,
    })
  }
  if (amountRub === wantedRub) return
  const details = { order_id: order.id, missing_rub: wantedRub - amountRub }
  await raiseAlert(tx, { kind: 'refund_uncovered', subject: `refund:${refund.id}`, details, now: at.now })
}

/** Wrong money that was put aside goes back whence it came. */
const releaseSuspense = async (
  tx: Db,
  receipt: ReceiptRow,
  refund: RefundRow,
  now: number,
): Promise<void> => {
  await transfer(tx, {
    cause: `refund:${refund.id}:suspense`,
    kind: 'refund',
    from: { kind: 'suspense', currency: receipt.currency },
    to: { kind: 'refunds', currency: receipt.currency },
    amount: receipt.amount,
    orderId: receipt.order_id,
    now,
  })
}

/** The provider gave back more than we asked it for: a person is told. */
const tellOfMore = async (
  tx: Db,
  receipt: ReceiptRow,
  known: RefundRow,
  fact: Refunded,
  now: number,
): Promise<void> => {
  if (fact.amount <= known.amount) return
  const details = {
    order_id: receipt.order_id,
    refund_id: known.id,
    amount: fact.amount,
    asked_for: known.amount,
  }
  await raiseAlert(tx, { kind: 'refund_uncovered', subject: `receipt:${receipt.id}`, details, now })
}

const tellOfPart = (tx: Db, receipt: ReceiptRow, fact: Refunded, now: number): Promise<void> => {
  const { amount, currency } = fact
  const details = { order_id: receipt.order_id, amount, of: receipt.amount, currency }
  return raiseAlert(tx, { kind: 'partial_refund', subject: `receipt:${receipt.id}:${amount}`, details, now })
}

/** All of it went back without our asking: what it had brought is taken back. */
const reverse = async (tx: Db, at: RefundParts, order: LockedOrder, receipt: ReceiptRow): Promise<void> => {
  const refund = await insertRefund(tx, {
    orderId: order.id,
    receiptId: receipt.id,
    to: 'source',
    amount: receipt.amount,
    currency: receipt.currency,
    recipient: null,
    reason: `refunded by ${receipt.provider}`,
    operatorId: null,
    state: 'requested',
    now: at.now,
  })
  await completeRefund(tx, at, order, refund, receipt, () =>
    receipt.verdict === 'suspense'
      ? releaseSuspense(tx, receipt, refund, at.now)
      : takeBack(tx, at, order, receipt, refund),
  )
}

export const settleRefunded = (db: Db, at: RefundParts, provider: string, fact: Refunded): Promise<void> =>
  inTransaction(db, async (tx) => {
    const seen = await findReceipt(tx, provider, fact.receiptId)
    if (!seen) throw new NotYet(`no money named ${fact.receiptId} is known`)
    const order = await lockOrder(tx, seen.order_id)
    // Again, because money that was put aside may have been credited while this waited for the order.
    const receipt = await lockReceipt(tx, seen.id)
    if (!order || !receipt) throw new Error(`Receipt ${seen.id} has no order`)
    const known = await findRefundOf(tx, receipt.id)
    if (!known)
      return fact.amount < receipt.amount
        ? tellOfPart(tx, receipt, fact, at.now)
        : reverse(tx, at, order, receipt)
    if (fact.amount < known.amount) return tellOfPart(tx, receipt, fact, at.now)
    if (known.destination === 'balance') {
      // Given back twice, by us to the balance and by the provider: the balance loses it again.
      await updateRefund(tx, known.id, { receipt_id: null })
      return reverse(tx, at, order, receipt)
    }
    if (known.state === 'requested') return completeRefund(tx, at, order, known, receipt)
    return tellOfMore(tx, receipt, known, fact, at.now)
  })
