import { moveOrder } from '@sallyport/domain/lifecycle/order'
import type { PriceSteps } from '@sallyport/domain/pricing'
import type { Db } from '../db/client.ts'
import { transfer } from './ledger.ts'
import type { ProductClass } from './prices.ts'

export interface BalanceOrder {
  readonly userId: number
  readonly product: ProductClass
  readonly paymentMethodId: number
  readonly tariffId: number
  readonly days: number
  readonly price: PriceSteps
  readonly isRenewal?: boolean
  readonly now: number
}

/** An order charged to the wallet at once; throws INSUFFICIENT_BALANCE when the wallet does not cover it. */
export const payFromBalance = async (tx: Db, order: BalanceOrder): Promise<number> => {
  const { id } = await tx
    .insertInto('orders')
    .values({
      user_id: order.userId,
      product: order.product,
      state: moveOrder('created', 'paid'),
      payment_method_id: order.paymentMethodId,
      tariff_id: order.tariffId,
      days: order.days,
      price: order.price.charged,
      price_steps: JSON.stringify(order.price),
      config_id: null,
      is_renewal: order.isRenewal ?? false,
      created_at: order.now,
      fulfilled_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await transfer(tx, {
    cause: `order:${id}:charge`,
    kind: 'purchase',
    from: { userId: order.userId, kind: 'wallet' },
    to: { kind: 'revenue' },
    amount: order.price.charged,
    orderId: id,
    now: order.now,
  })
  return id
}

export const fulfilOrder = async (tx: Db, orderId: number, configId: number, now: number): Promise<void> => {
  await tx
    .updateTable('orders')
    .set({ state: moveOrder('paid', 'fulfilled'), config_id: configId, fulfilled_at: now })
    .where('id', '=', orderId)
    .where('state', '=', 'paid')
    .execute()
}
