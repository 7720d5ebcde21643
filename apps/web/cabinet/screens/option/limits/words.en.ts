export const words = {
  about:
    'So that a link that gets into other hands does not spend everything. More than the service allows cannot be set.',
  devices: 'Devices',
  devicesHint: 'How many may use it. Empty means without a limit.',
  traffic: 'Traffic for 30 days, GB',
  trafficHint: 'For example 100. Empty means without a limit.',
  save: 'Save the limits',
  saved: 'Saved.',
} as const
