export const words = {
  back: '← To the server',
  missing: 'There is no such configuration on this server.',
} as const
