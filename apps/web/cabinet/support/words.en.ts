export const words = {
  support: 'Contact support',
} as const
