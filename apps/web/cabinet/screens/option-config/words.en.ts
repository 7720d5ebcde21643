export const words = {
  title: 'Configuration',
} as const
