export const words = {
  unread: '{n} new',
  mirror: 'The service does not answer here, but it does at another address. You sign in there anew:',
} as const
