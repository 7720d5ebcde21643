import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** Transfers of the ledger with the accounts they are between. */

export interface LedgerAccount {
  readonly kind: string
  readonly user_id: number | null
  readonly provider: string | null
  readonly currency: string
}

export interface TransferRow {
  readonly id: number
  readonly cause: string
  readonly kind: string
  readonly amount: number
  readonly order_id: number | null
  readonly created_at: number
  readonly from: LedgerAccount
  readonly to: LedgerAccount
}

const accountAs = (alias: string) => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`json_build_object('kind', ${column('kind')}, 'user_id', ${column('user_id')},
    'provider', ${column('provider')}, 'currency', ${column('currency')})`
}

/** Transfers of these ids, oldest first. */
export const describeTransfers = async (db: Db, ids: RawBuilder<unknown>): Promise<TransferRow[]> => {
  const { rows } = await sql<TransferRow>`
    select t.id, t.cause, t.kind, t.amount, t.order_id, t.created_at, ${accountAs('f')} as "from", ${accountAs('g')} as "to"
    from (${ids}) found join ledger_transfers t on t.id = found.id
    join ledger_accounts f on f.id = t.from_account_id join ledger_accounts g on g.id = t.to_account_id
    order by t.id`.execute(db)
  return rows
}

export const listTransfersOf = (db: Db, orderId: number): Promise<TransferRow[]> =>
  describeTransfers(db, sql`select id from ledger_transfers where order_id = ${orderId}::bigint`)
