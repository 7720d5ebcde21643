export const words = {
  title: 'Audit',
  action: 'What was done',
  subject: 'To what',
  operatorNumber: 'Number of the operator',
  when: 'When',
  who: 'Who',
  details: 'Details',
  changed: '{n|field|fields} before and after',
  field: 'Field',
  before: 'Before',
  after: 'After',
  none: 'Nothing has been changed yet.',
} as const
