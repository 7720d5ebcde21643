export const words = {
  other: 'If this address does not open on your network, use another one. It is the same link:',
  copy: 'Copy the link at {host}',
} as const
