export const words = {
  title: 'Notifications',
  empty: 'No notifications yet.',
  emptyText: 'Here come reminders to renew, and word of what happens to your servers and payments.',
  isNew: 'New',
  clear: 'Clear the list',
  clearTitle: 'Clear the list?',
  clearText: 'They are kept in this browser only, and cannot be brought back.',
  kept: 'The last 100 are kept, in this browser only.',
  hours: 'When reminders may come',
} as const
