import { signOf } from '../../../lib/format.ts'
import { language } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'

/** Ways to pay, as columns of prices. */

export type Method = Awaited<ReturnType<typeof api.listPaymentMethods>>[number]

export const useMethods = () => useResource('methods-of-prices', () => api.listPaymentMethods({}))

export const methodName = ({ name_ru, name_en }: Method): string => (language === 'ru' ? name_ru : name_en)

/** With its currency, where the name does not say it already. */
export const methodTitle = (method: Method): string => {
  const [name, sign] = [methodName(method), signOf(method.currency)]
  return name.includes(sign) ? name : `${name}, ${sign}`
}

/** Those that are on, and those that something has a price for. */
export const columnsOf = (
  methods: readonly Method[],
  tariffs: readonly { readonly prices: readonly { readonly payment_method_id: number }[] }[],
): readonly Method[] => {
  const priced = new Set(tariffs.flatMap(({ prices }) => prices.map((one) => one.payment_method_id)))
  return methods.filter(({ id, is_active }) => is_active || priced.has(id))
}
