import type { ReferralRecord } from '@sallyport/contract/customer/money-shapes'

/** When the first and the last of what is held become available. */
export const endsOf = (records: readonly ReferralRecord[]): readonly [number, number] | undefined => {
  const ends = records.flatMap(({ available_at }) => available_at ?? [])
  return ends.length > 0 ? [Math.min(...ends), Math.max(...ends)] : undefined
}

/** As people write it, to +7 and ten digits. */
export const phoneIn = (text: string): string | undefined => {
  const digits = text.replace(/\D/g, '')
  const own = digits.length === 11 && /^[78]/.test(digits) ? digits.slice(1) : digits
  return own.length === 10 ? `+7${own}` : undefined
}
