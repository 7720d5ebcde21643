import { badRequest } from '@sallyport/contract/errors'
import { maxId } from '@sallyport/contract/shapes'
import { isKnownCurrency, shown } from '@sallyport/domain/money/money'
import type { LedgerAccount, TransferRow } from './transfer-queries.ts'

/** What accounts of the ledger are called: `user:7:wallet`, `revenue`, `clearing:TON`, `provider:yookassa`. */

const ofCustomers = ['wallet', 'referral', 'referral_hold', 'withdrawal_hold']
const ofService = [
  'revenue',
  'promocode_expense',
  'refunds',
  'payouts',
  'operator',
  'clearing',
  'exchange',
  'suspense',
]

export const accountName = ({ kind, user_id: userId, provider, currency }: LedgerAccount): string => {
  if (userId !== null) return `user:${userId}:${kind}`
  const parts = provider === null ? [kind] : [kind, provider]
  return [...parts, ...(currency === 'RUB' ? [] : [currency])].join(':')
}

/** An account by what it is called; 400 where nothing can be called so. */
export const accountNamed = (name: string): LedgerAccount => {
  const customer = /^user:(\d{1,16}):(\w+)$/.exec(name)
  if (customer) {
    const [, id = '', kind = ''] = customer
    if (Number(id) >= 1 && Number(id) <= maxId && ofCustomers.includes(kind)) {
      return { kind, user_id: Number(id), provider: null, currency: 'RUB' }
    }
  } else {
    const [kind = '', ...rest] = name.split(':')
    const provider = kind === 'provider' ? (rest.shift() ?? '') : null
    const [currency = 'RUB', ...more] = rest
    const isKind = provider === null ? ofService.includes(kind) : provider !== ''
    if (isKind && isKnownCurrency(currency) && more.length === 0) {
      return { kind, user_id: null, provider, currency }
    }
  }
  const own = `${ofService.join(', ')}, provider:<name>`
  throw badRequest(
    'account',
    `is no account; name user:<id>:${ofCustomers.join(' or ')}, or one of ${own}, with :<currency> unless it is roubles`,
  )
}

export const shownTransfer = ({ from, to, ...row }: TransferRow) => ({
  ...row,
  amount: shown(row.amount, from.currency),
  currency: from.currency,
  from: accountName(from),
  to: accountName(to),
})
