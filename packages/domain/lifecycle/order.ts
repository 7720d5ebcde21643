/** An order's life: state to the states that may follow. */

export const orderTransitions = {
  created: ['paid', 'cancelled', 'expired'],
  paid: ['fulfilled', 'refunded'],
  fulfilled: ['refunded'],
  // A payment may still arrive after a link was given up; it is never lost.
  cancelled: ['paid'],
  expired: ['paid'],
  refunded: [],
} as const satisfies Record<string, readonly string[]>

export type OrderState = keyof typeof orderTransitions

export const canMoveOrder = (from: OrderState, to: OrderState): boolean =>
  (orderTransitions[from] as readonly string[]).includes(to)

export const moveOrder = (from: OrderState, to: OrderState): OrderState => {
  if (!canMoveOrder(from, to)) throw new Error(`An order cannot go from ${from} to ${to}`)
  return to
}
