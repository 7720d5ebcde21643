/** The addresses of the cabinet: the service answers each with the page, and the page shows the screen. */

export interface CabinetPage {
  /** A parameter is written :name. */
  readonly path: string
  /** The folder of the screen in apps/web/cabinet/screens. */
  readonly screen: string
  /** Whoever is not signed in sees it too. */
  readonly isOpen?: true
}

export const cabinetPages = [
  { path: '/', screen: 'home' },
  { path: '/sign-in', screen: 'sign-in', isOpen: true },
  { path: '/subscription', screen: 'subscription', isOpen: true },
  { path: '/rules', screen: 'rules', isOpen: true },
  { path: '/connect', screen: 'connect' },
  { path: '/shop', screen: 'shop' },
  { path: '/shop/config', screen: 'shop-config' },
  { path: '/shop/option/:id', screen: 'shop-option' },
  { path: '/shop/cloud', screen: 'shop-cloud' },
  { path: '/payments/:id', screen: 'payment' },
  { path: '/gift', screen: 'gift', isOpen: true },
  { path: '/once', screen: 'once', isOpen: true },
  { path: '/keys', screen: 'keys' },
  { path: '/configs/:id', screen: 'config' },
  { path: '/configs/:id/renew', screen: 'renew' },
  { path: '/options/:id', screen: 'option' },
  { path: '/options/:id/renew', screen: 'renew' },
  { path: '/options/:id/configs/:configId', screen: 'option-config' },
  { path: '/clouds/:id', screen: 'cloud' },
  { path: '/clouds/:id/renew', screen: 'renew' },
  { path: '/clouds/:id/configs/:configId', screen: 'cloud-config' },
  { path: '/subscriptions', screen: 'subscriptions' },
  { path: '/subscriptions/:id', screen: 'custom-subscription' },
  { path: '/devices', screen: 'devices' },
  { path: '/balance', screen: 'balance' },
  { path: '/friends', screen: 'friends' },
  { path: '/notifications', screen: 'notifications' },
  { path: '/settings', screen: 'settings' },
] as const satisfies readonly CabinetPage[]

export type CabinetScreen = (typeof cabinetPages)[number]['screen']
export type CabinetPath = (typeof cabinetPages)[number]['path']

/** Everything else may wait until these are there. */
export const firstScreens: readonly CabinetScreen[] = ['home', 'sign-in']
