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
  scan: 'Point the camera of the other device at it.',
  required: 'Fill this in.',
  noMoney: 'Not enough money on your balance.',
  badCode: 'This code did not work: it may be already used, expired, or for something else.',
  noServer: 'No free slots here right now. Choose another country or server.',
  noMethod: 'This payment method is not working right now. Choose another one.',
} as const
