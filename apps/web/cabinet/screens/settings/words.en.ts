export const words = {
  title: 'Settings',
} as const
