import type { OptionStatus } from '@sallyport/contract/customer/paid-options/shapes'

/** A paid option's life: status to the statuses that may follow. */

export const optionTransitions = {
  active: ['limited', 'disabled', 'expired'],
  limited: ['active', 'disabled', 'expired'],
  disabled: ['active', 'limited', 'expired'],
  // A renewal begins with fresh counters, so what ended is never limited at once.
  expired: ['active', 'disabled'],
} as const satisfies Record<OptionStatus, readonly OptionStatus[]>

export interface OptionFacts {
  readonly isEnded: boolean
  /** By the operator. */
  readonly isDisabled: boolean
  readonly isUsedUp: boolean
}

/** What has ended has ended, whatever else; what the operator switched off waits for the operator. */
export const statusOf = ({ isEnded, isDisabled, isUsedUp }: OptionFacts): OptionStatus => {
  if (isEnded) return 'expired'
  if (isDisabled) return 'disabled'
  return isUsedUp ? 'limited' : 'active'
}

/** A limit of 0 is none. */
export const isUsedUp = (usedBytes: number, limitBytes: number): boolean =>
  limitBytes > 0 && usedBytes >= limitBytes

export const canMoveOption = (from: OptionStatus, to: OptionStatus): boolean =>
  (optionTransitions[from] as readonly string[]).includes(to)

export const moveOption = (from: OptionStatus, to: OptionStatus): OptionStatus => {
  if (!canMoveOption(from, to)) throw new Error(`A paid option cannot go from ${from} to ${to}`)
  return to
}

/** The share of the traffic at which the customer is warned. */
const warnAt = 0.8

export const isNearlyUsedUp = (usedBytes: number, limitBytes: number): boolean =>
  limitBytes > 0 && usedBytes >= limitBytes * warnAt

export const trafficPeriodSeconds = 30 * 86_400

/** When the period began that `now` is in; periods follow each other from the first without gaps. */
export const periodAt = (beganAt: number, now: number): number =>
  beganAt + Math.max(0, Math.floor((now - beganAt) / trafficPeriodSeconds)) * trafficPeriodSeconds

/**
 * What the next period begins with, so many later: of what came with another subscription that went into this one, as much as
 * the limits of the periods until then could not hold. What a customer used beyond the limit otherwise is forgiven.
 */
export const owedAfter = (of: {
  readonly used: number
  readonly limit: number
  readonly owed: number
  readonly periods: number
}): number =>
  of.limit === 0 ? 0 : Math.max(0, Math.min(of.owed, of.used - of.limit) - (of.periods - 1) * of.limit)
