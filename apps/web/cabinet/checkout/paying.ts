import type { Wish } from './choices.ts'
import type { Method, Picked, Purse } from './prices.ts'

/** Either a code, or money in some way for some length. */
export type Paying =
  | { readonly promocode: string }
  | { readonly payment_method_id: number; readonly tariff_id: number; readonly days: number }

/** As most purchases take it. */
export const paymentOf = (paying: Paying) =>
  'promocode' in paying
    ? paying
    : { payment_method_id: paying.payment_method_id, tariff_id: paying.tariff_id }

export interface Terms {
  readonly methods: readonly Method[]
  readonly wish: Wish
  readonly choose: (change: Partial<Wish>) => void
  /** When it will end after so many days. */
  readonly untilOf?: (days: number) => number
  /** Why it cannot be bought as it is chosen now. */
  readonly obstacle?: string | undefined
  /** Renews by itself already, or never will. */
  readonly auto?: 'on' | 'none' | undefined
  readonly isRenewal?: boolean
}

/** Terms of which one is chosen, and the money there is. */
export interface Chosen extends Terms {
  readonly now: Picked
  readonly purse: Purse
  readonly buy: (paying: Paying) => Promise<void>
}
