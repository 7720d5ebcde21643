import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { takeDue } from '../kernel/due-rows.ts'

/** Refunds as they are kept. */

export interface NewRefund {
  readonly orderId: number
  readonly receiptId: number | null
  readonly to: 'balance' | 'source'
  readonly amount: number
  readonly currency: string
  readonly recipient: string | null
  readonly reason: string
  readonly operatorId: number | null
  readonly state: 'requested' | 'done'
  readonly now: number
}

const columns = [
  'id',
  'order_id',
  'receipt_id',
  'destination',
  'amount',
  'currency',
  'recipient',
  'reason',
  'state',
  'failure',
  'attempts',
  'created_at',
  'done_at',
] as const

export const insertRefund = (tx: Db, refund: NewRefund) =>
  tx
    .insertInto('refunds')
    .values({
      order_id: refund.orderId,
      receipt_id: refund.receiptId,
      destination: refund.to,
      amount: refund.amount,
      currency: refund.currency,
      recipient: refund.recipient,
      reason: refund.reason,
      operator_id: refund.operatorId,
      state: refund.state,
      next_try_at: refund.state === 'requested' ? refund.now : null,
      created_at: refund.now,
      done_at: refund.state === 'done' ? refund.now : null,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()

export type RefundRow = Awaited<ReturnType<typeof insertRefund>>

export const updateRefund = async (
  tx: Db,
  id: number,
  change: {
    state?: RefundRow['state']
    failure?: string
    receipt_id?: null
    next_try_at?: number | null
    done_at?: number
  },
): Promise<void> => {
  await tx.updateTable('refunds').set(change).where('id', '=', id).execute()
}

/** Undefined when it was settled meanwhile. */
export const findRequested = (db: Db, id: number): Promise<RefundRow | undefined> =>
  db
    .selectFrom('refunds')
    .select(columns)
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .executeTakeFirst()

export const isBeingRefunded = async (db: Db, orderId: number): Promise<boolean> => {
  const row = await db
    .selectFrom('refunds')
    .select('id')
    .where('order_id', '=', orderId)
    .where('state', '=', 'requested')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Of the piece of money, when there is one. */
export const findRefundOf = (db: Db, receiptId: number): Promise<RefundRow | undefined> =>
  db.selectFrom('refunds').select(columns).where('receipt_id', '=', receiptId).executeTakeFirst()

/** Refunds the provider is to be asked for, taken for a while so that other instances leave them alone. */
export const takeDueRefunds = (db: Db, now: number, limit: number): Promise<RefundRow[]> => {
  const due = { table: 'refunds', column: 'next_try_at', where: sql`state = 'requested'` } as const
  return takeDue(db, { ...due, countsAttempts: true, leaseSeconds: 120, limit, now }, columns)
}
