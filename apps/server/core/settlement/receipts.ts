import type { Db } from '../../db/client.ts'

/** Money that providers confirmed, each piece kept once. */

export interface NewReceipt {
  readonly payment: { readonly id: number; readonly order_id: number }
  readonly provider: string
  readonly receiptId: string
  readonly payer: string | null
  readonly amount: number
  readonly currency: string
  readonly valueRub: number
  readonly verdict: 'accepted' | 'extra' | 'suspense'
  readonly now: number
}

/** Undefined when this piece of money is known already. */
export const insertReceipt = async (tx: Db, receipt: NewReceipt): Promise<number | undefined> => {
  const row = await tx
    .insertInto('receipts')
    .values({
      payment_id: receipt.payment.id,
      order_id: receipt.payment.order_id,
      provider: receipt.provider,
      receipt_id: receipt.receiptId,
      payer: receipt.payer,
      amount: receipt.amount,
      currency: receipt.currency,
      value_rub: receipt.valueRub,
      verdict: receipt.verdict,
      created_at: receipt.now,
    })
    .onConflict((oc) => oc.columns(['provider', 'receipt_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export const receiptColumns = [
  'id',
  'payment_id',
  'order_id',
  'provider',
  'receipt_id',
  'payer',
  'amount',
  'currency',
  'value_rub',
  'verdict',
] as const

export const findReceipt = (db: Db, provider: string, receiptId: string) =>
  db
    .selectFrom('receipts')
    .select(receiptColumns)
    .where('provider', '=', provider)
    .where('receipt_id', '=', receiptId)
    .executeTakeFirst()

export type ReceiptRow = NonNullable<Awaited<ReturnType<typeof findReceipt>>>

export const findReceiptById = (db: Db, id: number): Promise<ReceiptRow | undefined> =>
  db.selectFrom('receipts').select(receiptColumns).where('id', '=', id).executeTakeFirst()

export const lockReceipt = (tx: Db, id: number): Promise<ReceiptRow | undefined> =>
  tx.selectFrom('receipts').select(receiptColumns).where('id', '=', id).forUpdate().executeTakeFirst()

/** Money that was put aside belongs to the customer's balance after all. */
export const markExtra = async (tx: Db, id: number, valueRub: number, now: number): Promise<void> => {
  await tx
    .updateTable('receipts')
    .set({ verdict: 'extra', value_rub: valueRub, credited_at: now })
    .where('id', '=', id)
    .execute()
}

/** The piece that paid the order. */
export const findAcceptedReceipt = (db: Db, orderId: number): Promise<ReceiptRow | undefined> =>
  db
    .selectFrom('receipts')
    .select(receiptColumns)
    .where('order_id', '=', orderId)
    .where('verdict', '=', 'accepted')
    .executeTakeFirst()
