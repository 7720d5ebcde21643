/** A code from a letter. */
export const words = {
  sent: 'We emailed a code to {to}. It arrives within a minute; check the spam folder too.',
  label: 'Code from the email',
  hint: 'Six digits. The long code from the email works too.',
  submit: 'Sign in',
  againIn: 'No email? You can ask for another one in {n|second|seconds}.',
  again: 'Send another email',
  sentAgain: 'Another email is on its way. Use the code from the latest one',
  another: 'Use another address',
  wrong: 'This code did not work. Check it or ask for a new one: a code works once, for 10 minutes.',
  many: 'Too many attempts. Enter the long code from the email, or wait {n|minute|minutes}.',
  blocked: 'This account is blocked.',
  blockedAsk: 'This account is blocked. Contact support to find out why.',
} as const
