export const words = {
  title: 'Devices',
} as const
