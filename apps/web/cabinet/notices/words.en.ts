export const words = {
  unread: '{n} new',
  mirror:
    'The service does not answer at this address, but it does at another one. You will have to sign in again there:',
} as const
