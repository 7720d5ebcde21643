import { badRequest } from '@sallyport/contract/errors'
import type { Tariffs } from '@sallyport/contract/operator/tariffs'
import { shown } from '@sallyport/domain/money/money'
import type { Static } from 'typebox'
import type { Db } from '../../../db/client.ts'
import { unitsOf } from './amounts.ts'
import type { PayableMethods } from './payable-methods.ts'
import { listCurrencies, type TariffPrice, type TariffRow } from './tariff-queries.ts'

/** As the operator names them, in the smallest units of their currencies. */
export const checkedTariffs = async (tx: Db, tariffs: Static<typeof Tariffs>) => {
  const currencies = await listCurrencies(tx)
  if (new Set(tariffs.map((tariff) => tariff.days)).size < tariffs.length) {
    throw badRequest('tariffs', 'names a length twice')
  }
  return tariffs.map(({ days, prices }, n) => ({
    days,
    prices: prices.map(({ payment_method_id, price, old_price }, m): TariffPrice => {
      const path = `tariffs.${n}.prices.${m}`
      const currency = currencies.get(payment_method_id)
      if (currency === undefined) throw badRequest(`${path}.payment_method_id`, 'is no payment method')
      if (prices.findIndex((other) => other.payment_method_id === payment_method_id) < m) {
        throw badRequest(`${path}.payment_method_id`, 'is named twice')
      }
      const units = unitsOf(`${path}.price`, price, currency)
      const old = old_price === undefined ? null : unitsOf(`${path}.old_price`, old_price, currency)
      if (old !== null && old <= units) throw badRequest(`${path}.old_price`, 'must be more than the price')
      return { payment_method_id, price: units, old_price: old }
    }),
  }))
}

/** Of a tariff that no method can be paid for with. */
const tariffProblem = (prices: TariffRow['prices'], { keys, usable }: PayableMethods): string | null => {
  if (prices.some(({ payment_method_id: id }) => usable.has(id))) return null
  const named = prices.map(({ payment_method_id: id }) => keys.get(id)).join(', ')
  return `cannot be sold, because nobody can pay with ${named} now; see GET /payment-methods`
}

export const shownTariffs = (tariffs: readonly TariffRow[], methods: PayableMethods) =>
  tariffs.map(({ id, days, prices }) => ({
    id,
    days,
    prices: prices.map(({ payment_method_id, currency, price, old_price }) => ({
      payment_method_id,
      price: shown(price, currency),
      ...(old_price !== null && { old_price: shown(old_price, currency) }),
    })),
    problem: tariffProblem(prices, methods),
  }))
