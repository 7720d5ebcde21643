export const words = {
  title: 'Renew',
} as const
