import { ApiError } from '@sallyport/contract/errors'
import type { priceRows } from '@sallyport/contract/operator/catalogue/prices'
import { products } from '@sallyport/contract/products'
import { shown } from '@sallyport/domain/money/money'
import type { Handlers } from '../../../core/call.ts'
import { listConfigurations } from '../../../core/clouds/cloud-catalogue.ts'
import { listOptions } from '../../../core/options/option-catalogue.ts'
import {
  type Buyer,
  findPricingRules,
  type ListedPrice,
  listPrices,
  priceOf,
} from '../../../core/sales/prices.ts'
import type { Db } from '../../../db/client.ts'
import { userExists } from '../common/queries.ts'

/** What one customer pays. */

/** Titles of what is on sale, by product; what is missing is not. */
const listTitles = async (db: Db) => {
  const named = (rows: readonly { id: number; title_ru: string; is_active: boolean }[]) =>
    new Map<number | null, string>(rows.filter((row) => row.is_active).map((row) => [row.id, row.title_ru]))
  return {
    configs: new Map<number | null, string>([[null, products.configs.titles.one.ru]]),
    paid_options: named(await listOptions(db)),
    cloud_servers: named(await listConfigurations(db)),
  }
}

/** By product, then by length; methods in their order. */
const inOrder = (one: ListedPrice, other: ListedPrice): number =>
  (one.product_id ?? 0) - (other.product_id ?? 0) || one.days - other.days || one.method_id - other.method_id

export const priceHandlers: Handlers<typeof priceRows> = {
  listUserPrices: async ({ db, query: { user_id: userId, limit }, providers, now }) => {
    if (!(await userExists(db, userId))) throw new ApiError('NOT_FOUND')
    const buyer: Buyer = { userId, providers, now }
    const rules = await findPricingRules(db, userId)
    const titles = await listTitles(db)
    const listed = await Promise.all(
      (['configs', 'paid_options', 'cloud_servers'] as const).map(async (product) =>
        (await listPrices(db, buyer, { product })).toSorted(inOrder),
      ),
    )
    const prices = listed.flat().flatMap((price) => {
      const title = titles[price.product].get(price.product_id)
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
