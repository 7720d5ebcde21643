import type { Db } from '../../db/client.ts'
import { transfer } from '../ledger/ledger.ts'
import type { RefundRow } from './refund-rows.ts'

/** What a refund takes out of the balance that the money had filled. */
export const takeFromWallet = async (
  tx: Db,
  refund: RefundRow,
  from: { readonly userId: number; readonly amountRub: number; readonly amount: number },
  now: number,
): Promise<void> => {
  const { currency, order_id: orderId } = refund
  const isRub = currency === 'RUB'
  await transfer(tx, {
    cause: `refund:${refund.id}:take`,
    kind: 'refund',
    from: { userId: from.userId, kind: 'wallet' },
    to: isRub ? { kind: 'refunds' } : { kind: 'exchange' },
    amount: from.amountRub,
    orderId,
    now,
  })
  if (isRub) return
  await transfer(tx, {
    cause: `refund:${refund.id}:buy`,
    kind: 'exchange',
    from: { kind: 'exchange', currency },
    to: { kind: 'refunds', currency },
    amount: from.amount,
    orderId,
    now,
  })
}

/** What the wish took from the balance; 0 when the money was not there. */
export const findTakenRub = async (db: Db, refundId: number): Promise<number> => {
  const taken = await db
    .selectFrom('ledger_transfers')
    .select('amount')
    .where('cause', '=', `refund:${refundId}:take`)
    .executeTakeFirst()
  return taken?.amount ?? 0
}
