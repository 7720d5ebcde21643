export const words = {
  title: 'Renew',
  config: 'Connection',
  cloud: 'Your own server',
  endsOn: 'until {date}',
  endedOn: 'expired on {date}',
  isAdded: 'The days you buy are added to those you have left. Links and settings stay the same.',
  isOver: 'It works again as soon as you renew. Links and settings stay the same.',
  renewed: 'Renewed until {date}',
  gone: 'There is nothing left to renew here.',
  goneWhy: 'What has expired is kept for a while and then deleted.',
  toShop: 'Go to the shop',
} as const
