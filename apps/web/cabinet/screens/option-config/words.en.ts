export const words = {
  title: 'Connection',
  back: '← Back to the server pack',
  missing: 'There is no such connection in this server pack.',
  toOption: 'Open the server pack',
  notNow: 'The server pack is not working now, and neither is this connection.',
  why: 'See why and what to do',
  follows:
    'It came with the server pack, and the service takes care of its settings. To choose a protocol and settings yourself,',
  addOwn: 'add your own connection to the pack',
} as const
