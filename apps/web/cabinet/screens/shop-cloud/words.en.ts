export const words = {
  title: 'A server of your own',
  text: 'A whole cloud server for you alone, with its own address. Put as many connections and proxies on it as you like.',
  steps: 'How it goes',
  step1: 'You choose how strong it is and where it stands, and pay.',
  step2: 'The server is ordered and set up, usually in 5–15 minutes; you see every step.',
  step3: 'When it is ready we tell you, and you add connections with one press.',
  machine: 'How strong',
  fromFor: 'from {price} for {length}',
  where: 'Where it stands',
  name: 'Give it a name (not needed)',
  nameLabel: 'Name of the server',
  nameHint: 'Letters of the Latin alphabet, digits, hyphens and dots.',
  nameWrong:
    'This name does not fit: use Latin letters, digits, hyphens and dots, and do not end it with a number.',
  none: 'There are no servers to order now. Come back a little later.',
  bought: 'Ordered. The server is being set up.',
} as const
