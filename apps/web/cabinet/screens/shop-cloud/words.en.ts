export const words = {
  title: 'Your own server',
  text: 'A whole server for you alone, with its own address. Put as many connections and proxies on it as you like.',
  steps: 'How it works',
  step1: 'You choose its power and country, and pay.',
  step2: 'We order and set up the server, usually in 5–15 minutes; you see every step.',
  step3: 'When it is ready, we tell you, and you add connections with one tap.',
  machine: 'Power',
  fromFor: 'from {price} for {length}',
  where: 'Country',
  name: 'Give it a name (optional)',
  nameLabel: 'Server name',
  nameHint: 'Latin letters, digits, hyphens and dots.',
  nameWrong:
    'This name does not work: use Latin letters, digits, hyphens and dots, and do not end it with a number.',
  none: 'There are no servers to order right now. Come back a little later.',
  bought: 'Ordered: the server is being set up',
} as const
