import { settleReceived } from '../../../apps/server/core/settlement/settlement.ts'
import type { TestService } from '../service.ts'

/** Money for an order by link, as its provider tells of it: so much, whatever was asked for. */
export const moneyArrived = (
  { db, clock }: TestService,
  link: string,
  { receiptId, amount }: { readonly receiptId: string; readonly amount: number },
) => {
  const paymentId = new URL(link).pathname.split('/').at(-1) as string
  const fact = { kind: 'received', providerPaymentId: null, currency: 'RUB', payer: null } as const
  return settleReceived(db, 'sandbox', { ...fact, paymentId, receiptId, amount }, clock.now())
}
