import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { TestService, TestUser } from '../../../test/support/service.ts'
import { type Sight, Viewer } from '../viewer.ts'
import { signInBrowser, speak, watchRequests } from './visit.ts'

/** Looks at pages of the cabinet one after the other, and says what is wrong with each. */

export type Pages = readonly (readonly [name: string, address: string])[]

/** A folder for pictures of every page, for those who change how pages look. */
const pictures = process.env.SALLYPORT_PICTURES

const finger = 24

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

export const picture = async ({ page }: Viewer, name: string): Promise<void> => {
  if (!pictures) return
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
}

export const nameOf = (page: string, { device, theme, language }: Sight): string =>
  `${page}-${device}-${theme}-${language}`

/** `settle` returns when the page has come to rest, before and after everything on it is opened. */
export const judge = async (viewer: Viewer, settle: () => Promise<void>): Promise<string[]> => {
  await viewer.openEverything()
  await settle()
  return [
    ...(await viewer.axe()),
    ...(await viewer.overflow()),
    ...(await viewer.smallTargets(finger)),
    ...viewer.troubles.splice(0),
  ]
}

/** The other theme changes colours and nothing else. */
export const judgeColours = async (viewer: Viewer, theme: Sight['theme']): Promise<string[]> => {
  const other = theme === 'light' ? 'dark' : 'light'
  await viewer.page.emulateMedia({ colorScheme: other })
  const wrong = await viewer.axe(['color-contrast'])
  await viewer.page.emulateMedia({ colorScheme: theme })
  return wrong.map((one) => `${other}: ${one}`)
}
