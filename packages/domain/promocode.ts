/** Activation keys: 80 bits in Crockford's base32, written XXXX-XXXX-XXXX-XXXX. */

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const bitsPerSymbol = 5
const symbolCount = 16
export const promocodeBytes = (symbolCount * bitsPerSymbol) / 8

const symbolOf = new Map<string, string>(
  [...alphabet].flatMap((symbol) => [
    [symbol, symbol],
    [symbol.toLowerCase(), symbol],
  ]),
)
for (const letter of 'IiLl') symbolOf.set(letter, '1')
for (const letter of 'Oo') symbolOf.set(letter, '0')

const grouped = (symbols: string): string => (symbols.match(/.{4}/g) as string[]).join('-')

/** The key that ten random bytes make. */
export const promocodeFrom = (bytes: Uint8Array): string => {
  if (bytes.length !== promocodeBytes) throw new Error(`A promocode is made of ${promocodeBytes} bytes`)
  let symbols = ''
  let held = 0
  let heldBits = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    heldBits += 8
    while (heldBits >= bitsPerSymbol) {
      heldBits -= bitsPerSymbol
      symbols += alphabet[held >> heldBits]
      held &= (1 << heldBits) - 1
    }
  }
  return grouped(symbols)
}

/** Programs turn hyphens into dashes and spaces into wider ones while a key travels. */
const separators = /[\s\p{Pd}]/gu

/** The key as it was issued, from what a person typed; undefined when it cannot be one. */
export const normalisePromocode = (text: string): string | undefined => {
  const symbols = [...text.replace(separators, '')].map((character) => symbolOf.get(character))
  if (symbols.length !== symbolCount || symbols.includes(undefined)) return undefined
  return grouped(symbols.join(''))
}

/** Enough to tell keys apart, too little to use one. */
export const maskPromocode = (code: string): string => `${code.slice(0, 4)}-••••-••••-${code.slice(-4)}`
