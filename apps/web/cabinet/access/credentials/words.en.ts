export const words = {
  about:
    'If somebody else may have seen your link or file, make new keys: whoever has the old ones is cut off.',
  reset: 'Make new keys',
  confirm: 'Make new keys?',
  dies: 'The present link, file and QR code stop working within a minute, and open connections break off.',
  proxyToo: 'The proxy here gets a new password too.',
  stays: 'The subscription link stays: apps that have it fetch the new keys by themselves.',
  router: 'On a router, or where you pasted the link by hand, put the new one in.',
  done: 'The keys are new. The new link is above.',
} as const
