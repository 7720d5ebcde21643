import { ApiError, conflict } from '@sallyport/contract/errors'
import { toRoubles } from '@sallyport/domain/money/exchange'
import { roublesText } from '@sallyport/domain/text/counted'
import type { Db } from '../../db/client.ts'
import { closeAlert } from '../kernel/alerts.ts'
import { notify } from '../kernel/notifications.ts'
import { creditWallet } from '../ledger/credits.ts'
import { lockOrder } from '../sales/orders.ts'
import { freshRates } from '../sales/rates.ts'
import { earnCommission } from './commissions.ts'
import { findReceiptById, lockReceipt, markExtra } from './receipts.ts'
import { findRefundOf } from './refund-rows.ts'

/** Money that did not fit its order and was put aside: the operator may give it to the customer's balance. */
export const creditSuspended = async (
  tx: Db,
  wish: { readonly receiptId: number; readonly operatorId: number; readonly now: number },
): Promise<{ orderId: number; valueRub: number }> => {
  const { receiptId, operatorId, now } = wish
  const seen = await findReceiptById(tx, receiptId)
  const order = seen && (await lockOrder(tx, seen.order_id))
  const receipt = await lockReceipt(tx, receiptId)
  if (!order || !receipt) throw new ApiError('NOT_FOUND')
  if (order.isOfDeleted) throw conflict('id', 'the account is deleted; refund to the source, at the provider')
  if (receipt.verdict !== 'suspense') throw conflict('id', 'was not put aside, or is settled already')
  if (await findRefundOf(tx, receiptId)) throw conflict('id', 'went back to where it came from already')
  const rate = (await freshRates(tx, now)).get(receipt.currency)
  if (rate === undefined)
    throw conflict('id', `there is no fresh rate for ${receipt.currency}; set one first`)
  const valueRub = toRoubles(receipt.amount, receipt.currency, rate)
  const { userId, id: orderId } = order
  await markExtra(tx, receiptId, valueRub, now)
  await creditWallet(tx, {
    userId,
    from: 'suspense',
    currency: receipt.currency,
    amount: receipt.amount,
    valueRub,
    cause: `receipt:${receiptId}:extra`,
    orderId,
    now,
  })
  await earnCommission(tx, { userId, receiptId, orderId, valueRub, now })
  await closeAlert(tx, { kind: 'wrong_amount', subject: `receipt:${receiptId}`, operatorId, now })
  await notify(tx, {
    userId,
    cause: `receipt:${receiptId}:credited`,
    ru: `Оплата по заказу № ${orderId} зачислена на баланс: ${roublesText(valueRub, 'ru')}.`,
    en: `The payment for order ${orderId} is on your balance: ${roublesText(valueRub, 'en')}.`,
    now,
  })
  return { orderId, valueRub }
}
