/** Crockford's base32: codes that people read aloud and type. */

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const bitsPerSymbol = 5

const symbolOf = new Map<string, string>(
  [...alphabet].flatMap((symbol) => [
    [symbol, symbol],
    [symbol.toLowerCase(), symbol],
  ]),
)
for (const letter of 'IiLl') symbolOf.set(letter, '1')
for (const letter of 'Oo') symbolOf.set(letter, '0')

/** Groups of four, joined by hyphens. */
export const grouped = (symbols: string): string => (symbols.match(/.{1,4}/g) as string[]).join('-')

/** As many symbols as the bytes fill: eight for every five. */
export const crockfordOf = (bytes: Uint8Array): string => {
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
  return symbols
}

/** Programs turn hyphens into dashes and spaces into wider ones while a code travels. */
const separators = /[\s\p{Pd}]/gu

/** The symbols a person meant, without separators; undefined when they cannot be `count` symbols. */
export const readCrockford = (text: string, count: number): string | undefined => {
  const symbols = [...text.replace(separators, '')].map((character) => symbolOf.get(character))
  return symbols.length !== count || symbols.includes(undefined) ? undefined : symbols.join('')
}
