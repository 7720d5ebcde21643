import { sql } from 'kysely'
import { type Db, inSnapshot } from '../../db/client.ts'
import { allowLongStatements } from '../kernel/jobs.ts'
import { checkBooks, type LedgerCheck } from '../ledger/check-books.ts'

/** What came back, for whoever restored it. */
export interface Restored {
  readonly ledger: LedgerCheck
  readonly customers: number
  readonly orders: number
  readonly active_terms: number
  readonly nodes: number
  /** What a person has to look at before money is sent. */
  readonly pending_withdrawals: number
  /** When anything was last written down, as far as it says so itself. */
  readonly newest_at: number | null
}

export const inspectRestored = (db: Db): Promise<Restored> =>
  inSnapshot(db, async (tx) => {
    await allowLongStatements(tx)
    const ledger = await checkBooks(tx)
    const { rows } = await sql<Omit<Restored, 'ledger'>>`
      select (select count(*) from users) as customers, (select count(*) from orders) as orders,
        (select count(*) from terms where state = 'active') as active_terms, (select count(*) from nodes) as nodes,
        (select count(*) from withdrawals where status = 'pending') as pending_withdrawals,
        greatest((select max(created_at) from orders), (select created_at from ledger_transfers order by id desc limit 1),
          (select max(last_seen_at) from node_status), (select created_at from audit_log order by id desc limit 1))
          as newest_at`.execute(tx)
    return { ledger, ...(rows[0] as Omit<Restored, 'ledger'>) }
  })
