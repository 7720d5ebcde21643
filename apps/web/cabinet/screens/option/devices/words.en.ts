export const words = {
  empty: 'No device has fetched this yet. Connect one, and it stands here.',
  about:
    'Each takes one of the places. A device that you remove comes back when its app refreshes, if a place is free.',
  since: 'since {date}',
  remove: 'Remove',
  removeIt: 'Remove: {name}',
  removed: 'Its place is free.',
  more: 'And {n|more|more}.',
  removeAll: 'Remove all',
  removeAllConfirm: 'Remove all devices?',
  removeAllText: 'All places become free. Devices that are still in use come back when their apps refresh.',
  removedAll: 'All places are free.',
} as const
