import type { Db } from '../../db/client.ts'
import { transfer } from '../ledger/ledger.ts'
import { type LockedOrder, setOrderState } from '../sales/orders.ts'
import { findMethodKey } from '../sales/prices.ts'
import { productOf } from '../sales/products.ts'
import { returnPromocode } from '../sales/promocodes.ts'
import { isBeingRefunded } from './refund-rows.ts'
import { type RefundParts, refundTo } from './refunds.ts'

/** What was paid and granted, and could not be delivered after all: whatever paid for it comes back. */

/** What was given away is taken out of the books again. */
const takeGiftBack = async (tx: Db, orderId: number, now: number): Promise<void> => {
  const gift = await tx
    .selectFrom('ledger_transfers')
    .select('amount')
    .where('cause', '=', `order:${orderId}:gift`)
    .executeTakeFirst()
  if (!gift) return
  const [from, to] = [{ kind: 'revenue' }, { kind: 'promocode_expense' }] as const
  const { amount } = gift
  await transfer(tx, { cause: `order:${orderId}:gift-back`, kind: 'gift', from, to, amount, orderId, now })
}

/** No money was paid. The code, where one paid, works again. */
const undo = async (tx: Db, at: RefundParts, order: LockedOrder): Promise<void> => {
  const { now } = at
  await productOf(at.products, order.product).revoke(tx, at, order)
  await takeGiftBack(tx, order.id, now)
  if (order.promocodeId !== null) await returnPromocode(tx, order.id, now)
  await setOrderState(tx, order, 'refunded', { refunded_at: now, next_try_at: null })
}

/**
 * The caller locks the order. To whoever has the item now, for whom it was not delivered; who paid may have handed it on and be
 * gone. Nothing to do for one that is being given back already.
 */
export const refundUndelivered = async (
  tx: Db,
  at: RefundParts,
  order: LockedOrder,
  reason: string,
  ownerId: number,
): Promise<void> => {
  if (order.state !== 'fulfilled' || (await isBeingRefunded(tx, order.id))) return
  if (order.promocodeId !== null || order.isGift) return undo(tx, at, order)
  const methodKey = await findMethodKey(tx, order.paymentMethodId)
  const wish = { to: 'balance', reason, recipient: null, operatorId: null } as const
  await refundTo(tx, at, order, methodKey, wish, ownerId)
}
