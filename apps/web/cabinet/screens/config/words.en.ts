export const words = {
  title: 'VPN in one country',
  missing: 'You have no such configuration: it may have ended long ago, or belong to another account.',
  buy: 'Choose a new one',
} as const
