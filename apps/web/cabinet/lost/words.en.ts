/** A purchase whose answer never came. */
export const words = {
  lost: 'The answer to your last purchase got lost on the way. You will not be charged twice: check what happened to it.',
  check: 'Check the purchase',
  found: 'Your purchase went through.',
  notFound: 'Your purchase did not reach us and nothing was charged. You can buy again.',
  openPayment: 'Open the payment',
  fine: 'OK',
} as const
