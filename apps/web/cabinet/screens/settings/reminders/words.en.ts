export const words = {
  renewal: 'Remind me to renew',
  renewalHint: 'We tell you in advance when something is about to expire or your balance is too low.',
  from: 'Send from',
  until: 'Until',
  hoursHint: 'We stay quiet at other hours. It can go past midnight, for example from 22:00 to 6:00.',
  zone: 'Time zone: {zone}.',
  takeZone: 'This device is in {zone}. Use that',
  takenZone: 'Save to apply it.',
  save: 'Save',
  saved: 'Saved',
} as const
