export const words = {
  about:
    'If somebody else may have seen your link or file, replace the keys: whoever has the old ones gets cut off.',
  reset: 'Replace the keys',
  confirm: 'Replace the keys?',
  dies: 'The current link, file and QR code stop working within a minute, and open connections drop.',
  proxyToo: 'The proxy here gets a new password too.',
  stays: 'The subscription link stays the same: apps that use it fetch the new keys by themselves.',
  router: 'On a router, or wherever you pasted the link by hand, paste the new one.',
  done: 'Keys replaced: the new link is above',
} as const
