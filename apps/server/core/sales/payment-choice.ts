import type { Problem } from '@sallyport/contract/errors'
import type { Payment } from './checkout.ts'

/** How a customer wants to pay, as a purchase says it. */

interface PaymentFields {
  readonly payment_method_id?: number | undefined
  readonly tariff_id?: number | undefined
  readonly promocode?: string | undefined
}

/** A promocode, or a method with a tariff: never both, never neither. */
export const paymentProblem = (body: PaymentFields): Problem | undefined => {
  const namesPayment = body.payment_method_id !== undefined || body.tariff_id !== undefined
  if (body.promocode !== undefined) {
    return namesPayment
      ? {
          path: 'promocode',
          problem: 'cannot be combined with payment_method_id or tariff_id; give one or the other',
        }
      : undefined
  }
  if (body.payment_method_id === undefined) {
    return { path: 'payment_method_id', problem: 'is required with tariff_id, unless a promocode is given' }
  }
  return body.tariff_id === undefined
    ? { path: 'tariff_id', problem: 'is required with payment_method_id' }
    : undefined
}

export const paymentOf = (body: PaymentFields): Payment =>
  body.promocode === undefined
    ? { paymentMethodId: body.payment_method_id as number, tariffId: body.tariff_id as number }
    : { promocode: body.promocode }
