export const words = {
  about:
    'You connect to this server, and websites see the address of another server of yours. Helps when only a nearby server is reachable but you need an address far away.',
  exit: 'Exit through',
  exitInstead: 'Exit through another one instead',
  choose: 'Choose',
  path: 'You → \u2068{entry}\u2069 → \u2068{exit}\u2069 → websites',
  make: 'Build the bridge',
  made: 'The bridge is up: nothing to change in your apps',
  leadsTo: 'From here traffic goes on through \u2068{name}\u2069',
  comesFrom: '\u2068{name}\u2069 exits through here',
  remove: 'Remove',
  removeIt: 'Remove the bridge: {name}',
  removed: 'Bridge removed: traffic exits from its own server again',
  noExits: 'Nothing to exit through yet: a bridge needs a second connection.',
  toShop: 'Get one more connection',
  cannotBegin: 'With this protocol a bridge cannot start here. Change the protocol, for example to VLESS.',
} as const
