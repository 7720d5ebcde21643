export const words = {
  title: 'A cloud server',
} as const
