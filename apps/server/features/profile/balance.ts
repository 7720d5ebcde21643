import type { profile } from '@sallyport/contract/customer/profile'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import { fromRoubles } from '@sallyport/domain/money/exchange'
import { shown } from '@sallyport/domain/money/money'
import type { Handlers } from '../../core/call.ts'
import { topUp } from '../../core/sales/checkout.ts'
import { isInner, listMethods, type UsableMethod } from '../../core/sales/prices.ts'
import { inTransaction } from '../../db/client.ts'

const maxTopUpRub = 15_000

const readAmount = (amount: number): number => {
  if (amount < 1 || amount > maxTopUpRub) {
    throw new ApiError('INVALID_TOPUP_AMOUNT', [
      { path: 'amount', problem: `must be from 1 to ${maxTopUpRub}` },
    ])
  }
  if (!Number.isInteger(amount)) throw badRequest('amount', 'must be whole roubles')
  return amount
}

/** At today's rate. */
const priceIn = (method: UsableMethod, amountRub: number): number =>
  fromRoubles(amountRub, method.currency, method.micro_rub)

export const balanceHandlers: Pick<Handlers<typeof profile>, 'calculateTopup' | 'topUpBalance'> = {
  calculateTopup: async (call) => {
    const amount = readAmount(call.query.amount)
    const methods = (await listMethods(call.db, call)).filter((method) => !isInner(method.method_key))
    return methods
      .filter((method) => priceIn(method, amount) >= method.min_amount)
      .map((method) => ({
        id: method.method_id,
        method_key: method.method_key,
        display_name: call.language === 'en' ? method.name_en : method.name_ru,
        price: shown(priceIn(method, amount), method.currency),
        currency: method.currency,
      }))
  },

  topUpBalance: (call) => {
    const { userId, body } = call
    const amountRub = readAmount(body.amount)
    return inTransaction(call.db, async (tx) => {
      const methods = await listMethods(tx, call)
      const method = methods.find((candidate) => candidate.method_id === body.payment_method_id)
      if (!method || isInner(method.method_key)) throw new ApiError('PAYMENT_METHOD_UNAVAILABLE')
      const price = priceIn(method, amountRub)
      if (price < method.min_amount) {
        const least = shown(method.min_amount, method.currency)
        throw badRequest(
          'amount',
          `is too small for this method: it takes ${least} ${method.currency} or more`,
        )
      }
      return topUp(tx, call, { userId, amountRub, price, method })
    })
  },
}
