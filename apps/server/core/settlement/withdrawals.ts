import { ApiError, conflict } from '@sallyport/contract/errors'
import { maskCard } from '@sallyport/domain/money/luhn'
import { maskPhone } from '@sallyport/domain/money/referral'
import { roublesText } from '@sallyport/domain/text/counted'
import { type Db, inTransaction } from '../../db/client.ts'
import { lockUser } from '../accounts/users.ts'
import type { Job } from '../kernel/jobs.ts'
import { notify } from '../kernel/notifications.ts'
import { announcing } from '../kernel/outbox.ts'
import { readSettings } from '../kernel/settings.ts'
import type { Vault } from '../kernel/vault.ts'
import { lockBalance, transfer } from '../ledger/ledger.ts'
import { type Approver, listOtherApprovals } from './approvals.ts'

/** Earnings on their way to a card or a phone number: held at once, paid or returned by an operator. */

const accountKeptSeconds = 30 * 86_400

const accountContext = (id: number): string => `withdrawals.account:${id}`

/** The whole card number or phone. */
export const openAccount = (vault: Vault, id: number, sealed: Uint8Array): string =>
  vault.open(sealed, accountContext(id))

export interface WithdrawalRequest {
  readonly userId: number
  readonly method: 'sbp' | 'card'
  /** Card number in digits, or phone as +7 and ten digits. */
  readonly account: string
  readonly bankId: string | null
  readonly amount: number
  readonly now: number
}

/** Throws INSUFFICIENT_REFERRAL_BALANCE when the earnings do not cover it. */
export const requestWithdrawal = async (
  tx: Db,
  vault: Vault,
  request: WithdrawalRequest,
): Promise<{ id: number; created_at: number }> => {
  const { userId, method, account, amount, now } = request
  // Whoever deletes or moves the account looks for pending withdrawals and must not miss this one.
  await lockUser(tx, userId)
  const { id } = await tx
    .insertInto('withdrawals')
    .values({
      user_id: userId,
      method,
      amount,
      bank_id: request.bankId,
      account_masked: method === 'card' ? maskCard(account) : maskPhone(account),
      status: 'pending',
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await transfer(tx, {
    cause: `withdrawal:${id}:hold`,
    kind: 'withdrawal_hold',
    from: { userId, kind: 'referral' },
    to: { userId, kind: 'withdrawal_hold' },
    amount,
    now,
  })
  const sealed = vault.seal(account, accountContext(id))
  const subject = `withdrawal:${id}`
  const data = { withdrawal_id: id, user_id: userId, method, amount, created_at: now }
  await tx
    .updateTable('withdrawals')
    .set({ account_sealed: sealed })
    .where('id', '=', id)
    .returning(announcing({ type: 'withdrawal.requested', subject, data, now }).as('is_announced'))
    .execute()
  return { id, created_at: now }
}

export interface Decision {
  readonly id: number
  readonly status: 'paid' | 'rejected'
  readonly operatorId: number
  /** What the customer reads when it is rejected. */
  readonly reason: string | null
  readonly now: number
}

export interface DecidedWithdrawal {
  readonly user_id: number
  readonly method: 'sbp' | 'card'
  readonly amount: number
}

interface NotifiedWithdrawal extends DecidedWithdrawal {
  readonly account_masked: string
}

const noticeOf = (row: NotifiedWithdrawal, { status, reason }: Decision): { ru: string; en: string } => {
  const isCard = row.method === 'card'
  const amount = { ru: roublesText(row.amount, 'ru'), en: roublesText(row.amount, 'en') }
  const whither = {
    ru: `${isCard ? 'на карту' : 'по номеру телефона'} ${row.account_masked}`,
    en: `to ${isCard ? 'card' : 'phone number'} ${row.account_masked}`,
  }
  if (status === 'paid') {
    return {
      ru: `Вывод ${amount.ru} ${whither.ru} выполнен.`,
      en: `Your withdrawal of ${amount.en} ${whither.en} has been paid.`,
    }
  }
  const why = reason === null ? { ru: '', en: '' } : { ru: ` Причина: ${reason}`, en: ` Reason: ${reason}` }
  return {
    ru: `Вывод ${amount.ru} ${whither.ru} отклонён, деньги вернулись на реферальный баланс.${why.ru}`,
    en: `Your withdrawal of ${amount.en} ${whither.en} was rejected; the money is back in your referral balance.${why.en}`,
  }
}

const settle = async (tx: Db, userId: number, amount: number, { id, status, now }: Decision) => {
  // A request takes the earnings before the hold; going back takes them in that order too, or the two could lock.
  if (status === 'rejected') await lockBalance(tx, userId, 'referral')
  await transfer(tx, {
    cause: `withdrawal:${id}:${status}`,
    kind: status === 'paid' ? 'withdrawal_payout' : 'withdrawal_return',
    from: { userId, kind: 'withdrawal_hold' },
    to: status === 'paid' ? { kind: 'payouts' } : { userId, kind: 'referral' },
    amount,
    now,
  })
}

const lockPending = async (tx: Db, id: number) => {
  const row = await tx
    .selectFrom('withdrawals')
    .select(['user_id', 'method', 'amount', 'account_masked', 'status'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new ApiError('NOT_FOUND')
  if (row.status !== 'pending') {
    throw conflict('id', `is ${row.status} already; only a pending withdrawal can be decided`)
  }
  return row
}

/** Ends a pending withdrawal, once, and tells the customer. */
export const decideWithdrawal = async (tx: Db, decision: Decision): Promise<DecidedWithdrawal> => {
  const { id, status, now } = decision
  const row = await lockPending(tx, id)
  await tx
    .updateTable('withdrawals')
    .set({ status, reason: decision.reason, decided_by: decision.operatorId, decided_at: now })
    .where('id', '=', id)
    .execute()
  await settle(tx, row.user_id, row.amount, decision)
  await notify(tx, {
    userId: row.user_id,
    cause: `withdrawal:${id}:${status}`,
    ...noticeOf(row, decision),
    now,
  })
  return { user_id: row.user_id, method: row.method, amount: row.amount }
}

export interface Approval extends Approver {
  readonly id: number
}

const notTwo =
  'one of you two made the token that the other came with, or in the last 24 hours a sign-in link for them: come with a token of your own, or let a third person approve'

/**
 * Above the amount of the settings it takes two people: the first is noted, and only another one's word pays. Whoever comes
 * waits for the withdrawal's row, so that two at once are a first and a second.
 */
export const approveWithdrawal = async (
  tx: Db,
  { id, ...approver }: Approval,
): Promise<DecidedWithdrawal & { status: 'pending' | 'paid' }> => {
  const { operatorId, tokenMadeBy, now } = approver
  const row = await lockPending(tx, id)
  const { two_person_amount: alone } = await readSettings(tx)
  if (alone !== null && row.amount > alone) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('withdrawal_approvals')
      .values({ withdrawal_id: id, operator_id: operatorId, created_at: now, token_made_by: tokenMadeBy })
      .onConflict((oc) => oc.doNothing())
      .executeTakeFirst()
    if (!numInsertedOrUpdatedRows) {
      throw conflict('id', 'you have approved it already; somebody else has to, too')
    }
    const others = await listOtherApprovals(tx, id, approver)
    const { user_id, method, amount } = row
    if (others.length === 0) return { user_id, method, amount, status: 'pending' }
    if (others.every(({ could_be_same }) => could_be_same)) throw conflict('id', notTwo)
  }
  const decided = await decideWithdrawal(tx, { id, status: 'paid', operatorId, reason: null, now })
  return { ...decided, status: 'paid' }
}

/** Card numbers and phones are kept as long as a payout may be disputed, and no longer. Returns how many. */
export const eraseOldAccounts = async (db: Db, now: number): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('withdrawals')
    .set({ account_sealed: null })
    .where('account_sealed', 'is not', null)
    .where('decided_at', '<=', now - accountKeptSeconds)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export const erasePayoutAccountsJob: Job<{ readonly db: Db }> = {
  name: 'erase payout accounts',
  everySeconds: 3600,
  run: ({ db }, now) => inTransaction(db, (tx) => eraseOldAccounts(tx, now)),
}
