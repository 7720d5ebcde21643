import Type from 'typebox'

/**
 * Text that one person writes and others read: titles, names, comments. What cannot be seen, or makes the text around it
 * read in another order, is refused the same way everywhere. Joiners stay: emoji and several scripts need them.
 */

/** Code points above the first plane are written as they are: not every reader of patterns knows how to escape them. */
const plane = (from: number, to: number): string =>
  `${String.fromCodePoint(from)}-${String.fromCodePoint(to)}`

/** Control characters without tab and line feed. */
const control = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f'
const lineBreaks = '\\u0009\\u000a\\u2028\\u2029'
/** Marks, embeddings, overrides and isolates of direction. */
const direction = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
/** Soft hyphens, zero-width spaces, invisible operators, annotations, shorthand and musical controls, tags. */
const invisible =
  '\\u00ad\\u180b-\\u180f\\u200b\\u2060-\\u2065\\u206a-\\u206f\\ufeff\\ufff0-\\uffff' +
  plane(0x1bca0, 0x1bca3) +
  plane(0x1d173, 0x1d17a) +
  plane(0xe0000, 0xe0fff)
/** Takes place, joins, or sits on a letter, and shows nothing by itself. */
const empty =
  '\\s\\u0300-\\u036f\\u115f\\u1160\\u17b4\\u17b5\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u200c\\u200d\\u20d0-\\u20ff\\u2800\\u3164\\ufe00-\\ufe0f\\ufe20-\\ufe2f\\uffa0'
/** The flags of England, Scotland and Wales are a black flag and tags. */
const taggedFlag = `${String.fromCodePoint(0x1f3f4)}[${plane(0xe0061, 0xe007a)}]+${String.fromCodePoint(0xe007f)}`

const patternWithout = (refused: string): string =>
  `^(?=[\\s\\S]*[^${empty}])(?:${taggedFlag}|[^${refused}])*$`

export const linePattern = patternWithout(control + lineBreaks + direction + invisible)
export const prosePattern = patternWithout(control + direction + invisible)

/** The same, or nothing at all. */
export const optionalProsePattern = `^$|${prosePattern}`

/** One line. */
export const Line = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: linePattern })

/** May have several lines. */
export const Prose = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: prosePattern })

export const Title = Line(1, 64)
