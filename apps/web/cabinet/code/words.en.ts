/** A code from a letter. */
export const words = {
  sent: 'We sent a letter with a code to {to}. It comes within a minute; look among spam too.',
  label: 'Code from the letter',
  hint: 'Six digits. The long code of the letter works as well.',
  submit: 'Sign in',
  againIn: 'No letter? You can ask for another in {n|second|seconds}.',
  again: 'Send another letter',
  sentAgain: 'Another letter is on its way. The code of the last one counts.',
  another: 'Another address',
  wrong: 'This code does not fit. Check it, or ask for a new one: a code works once and for 10 minutes.',
  many: 'Too many tries. Enter the long code from the letter, or wait {n|minute|minutes}.',
  blocked: 'This account is blocked. Write to support to find out why.',
} as const
