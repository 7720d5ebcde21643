/**
 * A title as one line of text. Markup in it is the template's business; here goes what would break the line or turn the
 * words around it: control characters, separators, marks of direction, halves of pairs. Joiners stay, for emoji need them.
 */
export const plainLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
