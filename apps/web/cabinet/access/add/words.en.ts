export const words = {
  kind: 'What to add',
  usual: 'VPN',
  usualText: 'For devices: all their traffic goes through the server.',
  telegram: 'MTProto, for Telegram',
  telegramText: 'Only Telegram goes through the server, switched on by one press.',
  title: 'Name',
  titleHint: 'Not needed. For example “TV” or “Router”.',
  protocolNow: 'Protocol: {protocol}',
  serverNow: 'Server',
  optionsNow: 'Extra settings: {n} on',
  add: 'Add',
  added: 'Added. It appears in your apps by itself.',
} as const
