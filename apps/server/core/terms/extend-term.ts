import { ApiError } from '@sallyport/contract/errors'
import { secondsInDay } from '@sallyport/domain/time/period'
import Type, { type Static } from 'typebox'
import type { Db } from '../../db/client.ts'
import { listTariffDays } from '../sales/prices.ts'
import { type GrantContext, type PaidOrder, purchaseReader, type Sold } from '../sales/products.ts'
import { forgetReminders } from './reminders.ts'
import type { TermProduct } from './term-product.ts'
import { lockOwnTerm, lockTermOfItem, type Term, updateAndTell, updateTerm } from './terms.ts'

/** More days for what is there. */

/** What is kept in the order of a renewal: automatic renewal is left as it is when not said. */
const RenewalPurchase = Type.Object({ enableAutoRenewal: Type.Optional(Type.Boolean()) })
export type RenewalPurchase = Static<typeof RenewalPurchase>
const readRenewal = purchaseReader<RenewalPurchase>(RenewalPurchase)

/** Renewed for as long as a tariff lasts: the one just bought, or the longest below a promocode's days. */
export const renewalDays = async (
  tx: Db,
  sold: Sold,
  order: Pick<PaidOrder, 'id' | 'days'>,
): Promise<number | null> => {
  const offered = await listTariffDays(tx, { ...sold, orderId: order.id })
  return offered.findLast((length) => length <= order.days) ?? offered[0] ?? null
}

/** Throws 404 for what is gone, or ended too long ago to come back. */
export const requireRenewable = (product: TermProduct, term: Term | undefined, now: number): Term => {
  if (!term || term.expires_at + product.graceSeconds <= now) throw new ApiError('NOT_FOUND')
  return term
}

/** An item of this customer that can still be renewed, locked until the transaction ends. */
export const lockRenewable = async (
  tx: Db,
  product: TermProduct,
  item: { readonly userId: number; readonly itemId: number; readonly now: number },
): Promise<Term> => {
  const term = await lockOwnTerm(tx, item.userId, { product: product.name, itemId: item.itemId })
  return requireRenewable(product, term, item.now)
}

const autoRenewalAfter = async (tx: Db, term: Term, order: PaidOrder, isWanted: boolean) => {
  const sold = { product: term.product, productId: term.product_id }
  return { auto_renewal: isWanted, auto_renewal_days: isWanted ? await renewalDays(tx, sold, order) : null }
}

/** From its end, or from now when it has ended; then it comes back. The caller locks it. Returns its new end. */
export const addDays = async (
  tx: Db,
  at: GrantContext,
  product: TermProduct,
  term: Term,
  days: number,
): Promise<number> => {
  const expiresAt = Math.max(at.now, term.expires_at) + days * secondsInDay
  await updateTerm(tx, term.id, { expires_at: expiresAt, renewal_tried_at: null })
  await forgetReminders(tx, term)
  if (term.state === 'expired') {
    await updateAndTell(tx, term.id, { state: 'active' }, 'term.started', at.now)
    await product.bringBack(tx, at, term)
  }
  const hadEnded = term.state === 'active' && term.expires_at <= at.now
  await product.prolonged?.(tx, at, { ...term, state: 'active', expires_at: expiresAt }, hadEnded)
  return expiresAt
}

/** By a paid order. The caller locks it. Returns the item. */
export const prolongTerm = async (
  tx: Db,
  at: GrantContext,
  product: TermProduct,
  term: Term,
  order: PaidOrder,
): Promise<number> => {
  const { enableAutoRenewal } = readRenewal(order)
  // Whoever paid for the days of what is another customer's by now does not decide about that customer's balance.
  const changesAutoRenewal = enableAutoRenewal !== undefined && term.user_id === order.userId
  if (changesAutoRenewal) {
    await updateTerm(tx, term.id, await autoRenewalAfter(tx, term, order, enableAutoRenewal))
  }
  await addDays(tx, at, product, term, order.days)
  return term.item_id
}

export const prolong = async (
  tx: Db,
  at: GrantContext,
  product: TermProduct,
  order: PaidOrder,
): Promise<number> => {
  const ref = { product: product.name, itemId: order.itemId as number }
  const locked = await lockTermOfItem(tx, ref)
  // One that ended long ago while nobody looked is still on, and nothing of it is lost.
  const term = locked?.state === 'active' ? locked : requireRenewable(product, locked, at.now)
  return prolongTerm(tx, at, product, term, order)
}
