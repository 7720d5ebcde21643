export const words = {
  cloud: 'Your own server · {id}',
} as const
