import type { ProductClass } from '@sallyport/contract/products'
import { type RawBuilder, sql } from 'kysely'
import type { Sold } from '../../../core/sales/products.ts'
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

/** What a product is sold for, as one column of a statement that selects products. */
export const tariffsOf = (product: ProductClass, productId: RawBuilder<unknown>) => sql<TariffRow[]>`
  coalesce((select json_agg(json_build_object('id', t.id, 'days', t.days, 'prices', (
      select json_agg(json_build_object('payment_method_id', r.payment_method_id, 'currency', m.currency,
        'price', r.price, 'old_price', r.old_price) order by r.payment_method_id)
      from tariff_prices r join payment_methods m on m.id = r.payment_method_id where r.tariff_id = t.id))
    order by t.days)
    from tariffs t where t.product = ${product} and t.product_id is not distinct from ${productId} and t.is_sold
      and exists (select from tariff_prices r where r.tariff_id = t.id)), '[]')`

export interface TariffPrice {
  readonly payment_method_id: number
  readonly price: number
  readonly old_price: number | null
}

/**
 * One tariff for each length; a length that was sold before has the number it had. One that is not named is no longer sold,
 * and keeps its prices for what was bought with it.
 */
export const storeTariffs = async (
  tx: Db,
  sold: Sold,
  tariffs: readonly { readonly days: number; readonly prices: readonly TariffPrice[] }[],
): Promise<void> => {
  const known = await tx
    .selectFrom('tariffs')
    .select(['id', 'days'])
    .where('product', '=', sold.product)
    .where('product_id', 'is not distinct from', sold.productId)
    .orderBy('id')
    .execute()
  const ids = new Map(known.toReversed().map(({ id, days }) => [days, id]))
  const fresh = tariffs.filter(({ days }) => !ids.has(days)).map(({ days }) => days)
  for (const { id, days } of await insertTariffs(tx, sold, fresh, known.length === 0)) ids.set(days, id)
  const priced = tariffs.flatMap(({ days, prices }) =>
    prices.map((price) => ({ ...price, tariff_id: ids.get(days) as number })),
  )
  const named = tariffs.map(({ days }) => ids.get(days) as number)
  if (known.length > 0) {
    await sql`delete from tariff_prices where tariff_id = any(${named}::bigint[])`.execute(tx)
  }
  if (priced.length > 0) await tx.insertInto('tariff_prices').values(priced).execute()
  if (known.length === 0) return
  await sql`update tariffs set is_sold = id = any(${named}::bigint[])
    where product = ${sold.product} and product_id is not distinct from ${sold.productId}::bigint`.execute(tx)
}

/** Numbered on from the last. Those of a new product begin with the next ten, so that people tell them apart. */
const insertTariffs = async (
  tx: Db,
  sold: Sold,
  lengths: readonly number[],
  isFirst: boolean,
): Promise<{ id: number; days: number }[]> => {
  if (lengths.length === 0) return []
  // Whoever makes some waits for whoever is making others.
  await sql`lock table tariffs in share row exclusive mode`.execute(tx)
  const { last } = await tx
    .selectFrom('tariffs')
    .select(sql<number>`coalesce(max(id), 0)`.as('last'))
    .executeTakeFirstOrThrow()
  const before = isFirst ? Math.ceil(last / 10) * 10 : last
  const made = lengths.map((days, n) => ({
    id: before + n + 1,
    product: sold.product,
    product_id: sold.productId,
    days,
  }))
  await tx.insertInto('tariffs').values(made).execute()
  return made
}

export const listCurrencies = async (tx: Db): Promise<ReadonlyMap<number, string>> => {
  const rows = await tx.selectFrom('payment_methods').select(['id', 'currency']).execute()
  return new Map(rows.map((row) => [row.id, row.currency]))
}
