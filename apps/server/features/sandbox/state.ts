/** What the sandbox says of a payment, which the clock may have moved on since the row was written. */

export const putOffSeconds = 20

export type StoredState = 'pending' | 'later' | 'succeeded' | 'declined' | 'refunded'
export type State = StoredState | 'expired'

export type Action = 'pay' | 'decline' | 'later'

/** What each button makes of a payment. */
export const outcomes = { pay: 'succeeded', decline: 'declined', later: 'later' } as const satisfies Record<
  Action,
  StoredState
>

export const isAction = (value: unknown): value is Action =>
  typeof value === 'string' && Object.hasOwn(outcomes, value)

interface Moment {
  readonly state: StoredState
  readonly pay_at: number | null
  readonly expires_at: number
}

/** A payment put off in time is made at its moment, even when that lies behind the end of the link. */
export const stateAt = ({ state, pay_at, expires_at }: Moment, now: number): State => {
  if (state === 'later' && pay_at !== null && pay_at <= now) return 'succeeded'
  return state === 'pending' && expires_at <= now ? 'expired' : state
}
