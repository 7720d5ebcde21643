export const words = {
  title: 'Server pack',
  what: 'One link for your app brings all servers of the option. Nothing to set up.',
  owned: 'You have it until {date}; what you buy now is added to that.',
  forWhom: 'For whom',
  self: 'For myself',
  gift: 'A gift',
  giftText: 'You get a link to send. Whoever opens it gets this option.',
  bought: 'Done. Now connect your device.',
  boughtKey: 'The gift is ready: send the link.',
  gone: 'This is not on sale any more.',
  toShop: 'To the shop',
} as const
