import type { operatorMoney } from '@sallyport/contract/operator/money'
import type { Handlers } from '../../../core/call.ts'
import { paymentHandlers } from '../orders/payments.ts'
import { promocodeHandlers } from '../promocodes/promocodes.ts'
import { withdrawalHandlers } from '../withdrawals/withdrawals.ts'
import { rateHandlers } from './rates.ts'
import { refundHandlers } from './refunds.ts'

export const operatorMoneyHandlers: Handlers<typeof operatorMoney> = {
  ...paymentHandlers,
  ...refundHandlers,
  ...withdrawalHandlers,
  ...promocodeHandlers,
  ...rateHandlers,
}
