import { endOf, secondsInDay } from '@sallyport/domain/time/period'
import type { Db } from '../../db/client.ts'
import { notify } from '../kernel/notifications.ts'
import { listGrants } from '../sales/orders.ts'
import type { Granter, PaidOrder } from '../sales/products.ts'
import { renewBeforeSeconds } from './auto-renewal.ts'
import { forgetReminders } from './reminders.ts'
import type { TermProduct } from './term-product.ts'
import { holdTermOfItem, type Term, updateTerm } from './terms.ts'

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
    ru: `Прежнему владельцу вернули оплату, поэтому срок ${ru} № ${term.item_id} стал короче (дней: ${days}).`,
    en: `The earlier owner's payment was refunded, so ${en} ${term.item_id} ends earlier (days: ${days}).`,
    now,
  })
}

/**
 * The days of one order go; what the other orders gave stays. What has nothing left is switched off by the next round of
 * expiry.
 */
export const takeDaysBack = async (
  tx: Db,
  at: Granter,
  product: TermProduct,
  order: PaidOrder,
): Promise<void> => {
  if (order.itemId === null) return
  const ref = { product: product.name, itemId: order.itemId }
  const term = await holdTermOfItem(tx, ref)
  if (term?.state !== 'active') return
  const rest = await listGrants(tx, ref, order.id)
  const expiresAt = Math.min(term.expires_at, Math.max(at.now, endOf(rest)))
  // Renewed automatically right now, it would spend the money that is just given back.
  const isEnding = expiresAt <= at.now + renewBeforeSeconds
  await updateTerm(tx, term.id, {
    expires_at: expiresAt,
    ...(isEnding && { auto_renewal: false, auto_renewal_days: null }),
  })
  await forgetReminders(tx, term)
  await tellOwner(tx, product, order, { term, expiresAt, now: at.now })
}
