import { ApiError, conflict } from '@sallyport/contract/errors'
import type { operatorMoney } from '@sallyport/contract/operator/money'
import { sbpBankName } from '@sallyport/domain/money/sbp-banks'
import type { Handlers } from '../../../core/call.ts'
import { audited, type Change } from '../../../core/kernel/audit.ts'
import { type Decision, decideWithdrawal, openAccount } from '../../../core/settlement/withdrawals.ts'
import { usualPage } from '../common/search.ts'
import { findAccount, listWithdrawalRows } from './queries.ts'

const decide =
  (decision: Decision): Change<Pick<Decision, 'id' | 'status'>> =>
  async (tx) => {
    const { id, status } = decision
    const decided = await decideWithdrawal(tx, decision)
    return audited(
      { id, status },
      { before: { status: 'pending' }, after: { status }, details: { ...decided } },
    )
  }

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

  revealWithdrawalAccount:
    ({ vault, params }) =>
    async (tx) => {
      const { id } = params
      const row = await findAccount(tx, id)
      if (!row) throw new ApiError('NOT_FOUND')
      if (row.status !== 'pending' || row.account_sealed === null) {
        throw conflict('id', `is ${row.status}; the account is hidden once a withdrawal is decided`)
      }
      const account = { account: openAccount(vault, id, row.account_sealed), bank_id: row.bank_id }
      return audited(account, { details: { method: row.method } })
    },

  approveWithdrawal: ({ operatorId, params, now }) =>
    decide({ id: params.id, status: 'paid', operatorId, reason: null, now }),

  rejectWithdrawal: ({ operatorId, params, body: { reason }, now }) =>
    decide({ id: params.id, status: 'rejected', operatorId, reason, now }),
}
