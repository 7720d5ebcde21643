/** The frame around every screen. */
export const words = {
  home: 'Home',
  shop: 'Shop',
  balance: 'Balance',
  friends: 'Friends',
  settings: 'Settings',
  sections: 'Sections',
  skip: 'Skip to the content',
  notifications: 'Notifications',
  offline: 'No connection to the internet. What was here on your last visit is still shown.',
  lost: 'There is no such page.',
  toHome: 'To the home page',
  broken: 'This page did not load: the connection was cut. Nothing is lost.',
  again: 'Load again',
  otherLanguage: 'Русский',
} as const
