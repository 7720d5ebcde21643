export const words = {
  unread: '{n} new',
} as const
