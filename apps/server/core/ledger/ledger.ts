import { ApiError } from '@sallyport/contract/errors'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** Double entry: every effect on money is a transfer between two accounts, with a cause that can happen once. */

export type CustomerAccount = 'wallet' | 'referral' | 'referral_hold' | 'withdrawal_hold'

export type AccountRef =
  | { readonly userId: number; readonly kind: CustomerAccount }
  /** Roubles only. */
  | { readonly kind: 'promocode_expense' | 'payouts' | 'operator' }
  | {
      readonly kind: 'revenue' | 'refunds' | 'clearing' | 'exchange' | 'suspense'
      readonly currency?: string
    }
  | { readonly kind: 'provider'; readonly provider: string; readonly currency: string }

export interface Transfer {
  /** Names the one event behind this; a second transfer with the same cause changes nothing. */
  readonly cause: string
  readonly kind: string
  readonly from: AccountRef
  readonly to: AccountRef
  readonly amount: number
  readonly now: number
  readonly orderId?: number | undefined
}

/** The hold for withdrawals is opened by the database itself. */
const customerKinds = ['wallet', 'referral', 'referral_hold', 'withdrawal_hold'] as const

export const openCustomerAccounts = async (tx: Db, userId: number): Promise<void> => {
  await tx
    .insertInto('ledger_accounts')
    .values(customerKinds.map((kind) => ({ kind, user_id: userId, provider: null, balance: 0 })))
    .execute()
}

const account = (ref: AccountRef) => {
  const userId = 'userId' in ref ? ref.userId : null
  const provider = 'provider' in ref ? ref.provider : null
  const currency = ('currency' in ref ? ref.currency : undefined) ?? 'RUB'
  // By user first: the service's own accounts are few, and found by their own index.
  return userId === null
    ? sql`select id, user_id, currency from ledger_accounts where user_id is null and kind = ${ref.kind}
        and coalesce(provider, '') = ${provider ?? ''} and currency = ${currency}`
    : sql`select id, user_id, currency from ledger_accounts where user_id = ${userId}::bigint and kind = ${ref.kind}`
}

interface Outcome {
  readonly has_accounts: boolean
  readonly is_new: boolean
  readonly is_covered: boolean
}

/**
 * One statement: record the transfer, then move the cached balances of the customers among its two sides.
 * Returns false when the cause was recorded before; throws when a customer has too little.
 */
export const transfer = async (tx: Db, move: Transfer): Promise<boolean> => {
  if (!tx.isTransaction) throw new Error('Money moves only inside a transaction')
  const { from, to, amount } = move
  const { rows } = await sql<Outcome>`
    with source as (${account(from)}), target as (${account(to)}), recorded as (
      insert into ledger_transfers (cause, kind, from_account_id, to_account_id, amount, order_id, created_at)
      select ${move.cause}, ${move.kind}, source.id, target.id, ${amount}, ${move.orderId ?? null}::bigint, ${move.now}
      from source join target on target.currency = source.currency
      on conflict (cause) do nothing
      returning id
    ), debited as (
      update ledger_accounts set balance = balance - ${amount}
      where id = (select id from source) and user_id is not null and balance >= ${amount}
        and exists (select from recorded)
      returning id
    ), credited as (
      update ledger_accounts set balance = balance + ${amount}
      where id = (select id from target) and user_id is not null and exists (select from recorded)
      returning id
    )
    select exists (select from source join target on target.currency = source.currency) as has_accounts,
      exists (select from recorded) as is_new,
      (select user_id from source) is null or exists (select from debited) as is_covered`.execute(tx)
  const outcome = rows[0] as Outcome
  if (!outcome.has_accounts) throw new Error(`No such accounts, or of two currencies: ${move.cause}`)
  if (!outcome.is_new) return false
  if (!outcome.is_covered) {
    throw new ApiError(from.kind === 'wallet' ? 'INSUFFICIENT_BALANCE' : 'INSUFFICIENT_REFERRAL_BALANCE')
  }
  return true
}

/** What a customer has in one account now, locked until the transaction ends. */
export const lockBalance = async (tx: Db, userId: number, kind: CustomerAccount): Promise<number> => {
  const row = await tx
    .selectFrom('ledger_accounts')
    .select('balance')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return row.balance as number
}
