import type { Charge } from '../charges.ts'
import type { Providers } from '../providers.ts'
import type { Books, ReceiptRow } from '../queries.ts'

/** The providers' books against ours: every piece of money is known once, and every refund too. */

const nameOf = (provider: string, receiptId: string): string => `${provider} ${receiptId}`

const checkReceipts = (charges: readonly Charge[], { receipts }: Books): string[] => {
  const problems: string[] = []
  const known = new Map(receipts.map((receipt) => [nameOf(receipt.provider, receipt.receipt_id), receipt]))
  for (const charge of charges) {
    const name = nameOf(charge.provider, charge.receiptId)
    const receipt = known.get(name)
    if (!receipt) problems.push(`${name} was paid and is not known`)
    else if (receipt.amount !== charge.amount || receipt.currency !== charge.currency) {
      problems.push(`${name} was ${charge.amount} ${charge.currency}, known as ${receipt.amount}`)
    }
    known.delete(name)
  }
  for (const name of known.keys()) problems.push(`${name} is known and was not paid`)
  return problems
}

/** Parts, and what was given back both by us and by the provider, are for a person. */
const isExplained = ({ alerts }: Books, receipt: ReceiptRow, refunded: number): boolean =>
  alerts.some(
    ({ kind, subject }) =>
      (kind === 'partial_refund' && subject === `receipt:${receipt.id}:${refunded}`) ||
      (kind === 'refund_uncovered' && subject === `receipt:${receipt.id}`),
  )

const checkRefunds = (charges: readonly Charge[], books: Books): string[] => {
  const problems: string[] = []
  const receipts = new Map(books.receipts.map((row) => [nameOf(row.provider, row.receipt_id), row]))
  for (const charge of charges) {
    const name = nameOf(charge.provider, charge.receiptId)
    const receipt = receipts.get(name)
    if (!receipt) continue
    const done = books.refunds.filter(
      ({ receipt_id, destination, state }) =>
        receipt_id === receipt.id && destination === 'source' && state === 'done',
    )
    const given = done.reduce((sum, { amount }) => sum + amount, 0)
    if (given === charge.refunded || isExplained(books, receipt, charge.refunded)) continue
    problems.push(`${name}: the provider gave back ${charge.refunded}, our books say ${given}`)
  }
  return problems
}

/** Crypto Pay's transfers are all ours: each is a refund that is done. */
const checkTransfers = (charges: readonly Charge[], { cryptoPay }: Providers): string[] => {
  const found = charges.filter(({ provider, refunded }) => provider === 'crypto_pay' && refunded > 0).length
  return found === cryptoPay.refunds.size ? [] : [`${cryptoPay.refunds.size} transfers, ${found} refunds`]
}

/** Who paid enough has it or has the money back; who did not has nothing. */
const checkOrders = (charges: readonly Charge[], { orders }: Books): string[] => {
  const byPayment = Map.groupBy(charges, ({ paymentId }) => paymentId)
  return orders.flatMap((order) => {
    const { id, state, price, currency, public_id } = order
    if (state === 'created' || state === 'paid') return [`order ${id} is left ${state}`]
    if (public_id === null) return []
    const pieces = byPayment.get(public_id) ?? []
    const isPaid = pieces.some((piece) => piece.currency === currency && piece.amount >= price)
    const isServed = state === 'fulfilled' || state === 'refunded'
    return isPaid === isServed ? [] : [`order ${id} is ${state}, and its payments ${JSON.stringify(pieces)}`]
  })
}

export const checkCharges = (charges: readonly Charge[], providers: Providers, books: Books): string[] => [
  ...checkReceipts(charges, books),
  ...checkRefunds(charges, books),
  ...checkTransfers(charges, providers),
  ...checkOrders(charges, books),
]
