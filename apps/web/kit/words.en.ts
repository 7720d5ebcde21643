/** What parts of the kit say by themselves. */
export const words = {
  retry: 'Try again',
  loading: 'Loading…',
  noAnswer: 'The service did not answer. The connection may have dropped. Check your internet and try again.',
  nothingTwice: 'You will not be charged twice: the same request is sent again.',
  keptAt: 'No connection. This is what was here on {at}.',
  ended: 'Your session has ended. Sign in again.',
  often: 'Too often. Try again in {n|second|seconds}.',
  oftenMinutes: 'Too often. Try again in {n|minute|minutes}.',
  notFound: 'There is nothing here any more.',
  marked: 'Correct what is marked and send again.',
  refused: 'The service refused this:',
  conflict: 'This cannot be done now:',
  failed: 'Something went wrong on our side. Try again in a minute.',
} as const
