import { crockfordOf, grouped, readCrockford } from '../text/crockford.ts'

/** Activation keys: 80 bits in Crockford's base32, written XXXX-XXXX-XXXX-XXXX. */

const symbolCount = 16
export const promocodeBytes = 10

/** The key that ten random bytes make. */
export const promocodeFrom = (bytes: Uint8Array): string => {
  if (bytes.length !== promocodeBytes) throw new Error(`A promocode is made of ${promocodeBytes} bytes`)
  return grouped(crockfordOf(bytes))
}

/** The key as it was issued, from what a person typed; undefined when it cannot be one. */
export const normalisePromocode = (text: string): string | undefined => {
  const symbols = readCrockford(text, symbolCount)
  return symbols && grouped(symbols)
}

/** Enough to tell keys apart, too little to use one. */
export const maskPromocode = (code: string): string => `${code.slice(0, 4)}-••••-••••-${code.slice(-4)}`
