/** A purchase whose answer never came. */
export const words = {
  lost: 'The answer to your last purchase got lost on the way. Nothing is paid twice: see what became of it.',
  check: 'See what became of it',
  found: 'It has reached us.',
  notFound: 'It did not reach us, and nothing was taken. You can buy it again.',
  openPayment: 'Open the payment',
  fine: 'All right',
} as const
