import { encode } from 'uqr'

/** Rows of modules, true where dark. */
export type QrModules = readonly (readonly boolean[])[]

/** 97 modules a side. Cameras of phones fail from about 100 on, so a longer text is given as a file instead. */
const largestVersion = 20

/** A code of that version and level L holds no more bytes than this. */
const longestText = 858

/**
 * The smallest code that holds the text, with as much correction as fits into that size for nothing: on a screen there is
 * no dirt to correct, and fewer modules are read from farther away. Null when it would be too large to be read.
 */
export const qrModules = (text: string): QrModules | null =>
  new TextEncoder().encode(text).length > longestText
    ? null
    : encode(text, { ecc: 'L', boostEcc: true, border: 0, maxVersion: largestVersion }).data
