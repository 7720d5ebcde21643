import type { ProductClass } from '@sallyport/contract/products'
import type { Db } from '../../db/client.ts'
import { setOrderState } from './orders.ts'
import { type GrantContext, type PaidOrder, type Products, productOf } from './products.ts'
import { issuePromocode } from './promocodes.ts'

/** From paid to fulfilled. */

export interface Granted {
  readonly itemId: number | null
  /** The activation key, when that was bought. */
  readonly code: string | null
}

/** Gives what a paid order was for, in the caller's transaction. */
export const grantOrder = async (
  tx: Db,
  at: GrantContext & { readonly products: Products },
  order: PaidOrder,
): Promise<Granted> => {
  const { id, userId, days } = order
  let granted: Granted
  if (order.asKey) {
    const { product, productId } = order
    const key = {
      product: product as ProductClass,
      productId,
      days,
      buyerId: userId,
      orderId: id,
      now: at.now,
    }
    granted = { itemId: null, code: (await issuePromocode(tx, at.vault, key)).code }
  } else {
    granted = { itemId: await productOf(at.products, order.product).grant(tx, at, order), code: null }
  }
  await setOrderState(tx, { id, state: 'paid' }, 'fulfilled', {
    item_id: granted.itemId,
    next_try_at: null,
    fulfilled_at: at.now,
  })
  return granted
}
