export const words = {
  title: 'Connection',
  back: '← Back to the server',
  server: 'Server',
  offlineText: 'If it does not come back in a few minutes,',
  restart: 'restart the server',
  missing: 'There is no such connection on this server. It may have been deleted.',
  toServer: 'Open the server',
  preparing: 'The server is still being set up. The connection will be here when it is ready.',
} as const
