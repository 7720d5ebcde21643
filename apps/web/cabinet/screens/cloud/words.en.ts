export const words = {
  title: 'Cloud server',
} as const
