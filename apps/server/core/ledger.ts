import { ApiError } from '@sallyport/contract/errors'
import { sql } from 'kysely'
import type { Db } from '../db/client.ts'

/** Double entry: every effect on money is a transfer between two accounts, with a cause that can happen once. */

export type AccountRef =
  | { readonly userId: number; readonly kind: 'wallet' | 'referral' | 'referral_hold' }
  | { readonly kind: 'revenue' | 'promocode_expense' | 'refunds' | 'payouts' | 'operator' }

export interface Transfer {
  /** Names the one event behind this; a second transfer with the same cause changes nothing. */
  readonly cause: string
  readonly kind: string
  readonly from: AccountRef
  readonly to: AccountRef
  readonly amount: number
  readonly now: number
  readonly orderId?: number
}

const customerKinds = ['wallet', 'referral', 'referral_hold'] as const

export const openCustomerAccounts = async (tx: Db, userId: number): Promise<void> => {
  await tx
    .insertInto('ledger_accounts')
    .values(customerKinds.map((kind) => ({ kind, user_id: userId, provider: null, balance: 0 })))
    .execute()
}

const userIdOf = (account: AccountRef): number | null => ('userId' in account ? account.userId : null)

interface Outcome {
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
    with source as (
      select id, user_id from ledger_accounts
      where kind = ${from.kind} and user_id is not distinct from ${userIdOf(from)}::bigint and provider is null
    ), target as (
      select id, user_id from ledger_accounts
      where kind = ${to.kind} and user_id is not distinct from ${userIdOf(to)}::bigint and provider is null
    ), recorded as (
      insert into ledger_transfers (cause, kind, from_account_id, to_account_id, amount, order_id, created_at)
      select ${move.cause}, ${move.kind}, source.id, target.id, ${amount}, ${move.orderId ?? null}::bigint, ${move.now}
      from source, target
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
    select exists (select from recorded) as is_new,
      (select user_id from source) is null or exists (select from debited) as is_covered`.execute(tx)
  const outcome = rows[0] as Outcome
  if (!outcome.is_new) return false
  if (!outcome.is_covered) {
    throw new ApiError(from.kind === 'wallet' ? 'INSUFFICIENT_BALANCE' : 'INSUFFICIENT_REFERRAL_BALANCE')
  }
  return true
}
