import type { Db } from '../../db/client.ts'
import { randomBase62 } from '../kernel/tokens.ts'

/** Payments that customers are asked for; what becomes of them is settled elsewhere. */

/** 131 bits: the address of a payment page is not to be guessed. */
const publicIdLength = 22

export interface NewPayment {
  readonly orderId: number
  readonly method: { readonly provider: string | null; readonly method_key: string }
  readonly price: number
  readonly currency: string
  readonly expiresAt: number
  readonly now: number
}

export const insertPayment = async (tx: Db, payment: NewPayment): Promise<number> => {
  const { id } = await tx
    .insertInto('payments')
    .values({
      public_id: randomBase62(publicIdLength),
      order_id: payment.orderId,
      provider: payment.method.provider as string,
      method_key: payment.method.method_key,
      amount: payment.price,
      currency: payment.currency,
      state: 'creating',
      created_at: payment.now,
      expires_at: payment.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
