import { type PaymentFact, ProviderRefusal, ProviderUnreachable } from '../../../ports/payments.ts'
import { readDecimal } from '../decimals.ts'
import type { ProviderAnswer } from '../provider-http.ts'

/** What YooKassa answers, believed only as far as it can be read. Every leaf is checked where it is used. */

interface Money {
  readonly value?: unknown
  readonly currency?: unknown
}

interface Canceled {
  readonly cancellation_details?: { readonly reason?: unknown } | null
}

export interface YooPayment extends Canceled {
  readonly id?: unknown
  readonly status?: unknown
  readonly paid?: unknown
  readonly amount?: Money | null
  readonly refunded_amount?: Money | null
  readonly metadata?: { readonly payment_id?: unknown } | null
  readonly confirmation?: { readonly confirmation_url?: unknown } | null
}

export interface YooRefund extends Canceled {
  readonly status?: unknown
  readonly payment_id?: unknown
  readonly amount?: Money | null
  readonly description?: unknown
}

export const idPattern = /^[\w-]{1,64}$/

/** Decimals of the currencies that can be put into the books. */
const decimals = new Map([
  ['RUB', 0],
  ['USD', 2],
])

/** These say nothing of whether the request was carried out. */
const undecidedStatuses = new Set([408, 409, 425, 429])

/** The object of a request that was carried out. */
export const confirmed = ({ status, json }: ProviderAnswer): unknown => {
  if (status === 200) return json
  if (status < 400 || status > 499 || undecidedStatuses.has(status)) {
    throw new ProviderUnreachable(`YooKassa answered ${status}`)
  }
  const error = json as { code?: unknown; parameter?: unknown; description?: unknown } | null | undefined
  const said = [error?.code, error?.parameter, error?.description].filter((part) => typeof part === 'string')
  const cause = status === 401 ? 'refuses the shop id or the secret key' : `refused with ${status}`
  throw new ProviderRefusal(`YooKassa ${cause}: ${said.join(', ').slice(0, 300)}`)
}

const readMoney = (money: Money | null | undefined): { amount: number; currency: string } => {
  const currency = typeof money?.currency === 'string' ? money.currency : ''
  const places = decimals.get(currency)
  const amount = places === undefined ? undefined : readDecimal(money?.value, places)
  if (amount === undefined) throw new ProviderUnreachable('YooKassa named an amount that cannot be read')
  return { amount, currency }
}

export const isRoubles = (money: Money | null | undefined, amountRub: number): boolean => {
  const { amount, currency } = readMoney(money)
  return amount === amountRub && currency === 'RUB'
}

export const reasonOf = (answer: Canceled): string => {
  const reason = answer.cancellation_details?.reason
  return typeof reason === 'string' ? reason.slice(0, 100) : 'canceled'
}

const receiptsOf = (payment: YooPayment, paymentId: string, providerPaymentId: string): PaymentFact[] => {
  const money = readMoney(payment.amount)
  if (payment.paid !== true || money.amount === 0) {
    throw new ProviderUnreachable('YooKassa says that a payment succeeded and was not paid')
  }
  const receiptId = providerPaymentId
  const received: PaymentFact = {
    kind: 'received',
    paymentId,
    providerPaymentId,
    receiptId,
    ...money,
    payer: null,
  }
  if (payment.refunded_amount === undefined || payment.refunded_amount === null) return [received]
  const refunded = readMoney(payment.refunded_amount)
  if (refunded.currency !== money.currency || refunded.amount > money.amount) {
    throw new ProviderUnreachable('YooKassa says that more was refunded than received')
  }
  return refunded.amount === 0 ? [received] : [received, { kind: 'refunded', receiptId, ...refunded }]
}

/** What is known of a payment, if the answer is about it. */
export const factsOf = (
  payment: YooPayment | null | undefined,
  paymentId: string,
  providerPaymentId: string,
): readonly PaymentFact[] => {
  if (payment?.id !== providerPaymentId || payment.metadata?.payment_id !== paymentId) {
    throw new ProviderUnreachable('YooKassa answered with another payment')
  }
  switch (payment.status) {
    case 'pending':
    case 'waiting_for_capture':
      return []
    case 'canceled':
      return [{ kind: 'canceled', paymentId, providerPaymentId, reason: reasonOf(payment) }]
    case 'succeeded':
      return receiptsOf(payment, paymentId, providerPaymentId)
    default:
      throw new ProviderUnreachable('YooKassa answered with an unknown state of the payment')
  }
}
