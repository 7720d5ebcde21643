export const words = {
  about:
    'Settings of your own Xray on the server, for those who know them. What is not allowed is refused, and nothing breaks.',
  notExtended:
    'This needs “Extended settings”: switch them on above, where protocol and settings are changed.',
  label: 'JSON of Xray',
  save: 'Check and save',
  saved: 'Saved. The server has taken it.',
  warning: 'The server tries it before it is kept: this takes a few seconds. The link may change.',
  publicKeyField: 'Public key',
  publicKeyHint: 'Not needed. If you give it, we check that it belongs to the private key.',
  keys: 'New keys for REALITY',
  keysText: 'A pair is made on the server and kept nowhere.',
  generate: 'Make a pair of keys',
  privateKey: 'Private key',
  publicKey: 'Public key',
  useKeys: 'Put into the text',
  keysUsed: 'The keys are in the text. Save it.',
  noPlaceForKey: 'There is no REALITY in the text: put the private key in yourself.',
  reset: 'Back to the defaults',
  resetConfirm: 'Back to the defaults?',
  resetText:
    'Everything you changed in the JSON is lost, and a bridge from here is taken away. Your options stay.',
  resetDone: 'The defaults are back.',
} as const
