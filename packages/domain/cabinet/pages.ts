/** The addresses of the cabinet, as the service and the web app both know them. */

export interface CabinetPage {
  readonly path: string
  /** Its module is `cabinet/screens/<screen>.tsx`. */
  readonly screen: string
  /** Shown to whoever comes; all others ask to sign in first. */
  readonly isOpen?: true
  /** What it asks for first, once somebody is signed in: answers that can be asked for any number of times. */
  readonly asks?: readonly string[]
  /** The same for anybody. */
  readonly asksOpenly?: readonly string[]
}

const profile = '/v1/profile'

/** `:id` and the like are those of the page itself; `:language` is the one it is shown in. */
export const cabinetPages: readonly CabinetPage[] = [
  { path: '/', screen: 'home', asks: [profile, '/v1/configs', '/v1/paid-options', '/v1/cloud-servers'] },
  { path: '/sign-in', screen: 'sign-in', isOpen: true, asksOpenly: ['/v1/auth/methods'] },
  { path: '/connect', screen: 'connect', asks: [profile] },
  { path: '/shop', screen: 'shop', asks: [profile, '/v1/locations', '/v1/configs/tariffs'] },
  {
    path: '/shop/config',
    screen: 'shop-config',
    asks: [profile, '/v1/locations', '/v1/configs/tariffs', '/v1/configs/available-servers'],
  },
  { path: '/shop/option/:id', screen: 'shop-option', asks: [profile, '/v1/paid-options/tariffs'] },
  {
    path: '/shop/cloud',
    screen: 'shop-cloud',
    asks: [profile, '/v1/cloud-servers/locations', '/v1/cloud-servers/tariffs'],
  },
  { path: '/configs/:id', screen: 'config', asks: [profile, '/v1/configs'] },
  { path: '/options/:id', screen: 'option', asks: [profile, '/v1/paid-options'] },
  { path: '/options/:id/configs/:configId', screen: 'option-config', asks: [profile, '/v1/paid-options'] },
  { path: '/clouds/:id', screen: 'cloud', asks: [profile, '/v1/cloud-servers'] },
  { path: '/subscriptions', screen: 'subscriptions', asks: [profile, '/v1/profile/custom-subscriptions'] },
  {
    path: '/subscriptions/:id',
    screen: 'custom-subscription',
    asks: [profile, '/v1/profile/custom-subscriptions/:id'],
  },
  { path: '/devices', screen: 'devices', asks: [profile, '/v1/profile/devices'] },
  { path: '/balance', screen: 'balance', asks: [profile, '/v1/profile/payments-history'] },
  { path: '/payments/:id', screen: 'payment', asks: [profile] },
  { path: '/friends', screen: 'friends', asks: [profile, '/v1/profile/referral'] },
  { path: '/keys', screen: 'keys', asks: [profile, '/v1/profile/promocodes'] },
  { path: '/gift', screen: 'gift', isOpen: true },
  // Reading notifications takes them, so the page asks for them itself.
  { path: '/notifications', screen: 'notifications', asks: [profile] },
  { path: '/settings', screen: 'settings', asks: [profile, '/v1/profile/identities'] },
  { path: '/rules', screen: 'rules', isOpen: true, asksOpenly: ['/brand/rules/:language'] },
  { path: '/subscription', screen: 'subscription', isOpen: true },
]

/** What a page shows to somebody who has yet to sign in. */
export const signInPage = cabinetPages.find(({ path }) => path === '/sign-in') as CabinetPage
