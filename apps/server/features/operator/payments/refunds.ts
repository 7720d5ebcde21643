import { ApiError } from '@sallyport/contract/errors'
import type { operatorMoney } from '@sallyport/contract/operator/money'
import { shown } from '@sallyport/domain/money/money'
import type { Handlers } from '../../../core/call.ts'
import { holdOrder } from '../../../core/sales/orders.ts'
import { findMethodKey } from '../../../core/sales/prices.ts'
import { requestRefund } from '../../../core/settlement/refunds.ts'
import { creditSuspended } from '../../../core/settlement/suspense.ts'
import { inTransaction } from '../../../db/client.ts'
import { audit } from '../common/queries.ts'

export const refundHandlers: Pick<Handlers<typeof operatorMoney>, 'refundPayment' | 'creditReceipt'> = {
  refundPayment: (call) => {
    const { operatorId, params, body, now } = call
    return inTransaction(call.db, async (tx) => {
      const order = await holdOrder(tx, params.id)
      if (!order) throw new ApiError('NOT_FOUND')
      const methodKey = await findMethodKey(tx, order.paymentMethodId)
      const wish = { to: body.to, reason: body.reason, recipient: body.recipient ?? null, operatorId }
      const refund = await requestRefund(tx, call, order, methodKey, wish)
      const { id, destination, currency, reason, state, failure, created_at, done_at } = refund
      const details = { to: body.to, reason: body.reason, refund_id: id }
      await audit(tx, { operatorId, action: 'refundPayment', subject: `order:${order.id}`, details, now })
      const amount = shown(refund.amount, currency)
      return { id, destination, amount, currency, reason, state, failure, created_at, done_at }
    })
  },

  creditReceipt: ({ db, operatorId, params, body, now }) =>
    inTransaction(db, async (tx) => {
      const { orderId, valueRub } = await creditSuspended(tx, { receiptId: params.id, operatorId, now })
      const details = { reason: body.reason, order_id: orderId, value_rub: valueRub }
      await audit(tx, { operatorId, action: 'creditReceipt', subject: `receipt:${params.id}`, details, now })
      return { order_id: orderId, value_rub: valueRub }
    }),
}
