export const words = {
  title: 'Devices',
  others: 'Subscriptions that you put together have devices of their own.',
  toSubscriptions: 'My subscriptions',
} as const
