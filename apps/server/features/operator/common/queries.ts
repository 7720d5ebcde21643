import { ApiError } from '@sallyport/contract/errors'
import type { PricingRuleType } from '@sallyport/contract/product-types'
import type { Db } from '../../../db/client.ts'

export const userExists = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** A customer who is there and stays until the transaction ends. */
export const lockCustomer = async (tx: Db, id: number): Promise<boolean> => {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return user !== undefined
}

export const requireCustomer = async (tx: Db, id: number): Promise<void> => {
  if (!(await lockCustomer(tx, id))) throw new ApiError('NOT_FOUND')
}

export const insertPricingRule = (
  tx: Db,
  rule: {
    user_id: number
    type: PricingRuleType
    product_id: number | null
    percent: number
    comment: string | null
    created_at: number
  },
) =>
  tx
    .insertInto('pricing_rules')
    .values(rule)
    .returning(['id', 'type', 'product_id', 'percent', 'comment'])
    .executeTakeFirstOrThrow()

export const insertNotification = (tx: Db, userId: number, content: string, now: number) =>
  tx
    .insertInto('notifications')
    .values({ user_id: userId, content, content_en: null, cause: null, created_at: now })
    .returning(['id', 'content'])
    .executeTakeFirstOrThrow()
