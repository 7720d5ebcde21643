import type { ReferralRecord } from '@sallyport/contract/customer/money-shapes'

/** What the list of earnings and withdrawals says as a whole. */

export interface Held {
  readonly sum: number
  /** When the first of it becomes available. */
  readonly nextAt: number | undefined
}

export const heldIn = (records: readonly ReferralRecord[]): Held => {
  const held = records.filter(({ status }) => status === 'held')
  const ends = held.flatMap(({ available_at }) => available_at ?? [])
  return {
    sum: held.reduce((sum, { amount }) => sum + amount, 0),
    nextAt: ends.length > 0 ? Math.min(...ends) : undefined,
  }
}

/** As people write it, to +7 and ten digits. */
export const phoneIn = (text: string): string | undefined => {
  const digits = text.replace(/\D/g, '')
  const own = digits.length === 11 && /^[78]/.test(digits) ? digits.slice(1) : digits
  return own.length === 10 ? `+7${own}` : undefined
}
