export const words = {
  about:
    'You connect to this server, and sites see the address of another one of yours. Helps where only a near server opens, while you need an address far away.',
  exit: 'Go out through',
  exitInstead: 'Go out through another one instead',
  choose: 'Choose',
  path: 'You → {entry} → {exit} → sites',
  make: 'Build the bridge',
  made: 'The bridge is there. Nothing has to be changed in your apps.',
  leadsTo: 'From here it goes on through {name}',
  comesFrom: '{name} goes out through here',
  remove: 'Remove',
  removeIt: 'Remove the bridge: {name}',
  removed: 'The bridge is removed: traffic goes out from its own server again.',
  noExits: 'There is nothing to go on through yet: a bridge takes a second configuration.',
  cannotBegin: 'With this protocol a bridge cannot begin here. Change the protocol, for example to VLESS.',
} as const
