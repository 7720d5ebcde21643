export const words = {
  title: 'Connection',
  missing: 'You have no such connection: it may have expired long ago, or belong to another account.',
  buy: 'Choose a new one',
} as const
