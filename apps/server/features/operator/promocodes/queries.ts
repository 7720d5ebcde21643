import type { ProductClass } from '@sallyport/contract/products'
import { sql } from 'kysely'
import { isUsablePromocode } from '../../../core/sales/promocodes.ts'
import type { Db } from '../../../db/client.ts'

export interface PromocodePage {
  readonly limit: number
  readonly before?: number | undefined
  readonly product?: ProductClass | undefined
  readonly isActive?: boolean | undefined
  readonly now: number
}

/** Issued and bought, newest first. */
export const listPromocodes = (db: Db, page: PromocodePage) => {
  const { limit, before, product, isActive, now } = page
  const isUsable = isUsablePromocode(now)
  return db
    .selectFrom('promocodes')
    .select(['id', 'code_hash', 'code_sealed', 'product_type', 'days', 'buyer_id', 'used_by', 'used_at'])
    .select(['expires_at', 'revoked_at', 'created_at', isUsable.as('is_active')])
    .$if(before !== undefined, (query) => query.where('id', '<', before as number))
    .$if(product !== undefined, (query) => query.where('product_type', '=', product as ProductClass))
    .$if(isActive !== undefined, (query) => query.where(isActive ? isUsable : sql<boolean>`not ${isUsable}`))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** The key that was revoked, when nobody had used or revoked it. */
export const revokeUnused = (tx: Db, id: number, now: number) =>
  tx
    .updateTable('promocodes')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning(['product_type', 'days', 'buyer_id'])
    .executeTakeFirst()

export const findPromocode = (tx: Db, id: number) =>
  tx.selectFrom('promocodes').select(['used_at', 'revoked_at']).where('id', '=', id).executeTakeFirst()
