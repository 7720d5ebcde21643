import type { Db } from '../../../db/client.ts'

/** What happened to an account, newest first. */
export const listEvents = (
  db: Db,
  userId: number,
  page: { readonly limit: number; readonly before?: number | undefined },
) =>
  db
    .selectFrom('account_events')
    .select(['id', 'kind', 'details', 'created_at'])
    .where('user_id', '=', userId)
    .$if(page.before !== undefined, (query) => query.where('id', '<', page.before as number))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute()

const ruleColumns = ['id', 'type', 'product_id', 'percent', 'comment'] as const

export const listPricingRules = (db: Db, userId: number) =>
  db.selectFrom('pricing_rules').select(ruleColumns).where('user_id', '=', userId).orderBy('id').execute()

export const deletePricingRule = (tx: Db, userId: number, ruleId: number) =>
  tx
    .deleteFrom('pricing_rules')
    .where('id', '=', ruleId)
    .where('user_id', '=', userId)
    .returning(ruleColumns)
    .executeTakeFirst()
