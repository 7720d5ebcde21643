import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium as chromiumBrowser,
  type Page,
} from 'playwright-core'
import { expect } from 'vitest'
import { codeTo } from '../../../test/support/people/mailbox.ts'
import { chromiumPath } from '../../../test/support/pieces.ts'
import type { TestService } from '../../../test/support/service.ts'
import { browserArgs } from '../browser.ts'
import { iphone } from '../viewer.ts'

/** Somebody who uses the cabinet as people do: by what is written on it. */

export const launchBrowser = (more: readonly string[] = []): Promise<Browser> =>
  chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: [...browserArgs, ...more] })

/** It costs nothing where all is well, and a test that fails says where. */
const patienceMs = 20_000

/** An iPhone that speaks English, with nothing kept. */
export const phone = async (browser: Browser, more: BrowserContextOptions = {}): Promise<BrowserContext> => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    userAgent: iphone,
    hasTouch: true,
    isMobile: true,
    locale: 'en',
    ...more,
  })
  context.setDefaultTimeout(patienceMs)
  return context
}

export const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** From the form on the screen to whatever it leads to. */
export const enterByMail = async (page: Page, service: TestService, email: string): Promise<void> => {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Get a code' }).click()
  const code = page.getByLabel('Code from the email')
  await code.waitFor()
  // Six digits send themselves.
  await code.fill(codeTo(service, email))
  await code.waitFor({ state: 'detached' })
}

/** Pays on the provider's page, which is open, and comes back as its link leads. */
export const payAtSandbox = async (page: Page): Promise<void> => {
  await page.waitForURL(/\/pay\//)
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByRole('link', { name: 'Back to the site' }).click()
  await page.waitForURL(/\/payments\/\d+/)
}

/** What a radio button of that name stands for. */
export const choose = async (page: Page, name: string | RegExp): Promise<void> => {
  const radio = page.getByRole('radio', { name })
  await radio.first().check()
  await expect.poll(() => radio.first().isChecked()).toBe(true)
}

/** What somebody has bought for a time, as the database has it. */
export const termsOf = ({ db }: TestService, email: string) =>
  db
    .selectFrom('terms')
    .innerJoin('users', 'users.id', 'terms.user_id')
    .select(['terms.id', 'terms.item_id', 'terms.expires_at'])
    .where('users.email', '=', email)
    .execute()

/** Fetches the link as an app of the phone does, and gives the links of its servers. */
export const fetchAsApp = async (url: string, hwid = 'phone-0123456789'): Promise<string[]> => {
  const answer = await fetch(url, {
    headers: {
      'user-agent': 'Happ/2.0/ios',
      'x-hwid': hwid,
      'x-device-os': 'iOS',
      'x-ver-os': '18.2',
      'x-device-model': 'iPhone 15',
    },
  })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.text(), 'base64')
    .toString()
    .split('\n')
    .filter((line) => line !== '')
}
