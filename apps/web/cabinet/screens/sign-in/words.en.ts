export const words = {
  title: 'Sign in or sign up',
  welcome: 'Enter your e-mail: we will send a code. If you have no account yet, it is made at once.',
  already: 'You are signed in already.',
  toCabinet: 'Go to the account',
  email: 'E-mail',
  emailHint: 'No password is needed.',
  sendCode: 'Get a code',
  badEmail: 'Check the address: there seems to be a mistake in it.',
} as const
