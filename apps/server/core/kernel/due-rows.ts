import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** Rows whose time has come. Whoever takes them has them for as long as the lease; who dies leaves them to others. */

export interface Due {
  readonly table:
    | 'machines'
    | 'mails'
    | 'orders'
    | 'payments'
    | 'refunds'
    | 'uncarried'
    | 'warp_accounts'
    | 'webhook_inbox'
  /** What names a row; id where nothing is said. */
  readonly key?: 'id' | 'access_id'
  /** When it is due. */
  readonly column: 'next_try_at' | 'next_check_at' | 'next_step_at'
  /** As the table's index of due rows says it. */
  readonly where?: RawBuilder<unknown>
  readonly countsAttempts?: boolean
  /** What else is noted of those that are taken. */
  readonly notes?: RawBuilder<unknown>
  readonly leaseSeconds: number
  readonly limit: number
  readonly now: number
}

export const takeDue = async <Row>(db: Db, due: Due, returning: readonly (keyof Row & string)[]) => {
  const { now, where = sql`true` } = due
  const [table, column, key] = [sql.table(due.table), sql.ref(due.column), sql.ref(due.key ?? 'id')]
  const { rows } = await sql<Row>`
    update ${table} set ${column} = ${now + due.leaseSeconds}
      ${due.countsAttempts ? sql`, attempts = attempts + 1` : sql``}${due.notes ? sql`, ${due.notes}` : sql``}
    where ${key} in (
      select ${key} from ${table} where ${column} <= ${now} and ${where}
      order by ${column} limit ${due.limit} for update skip locked)
    returning ${sql.join(returning.map((name) => sql.ref(name)))}`.execute(db)
  return rows
}
