import { ApiError, conflict } from '@sallyport/contract/errors'
import type { operatorMoney } from '@sallyport/contract/operator/money'
import { sbpBankName } from '@sallyport/domain/money/sbp-banks'
import type { Handlers } from '../../../core/call.ts'
import { type Decision, decideWithdrawal, openAccount } from '../../../core/settlement/withdrawals.ts'
import { type Db, inTransaction } from '../../../db/client.ts'
import { audit } from '../common/queries.ts'
import { findAccount, listWithdrawalRows } from './queries.ts'

const usualPage = 100

const subjectOf = (id: number): string => `withdrawal:${id}`

const decide = (db: Db, action: string, decision: Decision) =>
  inTransaction(db, async (tx) => {
    const { id, status, operatorId, reason, now } = decision
    const decided = await decideWithdrawal(tx, decision)
    const details = { ...decided, ...(reason !== null && { reason }) }
    await audit(tx, { operatorId, action, subject: subjectOf(id), details, now })
    return { id, status }
  })

export const withdrawalHandlers: Pick<
  Handlers<typeof operatorMoney>,
  'listWithdrawals' | 'revealWithdrawalAccount' | 'approveWithdrawal' | 'rejectWithdrawal'
> = {
  listWithdrawals: async ({ db, query }) => {
    const rows = await listWithdrawalRows(db, { ...query, limit: query.limit ?? usualPage })
    return rows.map((row) => ({
      ...row,
      bank_name: row.bank_id === null ? null : (sbpBankName(row.bank_id) ?? null),
    }))
  },

  revealWithdrawalAccount: ({ db, vault, operatorId, params, now }) =>
    inTransaction(db, async (tx) => {
      const { id } = params
      const row = await findAccount(tx, id)
      if (!row) throw new ApiError('NOT_FOUND')
      if (row.status !== 'pending' || row.account_sealed === null) {
        throw conflict('id', `is ${row.status}; the account is hidden once a withdrawal is decided`)
      }
      const details = { method: row.method }
      await audit(tx, { operatorId, action: 'revealWithdrawalAccount', subject: subjectOf(id), details, now })
      return { account: openAccount(vault, id, row.account_sealed), bank_id: row.bank_id }
    }),

  approveWithdrawal: ({ db, operatorId, params, now }) =>
    decide(db, 'approveWithdrawal', { id: params.id, status: 'paid', operatorId, reason: null, now }),

  rejectWithdrawal: ({ db, operatorId, params, body, now }) => {
    const { reason } = body
    return decide(db, 'rejectWithdrawal', { id: params.id, status: 'rejected', operatorId, reason, now })
  },
}
