export const words = {
  about:
    'For those who know Xray. Apps that accept a whole Xray configuration get this one, with your DNS, routes and rules. Other apps get the servers as usual.',
  enabled: 'Use my template',
  enabledHint: 'While off, apps get the standard template, and yours is kept.',
  label: 'Template, JSON',
  hint: 'Connections replace the outbound with the tag “proxy”.',
  save: 'Save the template',
  saved: 'Saved',
  reset: 'Restore the standard one',
  resetTitle: 'Restore the standard template?',
  resetText: 'What you have written will be lost. Copy it first if you may need it.',
  resetDone: 'The standard template is back',
} as const
