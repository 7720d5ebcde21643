export const words = {
  location: 'Country',
  protocol: 'Protocol',
  server: 'Server',
  whereNow: 'Country: {name}',
  protocolNow: 'Protocol: {protocol}',
  serverNow: 'Server',
  options: 'Extra settings',
  optionsNow: 'Extra settings: {n} on',
  anyServer: 'We pick the least busy one',
  thisServer: 'Server {id}: the current one',
  serverNumber: 'Server {id}: {n|free slot|free slots}',
  serverHint: 'If the one you choose fills up meanwhile, we take another in the same country.',
  noOptions: 'This protocol has no extra settings. VLESS has them.',
  fixed:
    'The country cannot be changed here: it was set by the service. If you need another, contact support.',
  linkChanges: 'Saving changes the link, and the old one stops working.',
  linkChangesApps:
    'Apps with your subscription link pick up the new one by themselves. To speed it up, refresh the list in the app.',
  linkChangesRouter:
    'If you pasted the link or a file by hand, for example into a router, paste the new one.',
  save: 'Save changes',
  saved: 'Done: the new link is above',
} as const
