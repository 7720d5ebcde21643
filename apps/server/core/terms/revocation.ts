import { daysText } from '@sallyport/domain/text/counted'
import { endOf, secondsInDay } from '@sallyport/domain/time/period'
import type { Db } from '../../db/client.ts'
import { notify } from '../kernel/notifications.ts'
import { listGrants } from '../sales/orders.ts'
import type { GrantContext, PaidOrder } from '../sales/products.ts'
import { renewBeforeSeconds } from './auto-renewal.ts'
import { forgetReminders } from './reminders.ts'
import { findStoppedSeconds } from './stopped-days.ts'
import { listGivenDays } from './term-days.ts'
import type { TermProduct } from './term-product.ts'
import { lockTermOfItem, type Term, updateTerm } from './terms.ts'

/** It was moved to another account since: its present owner did not ask for anything, and loses days. */
const tellOwner = async (
  tx: Db,
  { words }: TermProduct,
  order: PaidOrder,
  owned: { readonly term: Term; readonly expiresAt: number; readonly now: number },
): Promise<void> => {
  const { term, expiresAt, now } = owned
  const days = Math.ceil((term.expires_at - expiresAt) / secondsInDay)
  if (term.user_id === order.userId || days <= 0) return
  const { ru, en } = words.genitive
  await notify(tx, {
    userId: term.user_id,
    cause: `order:${order.id}:taken`,
    ru: `Прежнему владельцу вернули оплату, поэтому срок ${ru} № ${term.item_id} сократился на ${daysText(days, 'ru')}.`,
    en: `The earlier owner's payment was refunded, so ${en} ${term.item_id} ends ${daysText(days, 'en')} earlier.`,
    now,
  })
}

/** When it would end without this order: what others gave, and days that did not run, stay. */
export const findEndWithout = async (
  db: Db,
  term: Pick<Term, 'id' | 'product' | 'item_id' | 'expires_at'>,
  orderId: number,
  now: number,
): Promise<number> => {
  const rest = await listGrants(db, { product: term.product, itemId: term.item_id }, orderId)
  const end = endOf([...rest, ...(await listGivenDays(db, term.id))])
  return Math.min(term.expires_at, Math.max(now, end + (await findStoppedSeconds(db, term.id))))
}

/**
 * The days of one order go; what the other orders gave stays. What has nothing left is switched off by the next round of
 * expiry.
 */
export const takeDaysBack = async (
  tx: Db,
  at: GrantContext,
  product: TermProduct,
  order: PaidOrder,
): Promise<void> => {
  if (order.itemId === null) return
  const ref = { product: product.name, itemId: order.itemId }
  const term = await lockTermOfItem(tx, ref)
  if (term?.state !== 'active') return
  const expiresAt = await findEndWithout(tx, term, order.id, at.now)
  // Renewed automatically right now, it would spend the money that is just given back.
  const isEnding = expiresAt <= at.now + renewBeforeSeconds
  await updateTerm(tx, term.id, {
    expires_at: expiresAt,
    // What has nothing left does not wait for a server.
    ...(expiresAt <= at.now && { stopped_at: null }),
    ...(isEnding && { auto_renewal: false, auto_renewal_days: null }),
  })
  await forgetReminders(tx, term)
  await tellOwner(tx, product, order, { term, expiresAt, now: at.now })
}
