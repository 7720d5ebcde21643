import type { PaymentState } from '@sallyport/contract/customer/payment-shapes'
import type { OrderState } from './order.ts'

/** What is known of an order and of the money that came for it. */
export interface PaidFor {
  readonly state: OrderState
  /** Until when its link can be paid; null where there is none. */
  readonly expiresAt: number | null
  /** Roubles that came for it and are on the balance instead. */
  readonly creditedRub: number
  /** Money that did not fit and waits for a person. */
  readonly isHeld: boolean
  /** Given back on purpose, whoever wished it: what is credited because it could not be given is not. */
  readonly isRefunded: boolean
}

const unpaid = ({ state, expiresAt, creditedRub, isHeld }: PaidFor, now: number): PaymentState => {
  if (creditedRub > 0) return 'credited'
  if (isHeld) return 'processing'
  if (state === 'cancelled') return 'cancelled'
  return state === 'created' && (expiresAt === null || expiresAt > now) ? 'waiting' : 'expired'
}

/** How a payment stands in the words of whoever pays it. */
export const paymentState = (order: PaidFor, now: number): PaymentState => {
  switch (order.state) {
    case 'paid':
      return 'processing'
    case 'fulfilled':
      return 'paid'
    case 'refunded':
      return order.isRefunded || order.creditedRub === 0 ? 'refunded' : 'credited'
    default:
      return unpaid(order, now)
  }
}
