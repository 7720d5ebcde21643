import { currencies } from '../customer/money-shapes.ts'
import { table } from '../operation.ts'
import { paymentRows } from './payments.ts'
import { promocodeRows } from './promocodes.ts'
import { rateRows } from './rates.ts'
import { withdrawalRows } from './withdrawals.ts'

/** Payments, payouts, codes and rates, as the operator works with them. Lists go back in time from `before`. */
export const operatorMoney = table({ ...paymentRows, ...withdrawalRows, ...promocodeRows, ...rateRows })

export const rateCurrencies = currencies.filter((currency) => currency !== 'RUB')
