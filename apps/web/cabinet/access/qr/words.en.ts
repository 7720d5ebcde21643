export const words = {
  subscription: 'Of your subscription',
  subscriptionText: 'Everything you have, at once. It stays good when you change something.',
  own: 'Of this one alone',
  ownText: 'For an app without subscriptions. After a change of settings it has to be scanned again.',
  tooDense: 'This link is too long for a code that a camera could read. Take the file, or copy the link.',
  file: 'Download the file .conf',
  copy: 'Copy the link',
} as const
