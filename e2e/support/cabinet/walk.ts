import type { Browser } from 'playwright-core'
import type { TestService, TestUser } from '../../../test/support/service.ts'
import { type Sight, Viewer } from '../viewer.ts'
import { signInBrowser, speak, watchRequests } from './visit.ts'

/** Opens the cabinet to look at its pages one after the other. */

export type Pages = readonly (readonly [name: string, address: string])[]

/** The narrowest with the longer words, and the widest with the shorter ones. */
export const phone: Sight = { device: 'narrow', theme: 'light', language: 'ru' }
export const desk: Sight = { device: 'desktop', theme: 'dark', language: 'en' }

export interface WalkOptions {
  /** Nobody is signed in without. */
  readonly user?: TestUser | undefined
  readonly ignores?: RegExp
}

export const openCabinet = async (
  at: { readonly browser: Browser; readonly service: TestService },
  sight: Sight,
  { user, ...options }: WalkOptions = {},
): Promise<Viewer> => {
  const { browser, service } = at
  const viewer = await Viewer.open(browser, sight, new URL(service.running.url).host, options)
  const context = viewer.page.context()
  context.setDefaultTimeout(20_000)
  watchRequests(viewer.page)
  await speak(context, service, sight.language)
  if (user) await signInBrowser(context, service, user)
  return viewer
}
