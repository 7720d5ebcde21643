export const words = {
  title: 'Payment',
} as const
