export const words = {
  kind: 'What to add',
  usual: 'VPN',
  usualText: 'For devices: all their traffic goes through the server.',
  telegram: 'MTProto for Telegram',
  telegramText: 'Only Telegram goes through the server. One tap turns it on.',
  title: 'Name',
  titleHint: 'Optional. For example, “TV” or “Router”.',
  protocolNow: 'Protocol: {protocol}',
  serverNow: 'Server',
  optionsNow: 'Extra settings: {n} on',
  add: 'Add',
  added: 'Added: it will appear in your apps by itself',
} as const
