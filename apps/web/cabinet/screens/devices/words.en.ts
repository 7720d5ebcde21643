export const words = {
  title: 'Devices',
  others: 'Separate links have their own device lists.',
  toSubscriptions: 'Separate links',
} as const
