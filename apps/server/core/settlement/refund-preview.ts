import { ApiError } from '@sallyport/contract/errors'
import { secondsInDay } from '@sallyport/domain/time/period'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/client.ts'
import { type LockedOrder, lockOrder } from '../sales/orders.ts'
import { findMethodKey } from '../sales/prices.ts'
import { productOf } from '../sales/products.ts'
import { type RefundParts, requestRefund } from './refunds.ts'

/** What a refund would do, found out by doing it and undoing it again: it cannot say anything else than what would happen. */

export interface RefundPreview {
  readonly to: ('source' | 'balance')[]
  /** Why it cannot be refunded at all. */
  readonly problem: string | null
  readonly takesBack: {
    readonly days: number
    readonly expiresAt: number | null
    readonly key: boolean
    readonly balance: number
    readonly commission: number
  }
}

interface Standing {
  readonly expires_at: number | null
  readonly balance: number
  readonly commission: number
}

const standingOf = async (tx: Db, order: LockedOrder): Promise<Standing> => {
  const { rows } = await sql<Standing>`
    select (select expires_at from terms where product = ${order.product} and item_id = ${order.itemId}::bigint
        and state = 'active') as expires_at,
      (select balance from ledger_accounts where user_id = ${order.userId}::bigint and kind = 'wallet') as balance,
      (select coalesce(sum(c.amount), 0)::bigint from commissions c join receipts r on r.id = c.receipt_id
        where r.order_id = ${order.id}::bigint and r.verdict = 'accepted' and c.state <> 'reversed') as commission`.execute(
    tx,
  )
  return rows[0] as Standing
}

class Undone extends Error {
  readonly takesBack: RefundPreview['takesBack']

  constructor(takesBack: RefundPreview['takesBack']) {
    super('undone on purpose')
    this.takesBack = takesBack
  }
}

/** At the source the rest follows once the provider has given the money back. */
const refundAll = async (
  tx: Db,
  at: RefundParts,
  order: LockedOrder,
  to: 'source' | 'balance',
): Promise<void> => {
  const methodKey = await findMethodKey(tx, order.paymentMethodId)
  await requestRefund(tx, at, order, methodKey, { to, reason: 'preview', recipient: null, operatorId: null })
  const isGiven = order.state === 'fulfilled' && !order.asKey && order.product !== 'balance'
  if (to === 'source' && isGiven) await productOf(at.products, order.product).revoke(tx, at, order)
}

const attempt = async (
  db: Db,
  at: RefundParts,
  orderId: number,
  to: 'source' | 'balance',
): Promise<RefundPreview['takesBack'] | string> => {
  try {
    await inTransaction(db, async (tx) => {
      const order = await lockOrder(tx, orderId)
      if (!order) throw new ApiError('NOT_FOUND')
      const before = await standingOf(tx, order)
      await refundAll(tx, at, order, to)
      const after = await standingOf(tx, order)
      const endsAt = before.expires_at === after.expires_at ? null : after.expires_at
      throw new Undone({
        days: endsAt === null ? 0 : Math.ceil(((before.expires_at ?? 0) - endsAt) / secondsInDay),
        expiresAt: endsAt,
        key: order.asKey && order.state === 'fulfilled',
        balance: Math.max(0, before.balance - after.balance),
        commission: before.commission,
      })
    })
  } catch (error) {
    if (error instanceof Undone) return error.takesBack
    if (error instanceof ApiError && error.details) return error.details[0]?.problem ?? error.message
    throw error
  }
  throw new Error('A refund that was only tried has been made')
}

const nothing = { days: 0, expiresAt: null, key: false, balance: 0, commission: 0 }

export const previewRefund = async (db: Db, at: RefundParts, orderId: number): Promise<RefundPreview> => {
  const toSource = await attempt(db, at, orderId, 'source')
  const toBalance = await attempt(db, at, orderId, 'balance')
  const isPossible = (tried: typeof toSource): tried is RefundPreview['takesBack'] =>
    typeof tried !== 'string'
  const possible = [toSource, toBalance].find(isPossible)
  return {
    to: [
      ...(isPossible(toSource) ? (['source'] as const) : []),
      ...(isPossible(toBalance) ? (['balance'] as const) : []),
    ],
    problem: possible ? null : typeof toBalance === 'string' ? toBalance : null,
    takesBack: possible ?? nothing,
  }
}
