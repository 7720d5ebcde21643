import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { paymentMethodRows } from '@sallyport/contract/operator/catalogue/payment-methods'
import { shown } from '@sallyport/domain/money/money'
import type { Handlers } from '../../../core/call.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { isInner } from '../../../core/sales/prices.ts'
import { freshRates } from '../../../core/sales/rates.ts'
import type { PaymentProvider } from '../../../ports/payments.ts'
import { unitsOf } from '../common/amounts.ts'
import { requireVersion } from '../common/versions.ts'
import { listMethods, lockMethod, type MethodRow, updateMethod } from './queries.ts'

type Providers = ReadonlyMap<string, PaymentProvider>

/** By the same rule as the shop: switched on, somebody to take the money, and a price in roubles. */
const shownMethod = (method: MethodRow, providers: Providers, rates: ReadonlyMap<string, number>) => ({
  ...method,
  min_amount: shown(method.min_amount, method.currency),
  is_available:
    method.is_active &&
    (isInner(method.key) || (method.provider !== null && providers.has(method.provider))) &&
    rates.has(method.currency),
})

const checkedProvider = (method: MethodRow, wanted: string, providers: Providers): string => {
  if (isInner(method.key)) {
    throw badRequest('provider', `${method.key} is paid inside the service and has no provider`)
  }
  const possible = [...providers.values()]
    .filter(({ methods, currencies }) => methods.includes(method.key) && currencies.includes(method.currency))
    .map(({ name }) => name)
  if (possible.includes(wanted)) return wanted
  const choice = possible.length > 0 ? `choose ${possible.join(' or ')}` : 'no configured provider does'
  throw badRequest('provider', `does not take ${method.key} in ${method.currency} here; ${choice}`)
}

export const paymentMethodHandlers: Handlers<typeof paymentMethodRows> = {
  listPaymentMethods: async ({ db, providers, now }) => {
    const rates = await freshRates(db, now)
    return (await listMethods(db)).map((method) => shownMethod(method, providers, rates))
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
