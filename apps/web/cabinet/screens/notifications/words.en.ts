export const words = {
  title: 'Notifications',
} as const
