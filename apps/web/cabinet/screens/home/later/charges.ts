import type { Thing } from '../things.ts'

/** What automatic renewal will take, when, and whether the money is there. */

const day = 86_400

export interface Tariff {
  readonly days: number
  readonly price: number
}

interface Method {
  readonly key: string
  readonly tariffs: readonly Tariff[]
}

/** It takes from the balance, at the customer's own price. */
export const fromBalance = (methods: readonly Method[] | undefined): readonly Tariff[] =>
  methods?.find(({ key }) => key === 'balance')?.tariffs ?? []

const aMonth = 30

/** For how long, when it is switched on: as long as it was bought for, or what comes next to a month. */
export const daysToRenew = (
  { autoRenewalDays, term }: Pick<Thing, 'autoRenewalDays' | 'term'>,
  tariffs: readonly Tariff[],
): Tariff | undefined => {
  const bought = autoRenewalDays ?? Math.round((term ?? 0) / day)
  return (
    tariffs.find(({ days }) => days === bought) ??
    tariffs.toSorted((a, b) => Math.abs(a.days - aMonth) - Math.abs(b.days - aMonth))[0]
  )
}

export interface Charge {
  /** A day before the end; what is late is tried every few hours. */
  readonly at: number
  readonly days: number
  /** Undefined where the tariff is not sold any more, so that nothing will be renewed. */
  readonly price: number | undefined
  /** How much is missing on the balance by then, after what is taken before. */
  readonly missing: number
}

const chargeOf = (thing: Thing, tariffs: readonly Tariff[], left: number): Charge => {
  const days = thing.autoRenewalDays as number
  const price = tariffs.find((tariff) => tariff.days === days)?.price
  return { at: thing.expiresAt - day, days, price, missing: Math.max(0, (price ?? 0) - left) }
}

/** In the order they will be taken; nothing where prices are not known yet. */
export const chargesOf = (
  things: readonly Thing[],
  tariffsOf: (thing: Thing) => readonly Tariff[] | undefined,
  balance: number,
): ReadonlyMap<Thing, Charge> => {
  const charges = new Map<Thing, Charge>()
  let left = balance
  for (const thing of things.toSorted((a, b) => a.expiresAt - b.expiresAt)) {
    const tariffs = tariffsOf(thing)
    if (!thing.autoRenewal || thing.autoRenewalDays === null || thing.state === 'ended' || !tariffs) continue
    const charge = chargeOf(thing, tariffs, left)
    charges.set(thing, charge)
    // What cannot be paid takes nothing, and leaves it for the next.
    if (charge.missing === 0) left -= charge.price ?? 0
  }
  return charges
}
