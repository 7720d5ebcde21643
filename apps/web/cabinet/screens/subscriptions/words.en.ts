export const words = {
  title: 'Separate links',
  about:
    'Make a separate link from what you have: only the servers you pick, in your order. Handy for a router, a TV or your family: you can change or close it at any time, and your subscription link stays as it is.',
  none: 'You have none yet. Choose a name, pick servers below, and you get a link with its own QR code and list of devices.',
  list: 'Your links',
  items: '{n|item|items}',
  copyLink: 'Copy the link',
  tooMany:
    'You already have {n|separate link|separate links}, which is the maximum. Delete one to make another.',
  new: 'New separate link',
  name: 'Name',
  nameHint: 'Apps show it. For example: Router, TV, Mum.',
  pickOne: 'Pick at least one server. The order can be changed later.',
  create: 'Create the link',
  nothing: 'Nothing to make a link from yet: nothing of yours is working now.',
  toShop: 'Go to the shop',
} as const
