export const words = {
  title: 'Friends',
} as const
