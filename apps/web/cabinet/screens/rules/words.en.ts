export const words = {
  title: 'Rules',
} as const
