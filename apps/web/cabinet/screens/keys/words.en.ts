export const words = {
  title: 'Activation keys',
} as const
