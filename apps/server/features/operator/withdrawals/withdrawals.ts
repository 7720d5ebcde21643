import { ApiError, conflict } from '@sallyport/contract/errors'
import type { operatorMoney } from '@sallyport/contract/operator/money'
import { sbpBankName } from '@sallyport/domain/money/sbp-banks'
import type { Handlers } from '../../../core/call.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { approveWithdrawal, decideWithdrawal, openAccount } from '../../../core/settlement/withdrawals.ts'
import { usualPage } from '../common/search.ts'
import { findAccount, listWithdrawalRows } from './queries.ts'

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

  approveWithdrawal:
    ({ operatorId, operatorTokenMadeBy: tokenMadeBy, params: { id }, now }) =>
    async (tx) => {
      const { status, ...details } = await approveWithdrawal(tx, { id, operatorId, tokenMadeBy, now })
      // Of one that waits for a second person the log says that there is a first.
      const change =
        status === 'paid'
          ? { before: { status: 'pending' }, after: { status } }
          : { before: { approvals: 0 }, after: { approvals: 1 } }
      return audited({ id, status }, { ...change, details })
    },

  rejectWithdrawal:
    ({ operatorId, params: { id }, body: { reason }, now }) =>
    async (tx) => {
      const status = 'rejected'
      const details = await decideWithdrawal(tx, { id, status, operatorId, reason, now })
      return audited(
        { id, status },
        { before: { status: 'pending' }, after: { status }, details: { ...details } },
      )
    },
}
