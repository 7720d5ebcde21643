export const words = {
  title: 'Rules',
  none: 'No rules have been published yet. If you have a question, write to support.',
  home: 'To the account',
  support: 'Support',
} as const
