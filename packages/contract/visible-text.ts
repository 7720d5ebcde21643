import Type from 'typebox'

/**
 * Text that one person writes and others read: titles, names, comments. What cannot be seen, or makes the text around it
 * read in another order, is refused the same way everywhere. Joiners stay: emoji and several scripts need them.
 */

/** Control characters without tab and line feed. */
const control = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f'
const lineBreaks = '\\u0009\\u000a\\u2028\\u2029'
/** Marks, embeddings, overrides and isolates of direction. */
const direction = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
/** Soft hyphens, zero-width spaces, invisible operators, annotation anchors. */
const invisible = '\\u00ad\\u180e\\u200b\\u2060-\\u2065\\u206a-\\u206f\\ufeff\\ufff9-\\ufffb'
/** Takes place or joins, and shows nothing by itself. */
const empty = '\\s\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u200c\\u200d\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0'

const patternWithout = (refused: string): string => `^(?=[\\s\\S]*[^${empty}])[^${refused}]*$`

export const linePattern = patternWithout(control + lineBreaks + direction + invisible)
export const prosePattern = patternWithout(control + direction + invisible)

/** One line. */
export const Line = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: linePattern })

/** May have several lines. */
export const Prose = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: prosePattern })

export const Title = Line(1, 64)
