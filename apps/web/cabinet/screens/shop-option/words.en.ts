export const words = {
  title: 'An option',
} as const
