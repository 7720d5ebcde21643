export const words = {
  title: 'Configuration',
  back: '← All of the option',
  missing: 'There is no such configuration in this option.',
  notNow: 'The option does not work now, and neither does this. See the option for the reason.',
  follows:
    'It came with the option, and the service takes care of it. To choose a protocol and settings, add one of your own to the option.',
} as const
