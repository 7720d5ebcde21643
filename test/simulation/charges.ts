import { createHash } from 'node:crypto'
import type { Providers } from './providers.ts'
import type { Books, RefundRow } from './queries.ts'

/** Every piece of money in the providers' own books. */

export interface Charge {
  readonly provider: string
  readonly receiptId: string
  /** Ours, in the provider's metadata. */
  readonly paymentId: string
  /** Smallest units as the service counts them. */
  readonly amount: number
  readonly currency: string
  /** What the provider gave back of it. */
  readonly refunded: number
}

const ofYooKassa = ({ yookassa }: Providers): Charge[] =>
  [...yookassa.payments.values()]
    .filter(({ status }) => status === 'succeeded')
    .map(({ id, amount, metadata, refunded_amount }) => ({
      provider: 'yookassa',
      receiptId: id,
      paymentId: metadata.payment_id ?? '',
      amount: Number(amount.value),
      currency: amount.currency,
      refunded: Number(refunded_amount?.value ?? 0),
    }))

const ofStars = ({ stars }: Providers): Charge[] =>
  [...stars.payments.values()].flatMap(({ paymentId, charges }) =>
    charges.map(({ chargeId, amount, currency, isRefunded }) => ({
      provider: 'stars',
      receiptId: chargeId,
      paymentId,
      amount,
      currency,
      refunded: isRefunded ? amount : 0,
    })),
  )

const ofStripe = ({ stripe }: Providers): Charge[] =>
  [...stripe.payments.values()]
    .filter(({ paymentStatus }) => paymentStatus === 'paid')
    .map(({ intentId, paymentId, paid, refunds }) => ({
      provider: 'stripe',
      receiptId: intentId,
      paymentId,
      amount: paid.amount / 100,
      currency: paid.currency.toUpperCase(),
      refunded: refunds.reduce((sum, { amount }) => sum + amount, 0) / 100,
    }))

const hundredths = (amount: string): number => Math.round(Number(amount) * 100)

/** Crypto Pay knows transfers by the name we gave them, and not what they are for. */
const spendIdOf = (receiptId: string, { id }: RefundRow): string =>
  createHash('sha256').update(`${receiptId}:refund-${id}`).digest('hex')

const ofCryptoPay = ({ cryptoPay }: Providers, { receipts, refunds }: Books): Charge[] => {
  const transferred = new Map<string, number>()
  for (const refund of refunds) {
    const receipt = receipts.find(({ order_id }) => order_id === refund.order_id)
    const transfer = receipt && cryptoPay.refunds.get(spendIdOf(receipt.receipt_id, refund))
    if (transfer) transferred.set(receipt.receipt_id, hundredths(transfer.amount))
  }
  return [...cryptoPay.payments.values()]
    .filter(({ status }) => status === 'paid')
    .map(({ id, payload, asset, amount, paid_asset, paid_amount }) => ({
      provider: 'crypto_pay',
      receiptId: id,
      paymentId: payload,
      amount: hundredths(paid_amount ?? amount),
      currency: paid_asset ?? asset,
      refunded: transferred.get(id) ?? 0,
    }))
}

const ofSandbox = ({ sandbox }: Books): Charge[] =>
  sandbox
    .filter(({ state }) => state === 'succeeded' || state === 'refunded')
    .map(({ payment_id, amount, currency, state }) => ({
      provider: 'sandbox',
      receiptId: `sandbox-${payment_id}`,
      paymentId: payment_id,
      amount,
      currency,
      refunded: state === 'refunded' ? amount : 0,
    }))

export const chargesOf = (providers: Providers, books: Books): Charge[] => [
  ...ofYooKassa(providers),
  ...ofCryptoPay(providers, books),
  ...ofStars(providers),
  ...ofStripe(providers),
  ...ofSandbox(books),
]
