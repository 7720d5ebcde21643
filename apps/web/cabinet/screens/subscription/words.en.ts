export const words = {
  title: 'Your subscription',
} as const
