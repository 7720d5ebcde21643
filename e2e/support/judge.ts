import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Sight, Viewer } from './viewer.ts'

/** What is wrong with a page that is looked at, and a picture of it. */

/** A folder for pictures of every page, for those who change how pages look. */
const pictures = process.env.SALLYPORT_PICTURES

const finger = 24

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
