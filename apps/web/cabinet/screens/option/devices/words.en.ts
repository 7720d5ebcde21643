export const words = {
  empty: 'None yet. Connect a device, and it will appear here.',
  about:
    'Each device takes one slot. A removed device comes back when its app refreshes, if there is a free slot.',
  since: 'since {date}',
  remove: 'Remove',
  removeIt: 'Remove: {name}',
  removed: 'The slot is free',
  more: 'And {n|more device|more devices}.',
  removeAll: 'Remove all',
  removeAllConfirm: 'Remove all devices?',
  removeAllText: 'All slots become free. Devices still in use come back when their apps refresh.',
  removedAll: 'All slots are free',
} as const
