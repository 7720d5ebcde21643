import type { Rule } from '@sallyport/domain/pricing'
import type { Db } from '../db/client.ts'

export const findPricingRules = async (db: Db, userId: number): Promise<Rule[]> => {
  const rows = await db
    .selectFrom('pricing_rules')
    .select(['id', 'type', 'product_id', 'percent'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    type: row.type as Rule['type'],
    productId: row.product_id,
    percent: row.percent,
  }))
}

export type ProductClass = 'configs' | 'cloud_servers' | 'paid_options'

export interface ListedPrice {
  readonly method_id: number
  readonly method_key: string
  readonly name_ru: string
  readonly name_en: string
  readonly currency: string
  readonly min_amount: number
  readonly tariff_id: number
  readonly days: number
  readonly price: number
  readonly old_price: number | null
}

/** Every price of a product class, ordered by method and length. */
export const listPrices = (db: Db, product: ProductClass): Promise<ListedPrice[]> =>
  db
    .selectFrom('tariff_prices as p')
    .innerJoin('tariffs as t', 't.id', 'p.tariff_id')
    .innerJoin('payment_methods as m', 'm.id', 'p.payment_method_id')
    .select([
      'm.id as method_id',
      'm.key as method_key',
      'm.name_ru',
      'm.name_en',
      'm.currency',
      'm.min_amount',
      't.id as tariff_id',
      't.days',
      'p.price',
      'p.old_price',
    ])
    .where('t.product', '=', product)
    .where('m.is_active', '=', true)
    .orderBy('m.id')
    .orderBy('t.days')
    .execute()
