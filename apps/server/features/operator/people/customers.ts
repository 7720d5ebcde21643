import { randomUUID } from 'node:crypto'
import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { customerRows } from '@sallyport/contract/operator/people/customers'
import { roublesText } from '@sallyport/domain/text/counted'
import type { Handlers } from '../../../core/call.ts'
import { audited, unchanged } from '../../../core/kernel/audit.ts'
import { notify } from '../../../core/kernel/notifications.ts'
import { type AccountRef, lockBalance, transfer } from '../../../core/ledger/ledger.ts'
import { setBlocked } from '../../../core/vpn/operations/blocked-accounts.ts'
import { afterCommit } from '../../../db/client.ts'
import { wholeOrPage } from '../common/pages.ts'
import { lockCustomer, userExists } from '../common/queries.ts'
import { usualPage } from '../common/search.ts'
import { requireVersion } from '../common/versions.ts'
import { deletePricingRule, listEvents, listPricingRules } from './queries.ts'
import { type CustomerRow, listCustomers } from './search-queries.ts'
import { lockForChange } from './user-queries.ts'

type AdjustedAccount = 'wallet' | 'referral'

const shortages = { wallet: 'INSUFFICIENT_BALANCE', referral: 'INSUFFICIENT_REFERRAL_BALANCE' } as const

/** The reason is the operator's own note and is not told. */
const wordsOf = (account: AdjustedAccount, amount: number) => {
  const roubles = { ru: roublesText(Math.abs(amount), 'ru'), en: roublesText(Math.abs(amount), 'en') }
  const [ru, en] = account === 'wallet' ? ['баланс', 'balance'] : ['реферальный баланс', 'referral balance']
  return amount > 0
    ? {
        ru: `Поддержка зачислила ${roubles.ru} на ваш ${ru}.`,
        en: `Support added ${roubles.en} to your ${en}.`,
      }
    : {
        ru: `Поддержка уменьшила ваш ${ru} на ${roubles.ru}.`,
        en: `Support took ${roubles.en} from your ${en}.`,
      }
}

/** Amounts below zero are taken. */
const sidesOf = (customer: AccountRef, amount: number): { from: AccountRef; to: AccountRef } => {
  const operator = { kind: 'operator' } as const
  return amount > 0 ? { from: operator, to: customer } : { from: customer, to: operator }
}

export const customerHandlers: Handlers<typeof customerRows> = {
  listAccountEvents: async ({ db, params, query }) => {
    if (!(await userExists(db, params.id))) throw new ApiError('NOT_FOUND')
    const { limit = usualPage, before } = query
    return listEvents(db, params.id, { limit, before })
  },

  adjustBalance: ({ params, body, now }) => {
    const { account, amount } = body
    const userId = params.id
    if (amount === 0) throw badRequest('amount', 'must not be 0: above it is added, below it is taken')
    return async (tx) => {
      if (!(await userExists(tx, userId))) throw new ApiError('NOT_FOUND')
      if (amount > 0 && !(await lockCustomer(tx, userId))) {
        throw conflict('id', 'the account is deleted; money can only be taken from it')
      }
      const balance = await lockBalance(tx, userId, account)
      if (balance + amount < 0) {
        throw new ApiError(shortages[account], [
          { path: 'amount', problem: `takes more than there is; the account has ${balance}` },
        ])
      }
      const cause = `adjust:${randomUUID()}`
      await transfer(tx, {
        cause,
        kind: amount > 0 ? 'operator_grant' : 'operator_taking',
        ...sidesOf({ userId, kind: account }, amount),
        amount: Math.abs(amount),
        now,
      })
      await notify(tx, { userId, cause, ...wordsOf(account, amount), now })
      const [after] = (await listCustomers(tx, [userId], now)) as [CustomerRow]
      const balances = { balance: after.balance, referral_balance: after.referral_balance }
      const name = account === 'wallet' ? 'balance' : 'referral_balance'
      return audited(balances, {
        before: { [name]: balance },
        after: { [name]: balance + amount },
        details: { account, amount, cause },
      })
    }
  },

  blockUser:
    ({ bus, params, body: { version, ...body }, now }) =>
    async (tx) => {
      const topic = `auth:u:${params.id}`
      if (version !== undefined && (await lockForChange(tx, params.id))) {
        const [row] = (await listCustomers(tx, [params.id], now)) as [CustomerRow]
        requireVersion(version, row)
      }
      const wasBlocked = await setBlocked(tx, bus, params.id, body.is_blocked)
      if (wasBlocked === undefined) throw new ApiError('NOT_FOUND')
      await bus.publish(tx, topic)
      afterCommit(() => bus.deliver(topic))
      if (wasBlocked === body.is_blocked) return unchanged(true)
      return audited(true, { before: { is_blocked: wasBlocked }, after: body })
    },

  listPricingRules: async ({ db, params, query }) => {
    if (!(await userExists(db, params.id))) throw new ApiError('NOT_FOUND')
    return wholeOrPage(await listPricingRules(db, params.id), query)
  },

  deletePricingRule:
    ({ params }) =>
    async (tx) => {
      const rule = await deletePricingRule(tx, params.id, params.rule_id)
      if (!rule) throw new ApiError('NOT_FOUND')
      return audited(true, { before: rule, after: null })
    },
}
