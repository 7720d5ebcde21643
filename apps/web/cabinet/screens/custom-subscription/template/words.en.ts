export const words = {
  about:
    'For those who know Xray. Apps that take a whole Xray configuration get this one: with your DNS, routes and rules. Other apps get the servers as usual.',
  enabled: 'Use my template',
  enabledHint: 'While it is off, apps get the usual one, and yours is kept.',
  label: 'Template, JSON',
  hint: 'Connections take the place of the outbound with the tag “proxy”.',
  save: 'Save the template',
  saved: 'Saved.',
  reset: 'Back to the usual one',
  resetTitle: 'Back to the usual template?',
  resetText: 'What you have written is gone. Copy it first if you may need it.',
  resetDone: 'The usual template is back.',
} as const
