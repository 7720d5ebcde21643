export const words = {
  title: 'Sign in or sign up',
  welcome:
    'Enter your email and we will send you a code. If you have no account yet, one is created right away.',
  already: 'You are already signed in.',
  toCabinet: 'Go to your account',
  email: 'Email',
  emailHint: 'No password needed.',
  sendCode: 'Get a code',
  badEmail: 'Check the address: there seems to be a typo in it.',
} as const
