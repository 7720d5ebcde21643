import type { Role } from '@sallyport/contract/operation'
import type { Browser } from 'playwright-core'
import type { TestService } from '../../../test/support/service.ts'
import { addAuthenticator } from '../browser.ts'
import { type Sight, Viewer } from '../viewer.ts'

/** Operators at the console, as they come in: by their link, and with a passkey that can prove who they are. */

/** Passkeys know a name and no number. */
export const consoleAddress = (service: TestService): string =>
  service.running.url.replace('127.0.0.1', 'localhost')

export interface AtConsole {
  readonly viewer: Viewer
  readonly address: string
  open(path: string): Promise<void>
}

export const signInToConsole = async (
  browser: Browser,
  service: TestService,
  sight: Sight,
  role: Role = 'owner',
): Promise<AtConsole> => {
  const address = consoleAddress(service)
  const { body } = await service.operator('POST', '/operators', { name: `The ${role}`, role })
  const viewer = await Viewer.open(browser, sight, new URL(address).host)
  const { page } = viewer
  await page.clock.install({ time: service.clock.now() * 1000 })
  await addAuthenticator(page)
  await page.goto(body.data.sign_in_link.replace('127.0.0.1', 'localhost'))
  await page.click('#enter')
  await page.locator('#me').waitFor({ state: 'visible' })
  await page.click('#add')
  await page.locator('#prove').waitFor({ state: 'visible' })
  const open = async (path: string) => {
    await page.goto(`${address}${path}`)
    await page.locator('main:not(:has(.loading)) h1').first().waitFor()
  }
  return { viewer, address, open }
}
