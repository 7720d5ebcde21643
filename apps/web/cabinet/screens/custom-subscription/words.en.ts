export const words = {
  title: 'Subscription',
} as const
