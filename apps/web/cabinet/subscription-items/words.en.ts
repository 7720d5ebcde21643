export const words = {
  configs: 'Connections',
  clouds: 'On your own servers',
  option: 'Server pack “{title}”',
  whole: 'All of “{title}”',
  wholeText: 'every server of the pack, future ones included',
  until: 'until\u00a0{date}',
  away: 'Server is not responding',
  inWhole: 'Comes with the whole pack. Tick it to put it somewhere else, for example at the top.',
  picked: 'Picked: {n} of {most}.',
  full: 'No more than {most} can be added.',
} as const
