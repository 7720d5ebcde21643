import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

export interface LedgerCheck {
  readonly accounts: number
  readonly transfers: number
  readonly imbalance: number
}

/** Everything is read: cached balances against what moved, and each currency against nothing. */
export const checkBooks = async (tx: Db): Promise<LedgerCheck> => {
  const { rows } = await sql<LedgerCheck>`
    with moved as (
      select account_id, sum(amount) as amount from ledger_entries group by account_id
    ), cached as (
      select coalesce(sum(abs(a.balance - coalesce(m.amount, 0))), 0) as off
      from ledger_accounts a left join moved m on m.account_id = a.id where a.user_id is not null
    ), currencies as (
      select coalesce(sum(abs(total)), 0) as off from (
        select sum(m.amount) as total from moved m join ledger_accounts a on a.id = m.account_id group by a.currency) each
    )
    select (select count(*) from ledger_accounts) as accounts, (select count(*) from ledger_transfers) as transfers,
      ((select off from cached) + (select off from currencies))::bigint as imbalance`.execute(tx)
  return rows[0] as LedgerCheck
}
