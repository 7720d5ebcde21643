import { daysText } from '@sallyport/domain/text/counted'
import type { Db } from '../../db/client.ts'
import { notify } from '../kernel/notifications.ts'
import type { LockedOrder } from '../sales/orders.ts'

/** What customers are told when money goes back. */

export const tellOfRefund = (
  tx: Db,
  order: LockedOrder,
  to: 'source' | 'balance',
  now: number,
): Promise<void> =>
  notify(tx, {
    userId: order.userId,
    cause: `order:${order.id}:refunded`,
    ru: `Заказ № ${order.id} отменён, деньги возвращены ${to === 'balance' ? 'на баланс' : 'туда, откуда пришли'}.`,
    en: `Order ${order.id} was refunded ${to === 'balance' ? 'to your balance' : 'to where the money came from'}.`,
    now,
  })

/** A key that was moved to another account is taken from whoever has it now. */
export const tellOwnerOfKey = async (tx: Db, order: LockedOrder, now: number): Promise<void> => {
  const key = await tx
    .selectFrom('promocodes')
    .select('buyer_id')
    .where('order_id', '=', order.id)
    .executeTakeFirst()
  if (!key || key.buyer_id === null || key.buyer_id === order.userId) return
  await notify(tx, {
    userId: key.buyer_id,
    cause: `order:${order.id}:taken`,
    ru: `Прежнему владельцу вернули оплату, поэтому код активации на ${daysText(order.days, 'ru')} больше не действует.`,
    en: `The earlier owner's payment was refunded, so an activation code for ${daysText(order.days, 'en')} does not work any more.`,
    now,
  })
}
