import { daysText } from '@sallyport/domain/text/counted'
import { endOf, secondsInDay } from '@sallyport/domain/time/period'
import type { Db } from '../../db/client.ts'
import { notify } from '../kernel/notifications.ts'
import { listGrants } from '../sales/orders.ts'
import type { GrantContext, PaidOrder } from '../sales/products.ts'
import { renewBeforeSeconds } from './auto-renewal.ts'
import { forgetReminders } from './reminders.ts'
import { findStoppedSeconds } from './stopped-days.ts'
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
  const rest = await listGrants(tx, ref, order.id)
  const end = endOf(rest) + (await findStoppedSeconds(tx, term.id))
  const expiresAt = Math.min(term.expires_at, Math.max(at.now, end))
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
