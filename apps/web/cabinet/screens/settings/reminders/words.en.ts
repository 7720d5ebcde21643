export const words = {
  renewal: 'Remind me to renew',
  renewalHint: 'We tell you beforehand that something ends, or that the balance is too low.',
  from: 'Send from',
  until: 'Until',
  hoursHint: 'At other hours we keep silent. It may pass midnight, as from 22:00 to 6:00.',
  zone: 'Time zone: {zone}.',
  takeZone: 'On this device it is {zone}. Take that',
  takenZone: 'Save to apply it.',
  save: 'Save',
  saved: 'Saved',
} as const
