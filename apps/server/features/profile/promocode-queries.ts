import { isUsablePromocode } from '../../core/sales/promocodes.ts'
import type { Db } from '../../db/client.ts'

/** Keys a customer bought, newest first. */
export const boughtPromocodes = (
  db: Db,
  page: { readonly buyerId: number; readonly limit: number; readonly offset: number; readonly now: number },
) =>
  db
    .selectFrom('promocodes')
    .select(['id', 'code_hash', 'code_sealed', 'product_type', 'days', 'created_at'])
    .select(isUsablePromocode(page.now).as('is_active'))
    .where('buyer_id', '=', page.buyerId)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
