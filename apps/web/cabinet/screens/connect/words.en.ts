export const words = {
  title: 'Connect this device',
} as const
