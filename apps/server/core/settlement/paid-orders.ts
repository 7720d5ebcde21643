import { ApiError } from '@sallyport/contract/errors'
import { roublesText } from '@sallyport/domain/text/counted'
import { type Db, inTransaction } from '../../db/client.ts'
import type { Log } from '../../ports/log.ts'
import { raiseAlert } from '../kernel/alerts.ts'
import type { Job } from '../kernel/jobs.ts'
import { notify } from '../kernel/notifications.ts'
import { creditWallet } from '../ledger/credits.ts'
import { transfer } from '../ledger/ledger.ts'
import { grantOrder } from '../sales/grant-order.ts'
import {
  findOrder,
  type LockedOrder,
  lockOrder,
  setOrderState,
  takeOrdersToGrant,
  updateOrder,
} from '../sales/orders.ts'
import { type GrantContext, type Products, productOf } from '../sales/products.ts'
import { tellIfDeleted } from './deleted-accounts.ts'
import { isBeingRefunded } from './refund-rows.ts'

/** Orders whose money has come: each is granted, or the money credited instead. */

const giveUpAfterSeconds = 600
const tryAgainAfterSeconds = 30
const batchSize = 50

interface GrantParts {
  readonly db: Db
  readonly vault: GrantContext['vault']
  readonly bus: GrantContext['bus']
  readonly products: Products
  readonly log: Log
  readonly stopping: AbortSignal
}

/** The money received for an order becomes the service's own. */
export const earnOrder = (tx: Db, order: LockedOrder, now: number): Promise<boolean> =>
  transfer(tx, {
    cause: `order:${order.id}:earn`,
    kind: 'purchase',
    from: { kind: 'clearing', currency: order.currency },
    to: { kind: 'revenue', currency: order.currency },
    amount: order.price,
    orderId: order.id,
    now,
  })

/** It cannot be given: the money goes to the balance, and the customer is told. */
const creditInstead = async (
  tx: Db,
  order: LockedOrder,
  at: GrantContext & { products: Products },
): Promise<void> => {
  const { id, userId, valueRub } = order
  const what = productOf(at.products, order.product).describe(order)
  await creditWallet(tx, {
    userId,
    from: 'clearing',
    currency: order.currency,
    amount: order.price,
    valueRub,
    cause: `order:${id}:credit`,
    orderId: id,
    now: at.now,
  })
  await setOrderState(tx, order, 'refunded', {
    next_try_at: null,
    refunded_at: at.now,
    refunded_to: 'balance',
  })
  await tellIfDeleted(tx, order, { subject: `order:${id}`, valueRub, now: at.now })
  await notify(tx, {
    userId,
    cause: `order:${id}:credited`,
    ru: `Оплата получена, но выполнить заказ не удалось (${what.ru}). На баланс зачислено ${roublesText(valueRub, 'ru')}: выберите другой вариант и оплатите с него.`,
    en: `Your payment arrived, but the order could not be fulfilled (${what.en}). On your balance there is now ${roublesText(valueRub, 'en')} more: choose something else and pay from it.`,
    now: at.now,
  })
}

const grantOne = (at: GrantParts, orderId: number, now: number): Promise<void> =>
  inTransaction(at.db, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (order?.state !== 'paid' || (await isBeingRefunded(tx, orderId))) return
    if (order.isOfDeleted) return creditInstead(tx, order, { ...at, now })
    await grantOrder(tx, { ...at, now, isLate: true }, order)
    if (order.product !== 'balance') await earnOrder(tx, order, now)
  })

const giveUp = (at: GrantParts, orderId: number, now: number): Promise<void> =>
  inTransaction(at.db, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (order?.state !== 'paid' || (await isBeingRefunded(tx, orderId))) return
    await creditInstead(tx, order, { ...at, now })
  })

/** No room now is tried again for ten minutes; what can never be given is credited at once. */
const handleFailure = async (at: GrantParts, orderId: number, error: unknown, now: number): Promise<void> => {
  const isFull = error instanceof ApiError && error.code === 'NO_SERVER_AVAILABLE'
  if (error instanceof ApiError && !isFull) return giveUp(at, orderId, now)
  const order = await findOrder(at.db, orderId)
  if (order?.state !== 'paid') return
  const giveUpAt = order.paidAt + giveUpAfterSeconds
  if (isFull && now >= giveUpAt) return giveUp(at, orderId, now)
  const next = now + tryAgainAfterSeconds
  // Nobody waits longer than the ten minutes because the try before them was a little early.
  await updateOrder(at.db, orderId, { next_try_at: now < giveUpAt ? Math.min(next, giveUpAt) : next })
  if (isFull) return
  at.log.error({ err: error, orderId }, 'a paid order was not granted; it is tried again')
  if (now < giveUpAt) return
  const details = { message: (error as Error).message }
  await raiseAlert(at.db, { kind: 'grant_failed', subject: `order:${orderId}`, details, now })
}

/** Grants what is paid and due. Each order is a transaction of its own, so that one does not hold up the rest. */
export const grantPaidOrders = async (at: GrantParts, now: number): Promise<void> => {
  while (!at.stopping.aborted) {
    const ids = await takeOrdersToGrant(at.db, now, batchSize)
    for (const id of ids) {
      if (at.stopping.aborted) return
      await grantOne(at, id, now).catch((error: unknown) => handleFailure(at, id, error, now))
    }
    if (ids.length < batchSize) return
  }
}

export const grantPaidOrdersJob: Job<GrantParts> = {
  name: 'grant paid orders',
  everySeconds: 5,
  run: grantPaidOrders,
}
