export const words = {
  notifications: 'Notifications',
  unread: 'Notifications: {n} new',
} as const
