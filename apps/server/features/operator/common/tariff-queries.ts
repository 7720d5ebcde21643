import type { ProductClass } from '@sallyport/contract/products'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** What products are sold for, as the operator sees and changes it. */

export interface TariffRow {
  readonly id: number
  readonly days: number
  readonly prices: {
    readonly payment_method_id: number
    readonly currency: string
    readonly price: number
    readonly old_price: number | null
  }[]
}

/** The tariffs of a product as one column, for a statement that selects products. */
export const tariffsOf = (product: ProductClass, productId: RawBuilder<unknown>) => sql<TariffRow[]>`
  coalesce((select json_agg(json_build_object('id', t.id, 'days', t.days, 'prices', (
      select json_agg(json_build_object('payment_method_id', r.payment_method_id, 'currency', m.currency,
        'price', r.price, 'old_price', r.old_price) order by r.payment_method_id)
      from tariff_prices r join payment_methods m on m.id = r.payment_method_id where r.tariff_id = t.id))
    order by t.days)
    from tariffs t where t.product = ${product} and t.product_id = ${productId}
      and exists (select from tariff_prices r where r.tariff_id = t.id)), '[]')`

/** One product of a class. */
export interface SoldProduct {
  readonly product: ProductClass
  readonly id: number
}

export interface TariffPrice {
  readonly payment_method_id: number
  readonly price: number
  readonly old_price: number | null
}

/** One tariff for each length; a length that was sold before has the number it had. */
export const storeTariffs = async (
  tx: Db,
  sold: SoldProduct,
  tariffs: readonly { readonly days: number; readonly prices: readonly TariffPrice[] }[],
): Promise<void> => {
  const known = await tx
    .selectFrom('tariffs')
    .select(['id', 'days'])
    .where('product', '=', sold.product)
    .where('product_id', '=', sold.id)
    .execute()
  const ids = known.map((tariff) => tariff.id)
  if (ids.length > 0) await tx.deleteFrom('tariff_prices').where('tariff_id', 'in', ids).execute()
  for (const { days, prices } of tariffs) {
    const id = known.find((tariff) => tariff.days === days)?.id ?? (await insertTariff(tx, sold, days))
    await tx
      .insertInto('tariff_prices')
      .values(prices.map((price) => ({ ...price, tariff_id: id })))
      .execute()
  }
}

const insertTariff = async (tx: Db, sold: SoldProduct, days: number): Promise<number> => {
  // Tariffs are few and numbered by hand in catalogues; whoever makes one waits for whoever is making another.
  await sql`lock table tariffs in share row exclusive mode`.execute(tx)
  const { id } = await tx
    .insertInto('tariffs')
    .values((eb) => ({
      id: eb.selectFrom('tariffs').select(sql<number>`coalesce(max(id), 0) + 1`.as('id')),
      product: sold.product,
      product_id: sold.id,
      days,
    }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const listCurrencies = async (tx: Db): Promise<ReadonlyMap<number, string>> => {
  const rows = await tx.selectFrom('payment_methods').select(['id', 'currency']).execute()
  return new Map(rows.map((row) => [row.id, row.currency]))
}
