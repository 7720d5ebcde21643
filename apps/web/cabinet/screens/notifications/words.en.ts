export const words = {
  title: 'Notifications',
  empty: 'No notifications yet.',
  emptyText: 'Renewal reminders and news about your servers and payments will appear here.',
  isNew: 'New',
  clear: 'Clear the list',
  clearTitle: 'Clear the list?',
  clearText: 'They are kept only in this browser and cannot be restored.',
  kept: 'The last 100 are kept, only in this browser.',
  hours: 'When to send reminders',
} as const
