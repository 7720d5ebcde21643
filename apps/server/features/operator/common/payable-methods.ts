import { isInner } from '../../../core/sales/prices.ts'
import { freshRates } from '../../../core/sales/rates.ts'
import type { Db } from '../../../db/client.ts'
import type { PaymentProvider } from '../../../ports/payments.ts'
import { listMethods, type MethodRow } from './method-queries.ts'

/** Which payment methods can be paid with now, by the same rule as the shop. */

export type Providers = ReadonlyMap<string, PaymentProvider>

/** Names of the configured ones that take the method in its currency. */
export const takersOf = (
  { key, currency }: Pick<MethodRow, 'key' | 'currency'>,
  providers: Providers,
): string[] =>
  [...providers.values()]
    .filter(({ methods, currencies }) => methods.includes(key) && currencies.includes(currency))
    .map(({ name }) => name)

/** What keeps a method from being paid with, besides being switched off. */
export const methodProblem = (
  method: MethodRow,
  providers: Providers,
  rates: ReadonlyMap<string, number>,
): string | null => {
  const { key, currency, provider } = method
  const because = (reason: string) => `cannot be sold, because ${reason}`
  if (!isInner(key) && provider === null) {
    const takers = takersOf(method, providers)
    const remedy = takers.length > 0 ? `choose ${takers.join(' or ')}` : 'no configured one takes it'
    return because(`it has no provider; ${remedy}`)
  }
  if (provider !== null && !providers.has(provider)) {
    return because(`its provider ${provider} is not configured`)
  }
  return rates.has(currency)
    ? null
    : because(`${currency} has no rate that still holds; PUT /rates/${currency}`)
}

/** Keys of all methods by their ids, and which of them can be paid with. */
export interface PayableMethods {
  readonly keys: ReadonlyMap<number, string>
  readonly usable: ReadonlySet<number>
}

export const payableMethods = async (
  db: Db,
  { providers, now }: { readonly providers: Providers; readonly now: number },
): Promise<PayableMethods> => {
  const [methods, rates] = [await listMethods(db), await freshRates(db, now)]
  const usable = methods.filter((method) => method.is_active && !methodProblem(method, providers, rates))
  return {
    keys: new Map(methods.map(({ id, key }) => [id, key])),
    usable: new Set(usable.map(({ id }) => id)),
  }
}
