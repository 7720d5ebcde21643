export const words = {
  title: 'A gift',
} as const
