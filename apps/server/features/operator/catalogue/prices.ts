import { ApiError } from '@sallyport/contract/errors'
import type { priceRows } from '@sallyport/contract/operator/catalogue/prices'
import { productClasses } from '@sallyport/contract/product-types'
import { type ProductClass, products } from '@sallyport/contract/products'
import { shown } from '@sallyport/domain/money/money'
import type { Handlers } from '../../../core/call.ts'
import {
  type Buyer,
  findPricingRules,
  type ListedPrice,
  listPrices,
  priceOf,
} from '../../../core/sales/prices.ts'
import { listTitlesOnSale } from '../../../core/sales/product-titles.ts'
import type { Db } from '../../../db/client.ts'
import { userExists } from '../common/queries.ts'

/** What one customer pays. */

/** Of what is on sale; undefined of what is not. */
const readTitles = async (db: Db, product: ProductClass) => {
  const titles = await listTitlesOnSale(db, product)
  return (id: number | null) => (titles ? titles.get(id ?? 0) : products[product].titles.one.ru)
}

/** By product, then by length; methods in their order. */
const inOrder = (one: ListedPrice, other: ListedPrice): number =>
  (one.product_id ?? 0) - (other.product_id ?? 0) || one.days - other.days || one.method_id - other.method_id

export const priceHandlers: Handlers<typeof priceRows> = {
  listUserPrices: async ({ db, query: { user_id: userId, limit }, providers, now }) => {
    if (!(await userExists(db, userId))) throw new ApiError('NOT_FOUND')
    const buyer: Buyer = { userId, providers, now }
    const rules = await findPricingRules(db, userId)
    const listed = await Promise.all(
      productClasses.map(async (product) => {
        const titleOf = await readTitles(db, product)
        const prices = (await listPrices(db, buyer, { product })).toSorted(inOrder)
        return prices.map((price) => ({ ...price, title: titleOf(price.product_id) }))
      }),
    )
    const prices = listed.flat().flatMap(({ title, ...price }) => {
      if (title === undefined) return []
      const { list, charged, ruleId } = priceOf(price, rules)
      return {
        product_type: price.product,
        product_id: price.product_id,
        title,
        tariff_id: price.tariff_id,
        days: price.days,
        method: price.method_key,
        currency: price.currency,
        list_price: shown(list, price.currency),
        price: shown(charged, price.currency),
        rule_id: ruleId,
      }
    })
    return prices.slice(0, limit)
  },
}
