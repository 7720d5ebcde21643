export const words = {
  title: 'Balance',
} as const
