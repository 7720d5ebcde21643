import type { Db } from '../../db/client.ts'
import { type AccountRef, transfer } from './ledger.ts'

/** Money from outside that ends on a customer's balance. */

export interface Credit {
  readonly userId: number
  readonly from: 'clearing' | 'refunds' | 'suspense' | { readonly provider: string }
  readonly currency: string
  readonly amount: number
  /** What the customer gets, in roubles. */
  readonly valueRub: number
  readonly cause: string
  readonly orderId: number
  readonly now: number
}

const sourceOf = ({ from, currency }: Credit): AccountRef =>
  typeof from === 'string' ? { kind: from, currency } : { kind: 'provider', currency, ...from }

/**
 * In another currency the amount is exchanged: one transfer on each side, because a transfer has one currency. What is
 * worth less than a rouble stays with the service.
 */
export const creditWallet = async (tx: Db, credit: Credit): Promise<void> => {
  const { currency, amount, valueRub, cause, orderId, now } = credit
  const wallet: AccountRef = { userId: credit.userId, kind: 'wallet' }
  const common = { orderId, now }
  if (currency === 'RUB') {
    await transfer(tx, { ...common, cause, kind: 'credit', from: sourceOf(credit), to: wallet, amount })
    return
  }
  await transfer(tx, {
    ...common,
    cause: `${cause}:sold`,
    kind: 'exchange',
    from: sourceOf(credit),
    to: { kind: 'exchange', currency },
    amount,
  })
  if (valueRub === 0) return
  await transfer(tx, {
    ...common,
    cause,
    kind: 'credit',
    from: { kind: 'exchange' },
    to: wallet,
    amount: valueRub,
  })
}
