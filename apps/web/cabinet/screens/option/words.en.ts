export const words = {
  title: 'Option',
} as const
