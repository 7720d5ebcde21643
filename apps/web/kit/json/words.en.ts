/** What the editor of JSON says. */
export const words = {
  at: 'Line {line}, column {column}: {text}',
  value: 'A value is missing here, or it is not written as JSON.',
  name: 'A name in double quotes must stand here. A comma before the closing bracket is one too many.',
  colon: 'A colon must stand after the name.',
  comma: 'A comma or a closing bracket is missing before this.',
  text: 'The text in quotes does not end, or has a character that JSON does not take.',
  twice: 'This name stands here twice. Keep one.',
  comment: 'JSON has no comments. Remove it.',
  tail: 'Something follows the end. Remove it.',
  good: 'This is correct JSON.',
  format: 'Put in order',
  whole: 'About the whole text: {text}',
} as const
