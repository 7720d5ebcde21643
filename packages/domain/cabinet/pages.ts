/** The addresses of the cabinet: the service answers each with the page, and the page shows the screen. */

export interface CabinetPage {
  /** A parameter is written :name. */
  readonly path: string
  /** The folder of the screen in apps/web/cabinet/screens. */
  readonly screen: string
  /** Whoever is not signed in sees it too. */
  readonly isOpen?: true
  /** What it reads first, relative to the API; the page names it to the browser before any script runs. */
  readonly reads?: readonly string[]
}

export const cabinetPages = [
  { path: '/', screen: 'home', reads: ['/profile', '/configs?limit=20', '/paid-options'] },
  { path: '/sign-in', screen: 'sign-in', isOpen: true, reads: ['/auth/methods'] },
  { path: '/subscription', screen: 'subscription', isOpen: true },
  { path: '/rules', screen: 'rules', isOpen: true },
  { path: '/connect', screen: 'connect', reads: ['/profile'] },
  { path: '/shop', screen: 'shop', reads: ['/configs/tariffs', '/locations'] },
  { path: '/shop/config', screen: 'shop-config', reads: ['/configs/tariffs', '/locations'] },
  { path: '/shop/option/:id', screen: 'shop-option', reads: ['/paid-options/tariffs'] },
  {
    path: '/shop/cloud',
    screen: 'shop-cloud',
    reads: ['/cloud-servers/tariffs', '/cloud-servers/locations'],
  },
  { path: '/payments/:id', screen: 'payment' },
  { path: '/gift', screen: 'gift', isOpen: true },
  { path: '/keys', screen: 'keys' },
  { path: '/configs/:id', screen: 'config', reads: ['/configs?limit=20'] },
  { path: '/configs/:id/renew', screen: 'renew' },
  { path: '/options/:id', screen: 'option', reads: ['/paid-options'] },
  { path: '/options/:id/renew', screen: 'renew' },
  { path: '/options/:id/configs/:configId', screen: 'option-config', reads: ['/paid-options'] },
  { path: '/clouds/:id', screen: 'cloud', reads: ['/cloud-servers'] },
  { path: '/clouds/:id/renew', screen: 'renew' },
  { path: '/clouds/:id/configs/:configId', screen: 'cloud-config' },
  { path: '/subscriptions', screen: 'subscriptions' },
  { path: '/subscriptions/:id', screen: 'custom-subscription' },
  { path: '/devices', screen: 'devices', reads: ['/profile/devices?page=1&limit=20'] },
  { path: '/balance', screen: 'balance', reads: ['/profile'] },
  {
    path: '/friends',
    screen: 'friends',
    reads: ['/profile', '/profile/referral/terms', '/profile/referral?limit=50'],
  },
  { path: '/notifications', screen: 'notifications' },
  { path: '/settings', screen: 'settings', reads: ['/profile'] },
] as const satisfies readonly CabinetPage[]

export type CabinetScreen = (typeof cabinetPages)[number]['screen']
export type CabinetPath = (typeof cabinetPages)[number]['path']
