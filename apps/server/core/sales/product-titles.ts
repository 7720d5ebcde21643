import type { ProductClass } from '@sallyport/contract/products'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** Where the products of a class have their titles; null where one is told from another by its days. */
export const titlesIn: Readonly<Record<ProductClass, 'paid_options' | 'cloud_configurations' | null>> = {
  configs: null,
  paid_options: 'paid_options',
  cloud_servers: 'cloud_configurations',
}

/** In Russian, of those that are on sale, by their ids; undefined of a class whose products have no titles of their own. */
export const listTitlesOnSale = async (
  db: Db,
  product: ProductClass,
): Promise<ReadonlyMap<number, string> | undefined> => {
  const table = titlesIn[product]
  if (!table) return undefined
  const { rows } = await sql<{ id: number; title_ru: string }>`
    select id, title_ru from ${sql.table(table)} where is_active`.execute(db)
  return new Map(rows.map((row) => [row.id, row.title_ru]))
}
