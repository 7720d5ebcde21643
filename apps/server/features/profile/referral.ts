import type { ReferralRecord } from '@sallyport/contract/customer/money-shapes'
import type { profile } from '@sallyport/contract/customer/profile'
import { badRequest } from '@sallyport/contract/errors'
import { isCardNumber, normaliseCardNumber } from '@sallyport/domain/money/luhn'
import { maskEmail } from '@sallyport/domain/money/referral'
import { sbpBankName, sbpBanks } from '@sallyport/domain/money/sbp-banks'
import type { Handlers } from '../../core/call.ts'
import { readSettings } from '../../core/kernel/settings.ts'
import { requestWithdrawal } from '../../core/settlement/withdrawals.ts'
import { inTransaction } from '../../db/client.ts'
import { listReferralRows, type ReferralRow, readHeldEarnings } from './referral-queries.ts'

const usualPage = 100

const earningStatuses = { held: 'held', released: 'available', reversed: 'cancelled' } as const

const shownRecord = (row: ReferralRow): ReferralRecord => {
  const { amount, created_at } = row
  if (row.kind === 'withdrawal') {
    return { amount, method: row.method, account: row.account, status: row.status, created_at }
  }
  const email = maskEmail(row.email)
  return {
    amount,
    status: earningStatuses[row.status],
    created_at,
    ...(row.status === 'held' && { available_at: row.release_at }),
    ...(email !== undefined && { email }),
  }
}

export const referralHandlers: Pick<
  Handlers<typeof profile>,
  'listReferralRecords' | 'showReferralTerms' | 'listSbpBanks' | 'withdrawBySbp' | 'withdrawToCard'
> = {
  listReferralRecords: async ({ db, userId, query }) => {
    const { limit = usualPage, offset = 0 } = query
    return (await listReferralRows(db, userId, { limit, offset })).map(shownRecord)
  },

  showReferralTerms: async ({ db, userId }) => {
    const { referral_percent: percent, referral_hold_days } = await readSettings(db)
    return { percent, hold_days: referral_hold_days, held: await readHeldEarnings(db, userId) }
  },

  listSbpBanks: async () => [...sbpBanks],

  withdrawBySbp: async ({ db, vault, userId, body, now }) => {
    const { bank_id: bankId, amount, phone_number: account } = body
    if (sbpBankName(bankId) === undefined) {
      throw badRequest('bank_id', 'is not a bank of the list at /profile/referral/withdraw/sbp-bank-list')
    }
    return inTransaction(db, (tx) =>
      requestWithdrawal(tx, vault, { userId, method: 'sbp', account, bankId, amount, now }),
    )
  },

  withdrawToCard: async ({ db, vault, userId, body, now }) => {
    const { amount } = body
    const account = normaliseCardNumber(body.card_number)
    if (!isCardNumber(account)) {
      throw badRequest(
        'card_number',
        'is not a card number: check the digits, one of them is wrong or missing',
      )
    }
    return inTransaction(db, (tx) =>
      requestWithdrawal(tx, vault, { userId, method: 'card', account, bankId: null, amount, now }),
    )
  },
}
