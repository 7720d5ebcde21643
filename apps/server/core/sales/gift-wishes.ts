import { ApiError, type Problem } from '@sallyport/contract/errors'
import type { ProductClass } from '@sallyport/contract/products'
import type { GiftWish } from './products.ts'

const fields = ['product_id', 'location_id', 'protocol'] as const
type Field = (typeof fields)[number]
type Said<F extends Field> = GiftWish & { readonly [K in F]: NonNullable<GiftWish[K]> }

/** What a product needs to be told, and nothing that it has not. */
export const requireWish = <F extends Field>(
  product: ProductClass,
  wish: GiftWish,
  needed: readonly F[],
): Said<F> => {
  const problems = fields.flatMap((path): Problem[] => {
    const isNeeded = (needed as readonly Field[]).includes(path)
    if (isNeeded === (wish[path] !== undefined)) return []
    return [{ path, problem: isNeeded ? `is required for ${product}` : `is not for ${product}` }]
  })
  if (problems.length > 0) throw new ApiError('BAD_REQUEST', problems)
  return wish as Said<F>
}
