import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { paymentMethodRows } from '@sallyport/contract/operator/catalogue/payment-methods'
import { shown } from '@sallyport/domain/money/money'
import type { Handlers } from '../../../core/call.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { isInner } from '../../../core/sales/prices.ts'
import { freshRates } from '../../../core/sales/rates.ts'
import { unitsOf } from '../common/amounts.ts'
import { listMethods, type MethodRow } from '../common/method-queries.ts'
import { wholeOrPage } from '../common/pages.ts'
import { methodProblem, type Providers, takersOf } from '../common/payable-methods.ts'
import { requireVersion } from '../common/versions.ts'
import { insertMethods, isMethodKey, lockMethod, lockMethods, updateMethod } from './queries.ts'

/** By the same rule as the shop: switched on, somebody to take the money, and a price in roubles. */
export const shownMethod = (method: MethodRow, providers: Providers, rates: ReadonlyMap<string, number>) => {
  const problem = methodProblem(method, providers, rates)
  return {
    ...method,
    min_amount: shown(method.min_amount, method.currency),
    is_available: method.is_active && problem === null,
    problem,
  }
}

type Kind = Pick<MethodRow, 'key' | 'currency'>

const checkedProvider = (method: Kind, wanted: string, providers: Providers): string => {
  if (isInner(method.key)) {
    throw badRequest('provider', `${method.key} is paid inside the service and has no provider`)
  }
  const possible = takersOf(method, providers)
  if (possible.includes(wanted)) return wanted
  const choice = possible.length > 0 ? `choose ${possible.join(' or ')}` : 'no configured provider does'
  throw badRequest('provider', `does not take ${method.key} in ${method.currency} here; ${choice}`)
}

export const paymentMethodHandlers: Handlers<typeof paymentMethodRows> = {
  listPaymentMethods: async ({ db, query, providers, now }) => {
    const rates = await freshRates(db, now)
    return wholeOrPage(await listMethods(db), query).map((method) => shownMethod(method, providers, rates))
  },

  createPaymentMethod: ({ providers, body, now }) => {
    const { key, currency, provider, is_active: isActive = true } = body
    if (isInner(key) && currency !== 'RUB') {
      throw badRequest('currency', `must be RUB: ${key} is kept in roubles`)
    }
    const method = {
      ...body,
      provider: provider === undefined ? null : checkedProvider(body, provider, providers),
      min_amount: unitsOf('min_amount', body.min_amount, currency),
      is_active: isActive,
    }
    return async (tx) => {
      await lockMethods(tx)
      if (await isMethodKey(tx, key)) throw conflict('key', 'belongs to another method')
      const [inserted] = (await insertMethods(tx, [method])) as [MethodRow]
      const made = shownMethod(inserted, providers, await freshRates(tx, now))
      return audited(made, { id: made.id, after: made })
    }
  },

  changePaymentMethod:
    ({ providers, params, body, now }) =>
    async (tx) => {
      const method = await lockMethod(tx, params.id)
      if (!method) throw new ApiError('NOT_FOUND')
      const rates = await freshRates(tx, now)
      const before = shownMethod(method, providers, rates)
      const { provider, min_amount: minimum, version, ...changes } = body
      requireVersion(version, before)
      const changed = await updateMethod(tx, {
        ...method,
        ...changes,
        provider: provider === undefined ? method.provider : checkedProvider(method, provider, providers),
        min_amount:
          minimum === undefined ? method.min_amount : unitsOf('min_amount', minimum, method.currency),
      })
      const after = shownMethod(changed, providers, rates)
      return audited(after, { before, after })
    },
}
