import { ApiError } from '@sallyport/contract/errors'
import type { operatorMoney } from '@sallyport/contract/operator/money'
import { shown } from '@sallyport/domain/money/money'
import type { Handlers } from '../../../core/call.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { lockOrder } from '../../../core/sales/orders.ts'
import { findMethodKey } from '../../../core/sales/prices.ts'
import { requestRefund } from '../../../core/settlement/refunds.ts'
import { creditSuspended } from '../../../core/settlement/suspense.ts'

export const refundHandlers: Pick<Handlers<typeof operatorMoney>, 'refundPayment' | 'creditReceipt'> = {
  refundPayment: (call) => {
    const { operatorId, params, body } = call
    return async (tx) => {
      const order = await lockOrder(tx, params.id)
      if (!order) throw new ApiError('NOT_FOUND')
      const methodKey = await findMethodKey(tx, order.paymentMethodId)
      const wish = { to: body.to, reason: body.reason, recipient: body.recipient ?? null, operatorId }
      const refund = await requestRefund(tx, call, order, methodKey, wish)
      const { id, destination, currency, reason, state, failure, created_at, done_at } = refund
      const amount = shown(refund.amount, currency)
      return audited(
        { id, destination, amount, currency, reason, state, failure, created_at, done_at },
        { after: { to: body.to, refund_id: id, amount, currency, state } },
      )
    }
  },

  creditReceipt:
    ({ operatorId, params, now }) =>
    async (tx) => {
      const { orderId, valueRub } = await creditSuspended(tx, { receiptId: params.id, operatorId, now })
      const credited = { order_id: orderId, value_rub: valueRub }
      return audited(credited, { before: { verdict: 'suspense' }, after: { verdict: 'extra', ...credited } })
    },
}
