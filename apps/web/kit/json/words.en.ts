/** What the editor of JSON says. */
export const words = {
  at: 'Line {line}, column {column}: {text}',
  value: 'A value is missing here, or it is not valid JSON.',
  name: 'A name in double quotes is expected here. Remove a comma before the closing bracket.',
  colon: 'A colon is needed after the name.',
  comma: 'A comma or a closing bracket is missing before this.',
  text: 'The quotes are not closed, or there is a character that JSON does not allow.',
  twice: 'This name is used twice. Keep one.',
  comment: 'JSON has no comments. Remove it.',
  tail: 'There is something after the end. Remove it.',
  good: 'This is valid JSON.',
  format: 'Format',
  whole: 'About the whole text: {text}',
} as const
