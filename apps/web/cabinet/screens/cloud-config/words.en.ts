export const words = {
  title: 'Configuration',
  back: '← To the server',
  missing: 'There is no such configuration on this server.',
} as const
