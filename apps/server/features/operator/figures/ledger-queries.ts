import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { describeTransfers, type LedgerAccount, type TransferRow } from '../common/transfer-queries.ts'

/** The ledger, as whoever keeps the books asks for it. */

/** Above every letter that a cause has. */
const lastOfAll = '\u{10FFFF}'

export interface TransferFilter {
  readonly limit: number
  readonly before?: number | undefined
  /** The account's own id. */
  readonly accountId?: number | undefined
  readonly cause?: string | undefined
}

/** Planned for these values each time: a plan for any beginning of a cause would look through every transfer for a rare one. */
const planAnew = (tx: Db) => sql`set local plan_cache_mode = force_custom_plan`.execute(tx)

/** Newest first. Of an account: what left it and what came, each by its own index. */
export const listTransferRows = async (tx: Db, filter: TransferFilter): Promise<TransferRow[]> => {
  const { before, accountId, cause, limit } = filter
  const conditions = [
    before !== undefined && sql`id < ${before}::bigint`,
    cause !== undefined && sql`cause ~>=~ ${cause} and cause ~<~ ${cause + lastOfAll}`,
  ].filter((condition) => condition !== false)
  const rest = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
  const side = (column: 'from_account_id' | 'to_account_id') => sql`
    (select id from ledger_transfers where ${sql.ref(column)} = ${accountId}::bigint and ${rest} order by id desc limit ${limit})`
  const found =
    accountId === undefined
      ? sql`select id from ledger_transfers where ${rest}`
      : sql`select id from (${side('from_account_id')} union all ${side('to_account_id')}) sides`
  await planAnew(tx)
  return (await describeTransfers(tx, sql`${found} order by id desc limit ${limit}`)).reverse()
}

export const findAccountId = async (db: Db, account: LedgerAccount): Promise<number | undefined> => {
  const ofUser = account.user_id !== null
  let query = db.selectFrom('ledger_accounts').select('id').where('kind', '=', account.kind)
  query = ofUser
    ? query.where('user_id', '=', account.user_id)
    : query.where('user_id', 'is', null).where('currency', '=', account.currency)
  if (!ofUser) query = query.where(sql<boolean>`coalesce(provider, '') = ${account.provider ?? ''}`)
  return (await query.executeTakeFirst())?.id
}
