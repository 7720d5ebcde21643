import { decimalsOf } from './money.ts'

/** Between roubles and other currencies, in whole smallest units; a rate is millionths of a rouble per unit. */

const millionths = 1_000_000n

const perUnit = (currency: string): bigint => 10n ** BigInt(decimalsOf(currency)) * millionths

/** What this many roubles cost in the currency, rounded up: a rouble is never sold short. */
export const fromRoubles = (roubles: number, currency: string, microRub: number): number => {
  if (currency === 'RUB') return roubles
  const rate = BigInt(microRub)
  return Number((BigInt(roubles) * perUnit(currency) + rate - 1n) / rate)
}

/** What this much is worth in whole roubles, rounded down. */
export const toRoubles = (amount: number, currency: string, microRub: number): number =>
  currency === 'RUB' ? amount : Number((BigInt(amount) * BigInt(microRub)) / perUnit(currency))
