import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { raiseAlert } from '../kernel/alerts.ts'
import type { LockedOrder } from '../sales/orders.ts'
import { type ReceiptRow, receiptColumns } from './receipts.ts'

/** Money of an account that is gone: it is on a balance nobody can spend, and may go back whence it came. */

export const tellIfDeleted = async (
  tx: Db,
  order: LockedOrder,
  credit: {
    /** What is credited, once. */
    readonly subject: string
    readonly valueRub: number
    readonly now: number
  },
): Promise<void> => {
  if (!order.isOfDeleted) return
  const { subject, valueRub, now } = credit
  const details = { user_id: order.userId, order_id: order.id, value_rub: valueRub }
  await raiseAlert(tx, { kind: 'paid_after_deletion', subject, details, now })
}

/** A piece of it that was credited instead of giving what was ordered; undefined when there is none. */
export const findStranded = async (tx: Db, order: LockedOrder): Promise<ReceiptRow | undefined> => {
  if (!order.isOfDeleted) return undefined
  return (
    tx
      .selectFrom('receipts as r')
      .select(receiptColumns)
      .where('order_id', '=', order.id)
      .where('verdict', 'in', order.state === 'refunded' ? ['accepted', 'extra'] : ['extra'])
      // What is worth less than a rouble was never on a balance.
      .where('value_rub', '>', 0)
      .where(sql<boolean>`not exists (select from refunds f where f.receipt_id = r.id)`)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
  )
}

/** Whom a refund went to need not be known once it is done. */
export const forgetPayee = async (tx: Db, order: LockedOrder, receiptId: number): Promise<void> => {
  if (!order.isOfDeleted) return
  await tx.updateTable('receipts').set({ payer: null }).where('id', '=', receiptId).execute()
  await tx
    .updateTable('refunds')
    .set({ recipient: null })
    .where('order_id', '=', order.id)
    .where('state', '<>', 'requested')
    .execute()
}

const payeeKeepSeconds = 30 * 86_400

/** Nobody asked for a refund within a month after the alert, or it came to nothing. */
export const forgetPayees = async (db: Db, now: number): Promise<void> => {
  const until = now - payeeKeepSeconds
  await sql`
    with told as (
      select (details->>'order_id')::bigint as order_id from alerts a
      where kind = 'paid_after_deletion' and created_at <= ${until} and not exists (
        select from refunds f where f.order_id = (a.details->>'order_id')::bigint
          and (f.state = 'requested' or (f.state = 'failed' and f.created_at > ${until})))
    ), payees as (
      update refunds f set recipient = null from told where f.order_id = told.order_id and f.recipient is not null
    )
    update receipts r set payer = null from told
    where r.order_id = told.order_id and r.payer is not null and r.created_at <= ${until}`.execute(db)
}
