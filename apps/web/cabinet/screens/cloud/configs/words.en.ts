export const words = {
  title: 'Configurations',
  empty: 'Nothing is on the server yet. Add a configuration, and it appears in your apps.',
  add: 'Add a configuration',
  open: 'Open',
  openIt: 'Open: {name}',
  more: 'More: {name}',
  remove: 'Delete',
  removeConfirm: 'Delete “{name}”?',
  removeText: 'Devices that use it are cut off at once. It cannot be brought back; you can add a new one.',
  removed: 'Deleted.',
} as const
