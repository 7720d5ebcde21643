import type { profile } from '@sallyport/contract/customer/profile'
import type { Handlers } from '../../core/call.ts'
import { openPromocode } from '../../core/sales/promocodes.ts'
import { boughtPromocodes } from './promocode-queries.ts'

const usualLimit = 100

export const promocodeHandlers: Pick<Handlers<typeof profile>, 'listPromocodes'> = {
  listPromocodes: async ({ db, vault, userId, query, now }) => {
    const { limit = usualLimit, offset = 0 } = query
    const rows = await boughtPromocodes(db, { buyerId: userId, limit, offset, now }).execute()
    return rows.map((row) => ({
      id: row.id,
      code: openPromocode(vault, row),
      activation_days: row.days,
      product_type: row.product_type,
      is_active: row.is_active,
      created_at: row.created_at,
    }))
  },
}
