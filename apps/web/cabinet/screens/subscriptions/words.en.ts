export const words = {
  title: 'My subscriptions',
  about:
    'Put together a link of your own from what you have: only the servers you pick, in your order. It suits a router, a TV or a relative: you can change or close such a link at any time, and your main one stays as it is.',
  none: 'There is none yet. Give it a name, pick servers below, and you get a link with its own QR code and list of devices.',
  list: 'Put together',
  items: '{n|item|items}',
  copyLink: 'Copy link',
  tooMany: 'You have {n|subscription|subscriptions}, and no more fit in. Delete one to make another.',
  new: 'New subscription',
  name: 'Name',
  nameHint: 'Apps show it. For example: Router, TV, Mum.',
  pickOne: 'Pick at least one server. The order can be changed later.',
  create: 'Put together',
  nothing: 'There is nothing to put together from yet: nothing of yours works now.',
  toShop: 'Choose in the shop',
} as const
