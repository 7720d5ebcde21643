import { inQuotes, type TermName } from '../../core/terms/term-product.ts'
import type { Db } from '../../db/client.ts'

/** What customers call their configurations, by the term. */
export const namesOf = async (
  db: Db,
  terms: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, TermName>> => {
  const rows = await db
    .selectFrom('accesses as a')
    .innerJoin('locations as l', 'l.id', 'a.location_id')
    .select(['a.term_id', 'a.title', 'a.protocol', 'l.title_ru', 'l.title_en'])
    .where(
      'a.term_id',
      'in',
      terms.map((term) => term.id),
    )
    .where('a.beside_id', 'is', null)
    .execute()
  return new Map(
    rows.map(({ term_id, title, protocol, title_ru, title_en }) => [
      term_id,
      {
        short: inQuotes(title ?? title_ru, title ?? title_en),
        long: inQuotes(title ?? `${title_ru}, ${protocol}`, title ?? `${title_en}, ${protocol}`),
      },
    ]),
  )
}
