export const words = {
  title: 'A configuration',
} as const
