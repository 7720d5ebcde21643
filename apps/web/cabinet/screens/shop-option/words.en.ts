export const words = {
  title: 'Server pack',
  what: 'One link brings all servers of the pack into your app. Nothing to set up.',
  owned: 'You already have this pack until {date}. What you buy now is added to that.',
  forWhom: 'For whom',
  self: 'For myself',
  gift: 'A gift',
  giftText: 'You get a link to send. Whoever opens it gets this server pack.',
  bought: 'Done. Now connect your device',
  boughtKey: 'The gift is ready: send the link',
  gone: 'This is not on sale any more.',
  toShop: 'Go to the shop',
} as const
