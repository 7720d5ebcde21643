export const words = {
  title: 'Renew',
  config: 'Configuration',
  cloud: 'Cloud server',
  endsOn: 'until {date}',
  endedOn: 'ended on {date}',
  isAdded: 'The days you buy are added to those that are left. Links and settings stay.',
  isOver: 'It works again as soon as you renew it. Links and settings stay.',
  renewed: 'Renewed until {date}',
  gone: 'There is nothing to renew here any more.',
  goneWhy: 'What has ended is kept for a while, and then deleted.',
  toShop: 'To the shop',
} as const
