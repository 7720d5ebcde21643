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
} as const
