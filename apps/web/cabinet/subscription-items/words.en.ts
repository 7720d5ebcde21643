export const words = {
  configs: 'Configurations',
  clouds: 'On cloud servers',
  option: 'Option “{title}”',
  whole: 'All of “{title}”',
  wholeText: 'Every server of the option, also those that come later.',
  until: 'until {date}',
  away: 'The server does not answer now',
  inWhole: 'It comes with the whole option. Pick it to put it somewhere else, the top for example.',
  picked: 'Picked: {n} of {most}.',
  full: 'No more than {most} fit in.',
} as const
