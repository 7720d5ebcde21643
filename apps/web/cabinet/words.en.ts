/** The frame around every screen. */
export const words = {
  home: 'Home',
  shop: 'Shop',
  balance: 'Balance',
  friends: 'Friends',
  settings: 'Settings',
  sections: 'Sections',
  skip: 'Skip to content',
  notifications: 'Notifications',
  offline: 'No internet connection. You are seeing what was here on your last visit.',
  lost: 'This page does not exist.',
  toHome: 'Go to the home page',
  broken: 'This page did not load: the connection was cut. Nothing is lost.',
  again: 'Reload',
  otherLanguage: 'Русский',
} as const
