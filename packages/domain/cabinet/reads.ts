import type { CabinetPath } from './pages.ts'

/** What each page reads first, relative to the API; the service names it to the browser before any script runs. The longest answer is named first. */
export const cabinetReads: Readonly<Partial<Record<CabinetPath, readonly string[]>>> = {
  '/': ['/configs?limit=20', '/paid-options', '/profile'],
  '/sign-in': ['/auth/methods'],
  '/connect': ['/profile'],
  '/shop': ['/configs/tariffs', '/paid-options/tariffs', '/cloud-servers/tariffs'],
  '/shop/config': ['/configs/tariffs', '/locations'],
  '/shop/option/:id': ['/paid-options/tariffs'],
  '/shop/cloud': ['/cloud-servers/tariffs', '/cloud-servers/locations'],
  '/configs/:id': ['/configs?limit=20'],
  '/options/:id': ['/paid-options'],
  '/options/:id/configs/:configId': ['/paid-options'],
  '/clouds/:id': ['/cloud-servers'],
  '/subscriptions': ['/profile/custom-subscriptions'],
  '/subscriptions/:id': ['/profile/custom-subscriptions/:id'],
  '/devices': ['/profile/devices?page=1&limit=20'],
  '/balance': ['/profile'],
  '/friends': ['/profile', '/profile/referral/terms', '/profile/referral?limit=50'],
  '/settings': ['/profile'],
}
