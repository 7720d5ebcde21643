import type { OrderedProduct } from '@sallyport/contract/products'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

/** Orders and transfers, as whoever keeps the books asks for them. */

export interface OrderFilter {
  readonly limit: number
  readonly before?: number | undefined
  readonly userId?: number | undefined
  readonly state?: string | undefined
  readonly product?: OrderedProduct | undefined
}

/** Newest first. States are written out: the index of those that are not the usual one is found by them. */
export const findOrderIds = async (db: Db, filter: OrderFilter): Promise<number[]> => {
  const { before, userId, state, product } = filter
  const conditions = [
    before !== undefined && sql`id < ${before}::bigint`,
    userId !== undefined && sql`user_id = ${userId}::bigint`,
    state !== undefined && sql`state = ${sql.lit(state)}`,
    product !== undefined && sql`product = ${product}`,
  ].filter((condition) => condition !== false)
  const where = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
  const { rows } = await sql<{ id: number }>`
    select id from orders where ${where} order by id desc limit ${filter.limit}`.execute(db)
  return rows.map((row) => row.id)
}

export interface OrderFacts {
  readonly id: number
  readonly product_id: number | null
  readonly location_id: number | null
  readonly is_gift: boolean
  readonly promocode_id: number | null
}

export const listOrderFacts = async (
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, OrderFacts>> => {
  const { rows } = await sql<OrderFacts>`
    select id, product_id, location_id, is_gift, promocode_id from orders where id = any(${ids}::bigint[])`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export const listPayments = (db: Db, orderId: number) =>
  db
    .selectFrom('payments')
    .select(['id', 'public_id as payment_id', 'provider', 'provider_payment_id', 'method_key as method'])
    .select(['amount', 'currency', 'state', 'created_at', 'expires_at'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()

export const listReceipts = (db: Db, orderId: number) =>
  db
    .selectFrom('receipts')
    .select(['id', 'receipt_id', 'payment_id', 'provider', 'amount', 'currency', 'value_rub', 'verdict'])
    .select(['created_at', 'credited_at'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()

export const listEvents = (db: Db, orderId: number) =>
  db
    .selectFrom('payments as p')
    .innerJoin('payment_events as s', 's.payment_id', 'p.id')
    .innerJoin('webhook_inbox as e', 'e.id', 's.event_id')
    .select(['e.id', 'e.provider', 'e.event_id', 'e.received_at', 'e.processed_at', 'e.failure'])
    .select('e.payload_sealed')
    .distinctOn('e.id')
    .where('p.order_id', '=', orderId)
    .orderBy('e.id')
    .execute()

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

const described = (ids: RawBuilder<unknown>) => sql<TransferRow>`
  select t.id, t.cause, t.kind, t.amount, t.order_id, t.created_at, ${accountAs('f')} as "from", ${accountAs('g')} as "to"
  from (${ids}) found join ledger_transfers t on t.id = found.id
  join ledger_accounts f on f.id = t.from_account_id join ledger_accounts g on g.id = t.to_account_id
  order by t.id`

export const listTransfersOf = async (db: Db, orderId: number): Promise<TransferRow[]> => {
  const ids = sql`select id from ledger_transfers where order_id = ${orderId}::bigint`
  return (await described(ids).execute(db)).rows
}

export interface TransferFilter {
  readonly limit: number
  readonly before?: number | undefined
  /** The account's own id. */
  readonly accountId?: number | undefined
  readonly cause?: string | undefined
}

const escaped = (beginning: string): string => beginning.replaceAll(/[\\%_]/g, '\\$&')

/** Newest first. Of an account: what left it and what came, each by its own index. */
export const listTransferRows = async (db: Db, filter: TransferFilter): Promise<TransferRow[]> => {
  const { before, accountId, cause, limit } = filter
  const conditions = [
    before !== undefined && sql`id < ${before}::bigint`,
    cause !== undefined && sql`cause like ${`${escaped(cause)}%`}`,
  ].filter((condition) => condition !== false)
  const rest = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
  const side = (column: 'from_account_id' | 'to_account_id') => sql`
    (select id from ledger_transfers where ${sql.ref(column)} = ${accountId}::bigint and ${rest} order by id desc limit ${limit})`
  const found =
    accountId === undefined
      ? sql`select id from ledger_transfers where ${rest}`
      : sql`select id from (${side('from_account_id')} union all ${side('to_account_id')}) sides`
  const { rows } = await described(sql`${found} order by id desc limit ${limit}`).execute(db)
  return rows.reverse()
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

export interface Waiting {
  readonly terms_ending: number
  readonly terms_ending_unrenewed: number
  readonly alerts: number
  readonly withdrawals: number
  readonly payments: number
  readonly grants: number
}

/** Each by an index that holds little else than what is counted. */
export const countWaiting = async (tx: Db, at: { readonly now: number; readonly until: number }) => {
  const ending = sql`from terms where state = 'active' and expires_at > ${at.now}::bigint and expires_at <= ${at.until}::bigint`
  const { rows } = await sql<Waiting>`
    select (select count(*) ${ending}) as terms_ending,
      (select count(*) ${ending} and not auto_renewal) as terms_ending_unrenewed,
      (select count(*) from alerts where resolved_at is null) as alerts,
      (select count(*) from withdrawals where status = 'pending') as withdrawals,
      (select count(*) from orders where state = 'created') as payments,
      (select count(*) from orders where state = 'paid') as grants`.execute(tx)
  return rows[0] as Waiting
}

export interface LocationSlots {
  readonly location_id: number
  readonly code: string
  readonly capacity: number
  readonly used_slots: number
  readonly free: number
}

/** Of the operator's servers; free is what can be sold now. */
export const listSlots = async (tx: Db, seenSince: number): Promise<LocationSlots[]> => {
  const { rows } = await sql<LocationSlots>`
    select l.id as location_id, l.code, sum(s.capacity)::bigint as capacity, sum(s.used_slots)::bigint as used_slots,
      coalesce(sum(greatest(0, s.capacity - s.used_slots)) filter (where s.state = 'selling'
        and st.last_seen_at >= ${seenSince}::bigint), 0)::bigint as free
    from servers s join locations l on l.id = s.location_id left join node_status st on st.node_id = s.node_id
    where s.owner_term_id is null and s.state <> 'retired' group by l.id, l.code order by l.id`.execute(tx)
  return rows
}
