export const words = {
  about:
    'So that a link in the wrong hands cannot use up everything. You cannot go above what the service allows.',
  devices: 'Devices',
  devicesHint: 'How many may use it. Empty means no limit.',
  traffic: 'Traffic per 30 days, GB',
  trafficHint: 'For example, 100. Empty means no limit.',
  save: 'Save limits',
  saved: 'Saved',
} as const
