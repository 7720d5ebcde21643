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
} as const
