import { type Db, prepared } from '../../db/client.ts'

interface Earning {
  readonly kind: 'earning'
  readonly status: 'held' | 'released' | 'reversed'
  readonly email: string | null
  readonly release_at: number
  readonly method: null
  readonly account: null
}

interface Withdrawal {
  readonly kind: 'withdrawal'
  readonly status: 'pending' | 'paid' | 'rejected'
  readonly email: null
  readonly method: 'sbp' | 'card'
  readonly account: string
}

export type ReferralRow = (Earning | Withdrawal) & { readonly amount: number; readonly created_at: number }

/** Each side gives no more than the page can need, newest first from its index; then the two become one list. */
export const referralRecords = prepared<[userId: number, limit: number, offset: number], ReferralRow>(
  `select r.kind, r.amount, r.status, r.method, r.account, r.created_at, r.release_at, u.email
   from (
     (select 'earning' as kind, id, amount, state as status, null as method, null as account, referred_id, created_at, release_at
      from commissions where referrer_id = $1
      order by created_at desc, id desc limit $2::bigint + $3::bigint)
     union all
     (select 'withdrawal', id, amount, status, method, account_masked, null, created_at, null
      from withdrawals where user_id = $1
      order by created_at desc, id desc limit $2::bigint + $3::bigint)
     order by created_at desc, id desc, kind limit $2::bigint offset $3::bigint
   ) r left join users u on u.id = r.referred_id
   order by r.created_at desc, r.id desc, r.kind`,
)

export const listReferralRows = (
  db: Db,
  userId: number,
  page: { readonly limit: number; readonly offset: number },
): Promise<ReferralRow[]> => referralRecords(db, userId, page.limit, page.offset)

const heldOf = prepared<[userId: number], { readonly balance: number }>(
  `select balance from ledger_accounts where user_id = $1 and kind = 'referral_hold'`,
)

/** Earnings that are not theirs to spend yet. */
export const readHeldEarnings = async (db: Db, userId: number): Promise<number> =>
  (await heldOf(db, userId))[0]?.balance ?? 0
