import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import {
  choose,
  enterByMail,
  fetchAsApp,
  heading,
  launchBrowser,
  payAtSandbox,
  phone,
  termsOf,
} from '../support/cabinet/person.ts'

const email = 'olga@example.com'

/** From nobody to a connected customer who comes back to renew. */
describeWith(chromium, 'the way through the cabinet', () => {
  let service: TestService
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    const opening = launchBrowser()
    service = await startTestService({ withoutLimits: true })
    browser = await opening
    const context = await phone(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
    page = await context.newPage()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  test('signs up, chooses, pays by link, connects, and sees it at home', async () => {
    await page.goto(service.running.url)
    await heading(page, 'Sign in or sign up')
    await enterByMail(page, service, email)

    await heading(page, 'Shop')
    await page.getByRole('link', { name: 'Choose: VPN in one country' }).click()
    await heading(page, 'VPN in one country')
    await choose(page, /Germany/)
    await choose(page, /3 months/)
    await choose(page, /SBP/)
    await page.getByRole('button', { name: /^Pay/ }).click()

    await payAtSandbox(page)
    await page.getByText('All done. Now connect your device.').waitFor()
    await expect.poll(() => page.locator('.badge').first().textContent()).toContain('paid')
    expect(await termsOf(service, email)).toHaveLength(1)

    await page.getByRole('link', { name: 'Connect a device' }).click()
    await heading(page, 'Connect this device')
    await page.getByText('Waiting for the app').waitFor()
    await page.getByRole('button', { name: 'Copy the link' }).click()
    const link = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(link).toMatch(/\/sub\/\w+$/)
    service.clock.advance(1)
    expect(await fetchAsApp(link)).toHaveLength(1)

    await page.getByText('the servers are there').waitFor()
    await page.getByRole('link', { name: 'Go to the home page' }).click()
    await heading(page, 'Home')
    await page.getByText('This device is connected.').waitFor()
    await page.getByText(/(89|90)\sdays left/).waitFor()
  })

  test('tops up the balance, renews from it, and has so many days more', async () => {
    const [before] = await termsOf(service, email)
    await page.getByRole('link', { name: 'Balance' }).click()
    await heading(page, 'Balance')
    await page.getByRole('button', { name: /1,000/ }).click()
    await page.getByRole('button', { name: /^Pay.*1,000/ }).click()
    await payAtSandbox(page)
    await page.getByText('All done.').waitFor()
    await page.getByRole('link', { name: 'Go to the balance' }).click()
    await page
      .getByText(/1,000\s₽/)
      .first()
      .waitFor()

    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('link', { name: /^Renew:/ }).click()
    await heading(page, 'Renew')
    await choose(page, /1 month|30 days/)
    await choose(page, /Balance/)
    await page.getByRole('button', { name: /^Renew for/ }).click()
    await page.getByText('Renewed until').waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText(/(119|120)\sdays left/).waitFor()
    const [after] = await termsOf(service, email)
    expect(after?.expires_at).toBe((before?.expires_at ?? 0) + 30 * 86_400)
  })
})
