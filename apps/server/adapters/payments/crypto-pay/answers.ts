import { type PaymentFact, ProviderRefusal, ProviderUnreachable } from '../../../ports/payments.ts'
import { readDecimal } from '../decimals.ts'
import type { ProviderAnswer } from '../provider-http.ts'

/** What Crypto Pay answers, believed only as far as it can be read. Every leaf is checked where it is used. */

export interface Invoice {
  readonly invoice_id?: unknown
  readonly status?: unknown
  readonly currency_type?: unknown
  readonly asset?: unknown
  readonly amount?: unknown
  readonly paid_asset?: unknown
  readonly paid_amount?: unknown
  readonly bot_invoice_url?: unknown
  readonly payload?: unknown
}

export interface Transfer {
  readonly user_id?: unknown
  readonly asset?: unknown
  readonly amount?: unknown
  readonly spend_id?: unknown
  readonly status?: unknown
}

export type Outcome =
  | { readonly isDone: true; readonly result: unknown }
  | { readonly isDone: false; readonly code: number; readonly errorName: string }

export const cryptoAssets = ['TON', 'USDT']
const decimals = 2
const maxPaymentId = 128

/** These say nothing of whether the request was carried out. */
const undecidedCodes = new Set([408, 409, 425, 429])

/** Whether the provider did it or refused to; anything else leaves the outcome unknown. */
export const outcomeOf = ({ status, json }: ProviderAnswer): Outcome => {
  type Answer = { ok?: unknown; result?: unknown; error?: { code?: unknown; name?: unknown } | null }
  const { ok, result, error } = (json as Answer | null | undefined) ?? {}
  if (ok === true && status === 200) return { isDone: true, result }
  const code = typeof error?.code === 'number' ? error.code : status
  if (ok !== false || code < 400 || code > 499 || undecidedCodes.has(code)) {
    throw new ProviderUnreachable(`Crypto Pay answered ${status}`)
  }
  return { isDone: false, code, errorName: typeof error?.name === 'string' ? error.name : 'no reason given' }
}

export const confirmed = (outcome: Outcome): unknown => {
  if (outcome.isDone) return outcome.result
  const cause = outcome.code === 401 ? 'refuses the token' : `refused with ${outcome.code}`
  throw new ProviderRefusal(`Crypto Pay ${cause}: ${outcome.errorName.slice(0, 200)}`)
}

export const isAmount = (text: unknown, amount: number): boolean => readDecimal(text, decimals) === amount

export const invoiceIdOf = (invoice: Invoice | null | undefined): string | undefined => {
  const id = invoice?.invoice_id
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? String(id) : undefined
}

/** What was paid; an invoice of another kind than we make is read by what its payer gave. */
const paidFor = (invoice: Invoice): { amount: number; currency: string } | undefined => {
  const isPriced = invoice.currency_type === 'crypto'
  const currency = invoice.paid_asset ?? (isPriced ? invoice.asset : undefined)
  const amount = readDecimal(invoice.paid_amount ?? (isPriced ? invoice.amount : undefined), decimals)
  const isKnown = typeof currency === 'string' && cryptoAssets.includes(currency)
  return isKnown && amount !== undefined && amount > 0 ? { amount, currency } : undefined
}

/** Undefined when the answer cannot be read: then nothing is known of the invoice. */
export const factsOf = (invoice: Invoice | null | undefined): readonly PaymentFact[] | undefined => {
  const providerPaymentId = invoiceIdOf(invoice)
  if (!invoice || providerPaymentId === undefined) return undefined
  const { payload } = invoice
  const paymentId = typeof payload === 'string' && payload.length <= maxPaymentId ? payload : null
  switch (invoice.status) {
    case 'active':
      return []
    case 'expired':
      return [{ kind: 'canceled', paymentId, providerPaymentId, reason: 'expired' }]
    case 'paid': {
      const paid = paidFor(invoice)
      const receiptId = providerPaymentId
      // Who paid is not told, so a refund has to be addressed by the operator.
      return paid && [{ kind: 'received', paymentId, providerPaymentId, receiptId, ...paid, payer: null }]
    }
    default:
      return undefined
  }
}
