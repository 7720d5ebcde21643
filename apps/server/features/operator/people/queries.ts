import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

export interface CustomerRow {
  readonly id: number
  readonly email: string | null
  readonly balance: number
  readonly referral_balance: number
  readonly referral_code: string
  readonly referrer_id: number | null
  readonly is_blocked: boolean
  readonly created_at: number
  readonly deleted_at: number | null
}

/** Customers with this id, e-mail or referral code, each found by its index. */
export const findUserIds = async (db: Db, search: string, userId: number | undefined): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select id from users where id = ${userId ?? null}::bigint
    union
    select id from users where email = ${search.toLowerCase()}
    union
    select id from users where referral_code in (${search}, ${search.toUpperCase()})`.execute(db)
  return rows.map((row) => row.id)
}

/** Newest first; `ids`, when given, are the only ones looked at. */
export const listUsers = async (
  db: Db,
  page: { readonly limit: number; readonly before?: number | undefined },
  ids?: readonly number[],
): Promise<CustomerRow[]> => {
  const { rows } = await sql<CustomerRow>`
    select u.id, u.email, wallet.balance, referral.balance as referral_balance, u.referral_code, u.referrer_id,
      u.is_blocked, u.created_at, u.deleted_at
    from users u
    join ledger_accounts wallet on wallet.user_id = u.id and wallet.kind = 'wallet'
    join ledger_accounts referral on referral.user_id = u.id and referral.kind = 'referral'
    where ${ids === undefined ? sql`true` : sql`u.id = any(${ids}::bigint[])`}
      and ${page.before === undefined ? sql`true` : sql`u.id < ${page.before}::bigint`}
    order by u.id desc limit ${page.limit}`.execute(db)
  return rows
}

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
