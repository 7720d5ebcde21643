import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

type Status = 'pending' | 'paid' | 'rejected'

export const listWithdrawalRows = (
  db: Db,
  page: {
    readonly limit: number
    readonly before?: number | undefined
    readonly status?: Status | undefined
  },
) => {
  const { before, status } = page
  let query = db
    .selectFrom('withdrawals as w')
    .innerJoin('users as u', 'u.id', 'w.user_id')
    .select([
      'w.id',
      'w.user_id',
      'u.email',
      'w.method',
      'w.amount',
      'w.bank_id',
      'w.account_masked as account',
    ])
    .select(['w.status', 'w.reason', 'w.created_at', 'w.decided_at'])
    .select(
      sql<number[]>`array(select a.operator_id from withdrawal_approvals a where a.withdrawal_id = w.id
        order by a.created_at, a.operator_id)`.as('approved_by'),
    )
  if (before !== undefined) query = query.where('w.id', '<', before)
  if (status !== undefined) query = query.where('w.status', '=', status)
  return query.orderBy('w.id', 'desc').limit(page.limit).execute()
}

export const findAccount = (db: Db, id: number) =>
  db
    .selectFrom('withdrawals')
    .select(['status', 'method', 'bank_id', 'account_sealed'])
    .where('id', '=', id)
    .executeTakeFirst()
