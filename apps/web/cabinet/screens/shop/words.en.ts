export const words = {
  title: 'Shop',
} as const
