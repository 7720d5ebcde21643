export const words = {
  title: 'Subscriptions',
} as const
