import type { Platform, Store } from './app.ts'

/** Where apps are published, so that the catalogue reads as a list. */

type Extra = Pick<Store, 'region' | 'publisher'>

/** Without a country in its path the address opens in the visitor's own store. */
export const appStore = (id: number, platforms: readonly Platform[], extra: Extra = {}): Store => ({
  name: 'App Store',
  url: `https://apps.apple.com/${extra.region === 'ru' ? 'ru/' : ''}app/id${id}`,
  platforms,
  ...extra,
})

export const googlePlay = (id: string, platforms: readonly Platform[], extra: Extra = {}): Store => ({
  name: 'Google Play',
  url: `https://play.google.com/store/apps/details?id=${id}`,
  platforms,
  ...extra,
})

/** The owner of the repository is the publisher. */
export const github = (repository: string, platforms: readonly Platform[]): Store => ({
  name: 'GitHub',
  url: `https://github.com/${repository}/releases/latest`,
  platforms,
  publisher: repository.split('/')[0] as string,
})

export const website = (url: string, platforms: readonly Platform[], extra: Extra = {}): Store => ({
  name: new URL(url).hostname.replace(/^www\./, ''),
  url,
  platforms,
  ...extra,
})
