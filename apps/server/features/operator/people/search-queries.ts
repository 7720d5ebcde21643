import { sql } from 'kysely'
import { lastSeenAt, telegramId } from '../../../core/customers/columns.ts'
import type { Db } from '../../../db/client.ts'

export interface CustomerRow {
  readonly id: number
  readonly email: string | null
  readonly telegram_id: number | null
  readonly created_at: number
  readonly is_blocked: boolean
  readonly balance: number
  readonly terms: number
  readonly next_end: number | null
  readonly last_seen_at: number | null
  readonly referral_balance: number
  readonly referral_code: string
  readonly referrer_id: number | null
  readonly deleted_at: number | null
  readonly version: number
}

/** In the order of the ids. */
export const listCustomers = async (db: Db, ids: readonly number[], now: number): Promise<CustomerRow[]> => {
  if (ids.length === 0) return []
  const { rows } = await sql<CustomerRow>`
    select u.id, u.email, u.created_at, u.is_blocked, u.referral_code, u.referrer_id, u.deleted_at, u.version,
      ${telegramId} as telegram_id,
      wallet.balance, referral.balance as referral_balance, live.terms, live.next_end, ${lastSeenAt} as last_seen_at
    from unnest(${[...ids]}::bigint[]) with ordinality as wanted (id, at)
    join users u on u.id = wanted.id
    join ledger_accounts wallet on wallet.user_id = u.id and wallet.kind = 'wallet'
    join ledger_accounts referral on referral.user_id = u.id and referral.kind = 'referral'
    cross join lateral (
      select count(*) as terms, min(t.expires_at) as next_end from terms t
      where t.user_id = u.id and t.state = 'active' and t.expires_at > ${now}::bigint) live
    order by wanted.at`.execute(db)
  return rows
}
