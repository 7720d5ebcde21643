export const words = {
  title: 'Connections',
  empty: 'Nothing on the server yet. Add a connection, and it will appear in your apps.',
  add: 'Add a connection',
  open: 'Open',
  openIt: 'Open: {name}',
  more: 'More: {name}',
  remove: 'Delete',
  removeConfirm: 'Delete “{name}”?',
  removeText: 'Devices that use it are cut off at once. It cannot be restored, but you can add a new one.',
  removed: 'Deleted',
} as const
