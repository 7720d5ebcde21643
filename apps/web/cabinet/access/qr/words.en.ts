export const words = {
  subscription: 'Your subscription link',
  subscriptionText: 'Everything you have at once. The code stays valid when you change something.',
  own: 'This connection only',
  ownText: 'For apps without subscriptions. After a change of settings the code has to be scanned again.',
  tooDense: 'This link is too long for a camera to read as a code. Use the file or copy the link.',
  file: 'Download the .conf file',
  copy: 'Copy the link',
} as const
