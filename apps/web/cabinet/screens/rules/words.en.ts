export const words = {
  title: 'Terms of service',
  none: 'Nothing has been published here yet.',
  ask: 'If you have a question, contact support.',
  home: 'Go to your account',
} as const
