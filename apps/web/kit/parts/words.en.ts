/** What parts that first screens do not have say by themselves. */
export const words = {
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  share: 'Share',
  more: 'More',
  table: 'As a table',
  qr: 'QR code',
  scan: 'Point the camera of another device at it.',
  required: 'This is needed.',
  noMoney: 'There is not enough money on the balance.',
  badCode: 'This code does not fit: it may be used, expired, or for something else.',
  noServer: 'There are no free places here now. Choose another location or server.',
  noMethod: 'This way to pay does not work now. Choose another one.',
} as const
