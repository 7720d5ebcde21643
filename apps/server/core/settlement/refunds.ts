import { ApiError, conflict } from '@sallyport/contract/errors'
import type { Db } from '../../db/client.ts'
import { raiseAlert } from '../kernel/alerts.ts'
import { creditWallet } from '../ledger/credits.ts'
import { lockBalance, transfer } from '../ledger/ledger.ts'
import { type LockedOrder, setOrderState } from '../sales/orders.ts'
import { isInner } from '../sales/prices.ts'
import { type GrantContext, type Products, productOf } from '../sales/products.ts'
import { restoreBoughtKey, revokeBoughtKey } from '../sales/promocodes.ts'
import { reverseCommission } from './commissions.ts'
import { findStranded, forgetPayee, tellIfDeleted } from './deleted-accounts.ts'
import { earnOrder } from './paid-orders.ts'
import { findAcceptedReceipt, type ReceiptRow } from './receipts.ts'
import { tellOfRefund, tellOwnerOfKey } from './refund-notices.ts'
import { insertRefund, isBeingRefunded, type RefundRow, updateRefund } from './refund-rows.ts'
import { findTakenRub, takeFromWallet } from './refund-takings.ts'

/** Giving money back. What the order gave is taken back with it, and so is the referrer's share. */

export interface RefundParts extends GrantContext {
  readonly products: Products
}

export interface RefundWish {
  readonly to: 'source' | 'balance'
  readonly reason: string
  readonly recipient: string | null
  /** Null when the provider did it by itself. */
  readonly operatorId: number | null
}

/** Nobody can use the key from here on; 409 when somebody has. */
const takeKeyBack = async (tx: Db, order: LockedOrder, now: number): Promise<void> => {
  if (await revokeBoughtKey(tx, order.id, now)) return
  throw conflict('id', 'the activation key was used already, so there is nothing to give back')
}

const revokeGrant = async (tx: Db, at: RefundParts, order: LockedOrder): Promise<void> => {
  if (order.state !== 'fulfilled') return
  if (!order.asKey) return productOf(at.products, order.product).revoke(tx, at, order)
  await takeKeyBack(tx, order, at.now)
  await tellOwnerOfKey(tx, order, at.now)
}

/** What was received for an order that is refunded before its grant counts as earned, and then as given back. */
const earnFirst = async (tx: Db, order: LockedOrder, now: number): Promise<void> => {
  if (order.state === 'paid') await earnOrder(tx, order, now)
}

/** Inside the service it is one transaction. */
const refundInside = async (
  tx: Db,
  at: RefundParts,
  order: LockedOrder,
  wish: RefundWish,
  paidWith: { methodKey: string; receipt: ReceiptRow | undefined },
  userId = order.userId,
): Promise<RefundRow> => {
  const { id, price, currency, valueRub } = order
  const { now } = at
  const cause = `order:${id}:refund`
  // The item before the balance, as renewals lock them: the other way round the two would wait for each other.
  await revokeGrant(tx, at, order)
  if (paidWith.methodKey === 'referral') {
    const [from, to] = [{ kind: 'refunds' }, { userId, kind: 'referral' }] as const
    await transfer(tx, { cause, kind: 'refund', from, to, amount: price, orderId: id, now })
  } else {
    const credit = { userId, currency, amount: price, valueRub, orderId: id, now }
    await creditWallet(tx, { ...credit, from: 'refunds', cause })
  }
  if (paidWith.receipt) await earnFirst(tx, order, now)
  if (paidWith.receipt) await reverseCommission(tx, { receiptId: paidWith.receipt.id, now })
  await setOrderState(tx, order, 'refunded', { refunded_at: now, refunded_to: 'balance', next_try_at: null })
  await tellOfRefund(tx, { ...order, userId }, 'balance', now)
  const row = { orderId: id, receiptId: paidWith.receipt?.id ?? null, amount: price, currency, ...wish, now }
  return insertRefund(tx, { ...row, state: 'done' })
}

/** At once and to the balance of whoever is named, whoever paid. */
export const refundTo = async (
  tx: Db,
  at: RefundParts,
  order: LockedOrder,
  methodKey: string,
  wish: RefundWish,
  userId: number,
): Promise<RefundRow> => {
  const receipt = await findAcceptedReceipt(tx, order.id)
  return refundInside(tx, at, order, wish, { methodKey, receipt }, userId)
}

const refusal = (order: LockedOrder, wish: RefundWish, methodKey: string): string | undefined => {
  if (order.isGift) return 'it was given without payment: take its days instead'
  if (order.promocodeId !== null) return 'it was paid with a promocode: there is no money to give back'
  if (order.isOfDeleted && isInner(methodKey))
    return 'the account is deleted, and the balance that paid with it'
  if (order.isOfDeleted && wish.to === 'balance') return 'the account is deleted; refund to the source'
  if (order.state !== 'fulfilled' && order.state !== 'paid') {
    return `only what is paid can be refunded, and this order is ${order.state}`
  }
  if (wish.to === 'source' && isInner(methodKey)) return 'it was paid from the balance: refund it there'
  if (wish.to === 'balance' && order.product === 'balance') return 'a top-up is on the balance already'
  return undefined
}

interface Piece {
  readonly receipt: ReceiptRow
  readonly amount: number
  /** What of it is to be taken from the balance. */
  readonly onBalanceRub: number
}

/** Of an order that is being ended: its price, which a top-up has put on the balance. */
const pieceOfOrder = async (tx: Db, order: LockedOrder): Promise<Piece> => {
  // Then the whole of it can go back; now only the price could.
  if (order.isOfDeleted && order.state === 'paid') {
    throw conflict('id', 'the account is deleted and the money is being credited; ask again in a minute')
  }
  const receipt = await findAcceptedReceipt(tx, order.id)
  if (!receipt) throw conflict('id', 'no money from outside is known for this order')
  const isOnBalance = order.product === 'balance' && order.state === 'fulfilled'
  return { receipt, amount: order.price, onBalanceRub: isOnBalance ? order.valueRub : 0 }
}

/** Written down, and taken from the balance at once; the provider is asked after the commit. */
const requestPiece = async (
  tx: Db,
  order: LockedOrder,
  wish: RefundWish,
  piece: Piece,
  now: number,
): Promise<RefundRow> => {
  const { id: orderId, userId } = order
  const { receipt, amount, onBalanceRub: amountRub } = piece
  const row = { orderId, receiptId: receipt.id, amount, currency: receipt.currency, ...wish, now }
  const refund = await insertRefund(tx, { ...row, state: 'requested' })
  if (amountRub === 0) return refund
  if ((await lockBalance(tx, userId, 'wallet')) < amountRub) {
    const spent = 'the customer has spent the top-up; adjust the balance first'
    throw conflict('id', order.isOfDeleted ? 'the money is not on the balance any more' : spent)
  }
  await takeFromWallet(tx, refund, { userId, amountRub, amount }, now)
  return refund
}

/**
 * The operator's wish. To the balance it is done at once; to the source it is written down, and the provider is asked
 * after the commit. The caller locks the order.
 */
export const requestRefund = async (
  tx: Db,
  at: RefundParts,
  order: LockedOrder,
  methodKey: string,
  wish: RefundWish,
): Promise<RefundRow> => {
  const { now } = at
  if (await isBeingRefunded(tx, order.id)) throw conflict('id', 'is being refunded already')
  const stranded = wish.to === 'source' ? await findStranded(tx, order) : undefined
  if (stranded) {
    const { amount, value_rub: onBalanceRub } = stranded
    return requestPiece(tx, order, wish, { receipt: stranded, amount, onBalanceRub }, now)
  }
  const problem = refusal(order, wish, methodKey)
  if (problem) throw conflict('id', problem)
  if (wish.to === 'balance') {
    const receipt = await findAcceptedReceipt(tx, order.id)
    return refundInside(tx, at, order, wish, { methodKey, receipt })
  }
  const refund = await requestPiece(tx, order, wish, await pieceOfOrder(tx, order), now)
  if (order.asKey && order.state === 'fulfilled') await takeKeyBack(tx, order, now)
  return refund
}

/** A key that somebody used cannot be taken back any more, although the money is gone: a person is told. */
const revokeOrTell = async (tx: Db, at: RefundParts, order: LockedOrder): Promise<void> => {
  try {
    await revokeGrant(tx, at, order)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CONFLICT') throw error
    const details = { order_id: order.id, problem: 'the money is back, but the activation key was used' }
    await raiseAlert(tx, { kind: 'refund_uncovered', subject: `order:${order.id}`, details, now: at.now })
  }
}

/**
 * The provider has given the money back: the rest follows. The caller locks the order. `takeBack` is what is left to
 * take from the balance, after the item and before the referrer's share.
 */
export const completeRefund = async (
  tx: Db,
  at: RefundParts,
  order: LockedOrder,
  refund: RefundRow,
  receipt: ReceiptRow,
  takeBack: () => Promise<void> = async () => undefined,
): Promise<void> => {
  const { now } = at
  const endsOrder = receipt.verdict === 'accepted' && order.state !== 'refunded'
  if (endsOrder) await revokeOrTell(tx, at, order)
  await takeBack()
  if (endsOrder) await earnFirst(tx, order, now)
  await transfer(tx, {
    cause: `refund:${refund.id}:out`,
    kind: 'refund',
    from: { kind: 'refunds', currency: refund.currency },
    to: { kind: 'provider', provider: receipt.provider, currency: refund.currency },
    amount: refund.amount,
    orderId: order.id,
    now,
  })
  await reverseCommission(tx, { receiptId: receipt.id, now })
  await updateRefund(tx, refund.id, { state: 'done', done_at: now, next_try_at: null })
  await forgetPayee(tx, order, receipt.id)
  if (!endsOrder) return
  await setOrderState(tx, order, 'refunded', { refunded_at: now, refunded_to: 'source', next_try_at: null })
  await tellOfRefund(tx, order, 'source', now)
}

/** The provider refused: what was taken at the wish is given again, and a person is told. */
export const failRefund = async (
  tx: Db,
  order: LockedOrder,
  refund: RefundRow,
  failure: string,
  now: number,
): Promise<void> => {
  // Without its receipt, so that the operator may ask again.
  await updateRefund(tx, refund.id, { state: 'failed', failure, next_try_at: null, receipt_id: null })
  // Nothing is granted while a refund is under way, so the state is the one the wish found.
  if (order.state === 'fulfilled' && order.asKey) await restoreBoughtKey(tx, order.id)
  const valueRub = await findTakenRub(tx, refund.id)
  if (valueRub > 0) {
    await creditWallet(tx, {
      userId: order.userId,
      from: 'refunds',
      currency: refund.currency,
      amount: refund.amount,
      valueRub,
      cause: `refund:${refund.id}:returned`,
      orderId: order.id,
      now,
    })
  }
  await tellIfDeleted(tx, order, { subject: `order:${order.id}`, valueRub: order.valueRub, now })
  const details = { order_id: order.id, failure }
  await raiseAlert(tx, { kind: 'refund_failed', subject: `refund:${refund.id}`, details, now })
}
