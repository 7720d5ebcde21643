export const words = {
  about:
    'Settings of your own Xray on the server, for those who know their way around it. What is not allowed is refused, so you cannot break anything.',
  notExtended:
    'This needs “Extended settings”: turn them on above, where the protocol and settings are changed.',
  label: 'Xray JSON',
  save: 'Check and save',
  saved: 'Saved: the server has accepted it',
  warning: 'The server checks the settings first, which takes a few seconds. The link may change.',
  publicKeyField: 'Public key',
  publicKeyHint: 'Optional. If given, we check that it matches the private key.',
  keys: 'New REALITY keys',
  keysText: 'The pair is made on the server and is not stored anywhere.',
  generate: 'Generate a key pair',
  privateKey: 'Private key',
  publicKey: 'Public key',
  useKeys: 'Put into the text',
  keysUsed: 'The keys are in the text: now save it',
  noPlaceForKey: 'There is no REALITY in the text: put the private key in yourself',
  reset: 'Restore defaults',
  resetConfirm: 'Restore the defaults?',
  resetText:
    'Everything you changed in the JSON is lost, and a bridge from here is removed. Extra settings stay on.',
  resetDone: 'Defaults restored',
} as const
