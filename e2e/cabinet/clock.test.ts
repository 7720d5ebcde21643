import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { clockOf } from '../support/cabinet/clock.ts'
import { enterByMail, heading, launchBrowser, payAtSandbox, phone } from '../support/cabinet/person.ts'

const hour = 3600

/** Clocks of phones and of old computers are wrong, and nothing here may follow from them. */
describeWith(chromium, 'the cabinet where the clock is wrong', () => {
  let service: TestService
  let browser: Browser

  beforeAll(async () => {
    const opening = launchBrowser()
    service = await startTestService({ withoutLimits: true })
    browser = await opening
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const textOf = async (page: Page, text: RegExp): Promise<string> =>
    (await page.getByText(text).first().innerText()).replace(/\s+/g, ' ')

  /** Signs up, pays and looks at what was bought; everything that was said of time on the way. */
  const told = async (wrongBy: number): Promise<string[]> => {
    const context = await phone(browser, { timezoneId: 'Europe/Moscow' })
    onTestFinished(() => context.close())
    await context.addInitScript(clockOf((service.clock.now() + wrongBy) * 1000 - Date.now()))
    const page = await context.newPage()
    await page.goto(`${service.running.url}/shop/config?days=30`)
    await enterByMail(page, service, `clock${wrongBy}@example.com`)
    await heading(page, 'VPN in one country')
    await page.getByRole('radio', { name: /SBP/ }).check()
    await page.getByRole('button', { name: /^Pay/ }).click()
    await page.waitForURL(/\/pay\//)
    await page.goBack()
    const linkEnds = await textOf(page, /This payment link works until/)
    await page.getByRole('button', { name: 'Open the payment page' }).click()
    await payAtSandbox(page)
    await page.getByText('All done. Now connect your device.').waitFor()
    const paidAt = await textOf(page, /\b2\d{3} at\b/)
    await page.goto(service.running.url)
    const left = await textOf(page, /days left/)
    await page.getByRole('link', { name: /^Renew:/ }).click()
    const renewed = await textOf(page, /It will work until/)
    return [linkEnds, paidAt, left, renewed]
  }

  test('says the same an hour behind and an hour ahead', async () => {
    const [right, behind, ahead] = await Promise.all([told(0), told(-hour), told(hour)])
    expect(behind).toEqual(right)
    expect(ahead).toEqual(right)
  })

  test.each([-hour, hour])('asks for another letter after a minute, wrong by %i s', async (wrongBy) => {
    const context = await phone(browser)
    onTestFinished(() => context.close())
    await context.addInitScript(clockOf((service.clock.now() + wrongBy) * 1000 - Date.now()))
    const page = await context.newPage()
    await page.goto(service.running.url)
    await page.getByLabel('Email', { exact: true }).fill(`letter${wrongBy}@example.com`)
    await page.getByRole('button', { name: 'Get a code' }).click()
    expect(await textOf(page, /You can ask for another/)).toMatch(/in (60|5\d) seconds/)
    // The page is often thrown away while somebody looks into the mailbox.
    await page.reload()
    await page.getByLabel('Code from the email').waitFor()
  })
})
