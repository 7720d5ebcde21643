import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { type FullAccount, makeFullAccount } from '../support/cabinet/account.ts'
import { choose, heading, launchBrowser, phone } from '../support/cabinet/person.ts'
import { settled, signInBrowser } from '../support/cabinet/visit.ts'

describeWith(chromium, 'what leads to a part of another page', () => {
  let service: TestService
  let browser: Browser
  let account: FullAccount

  beforeAll(async () => {
    const opening = launchBrowser()
    service = await startTestService({ withoutLimits: true })
    browser = await opening
    account = await makeFullAccount(service)
    await service.operator('PATCH', '/delivery/settings', { support_url: 'https://t.me/help' })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const open = async (path: string): Promise<Page> => {
    const context = await phone(browser)
    onTestFinished(() => context.close())
    await signInBrowser(context, service, account.user)
    const page = await context.newPage()
    await page.goto(service.running.url + path)
    await settled(page)
    return page
  }

  test('notifications lead to the hours of reminders, which are open and in sight', async () => {
    const page = await open('/notifications')
    await page.getByRole('link', { name: 'When to send reminders' }).click()
    await heading(page, 'Settings')
    await expect.poll(() => page.title()).toBe('Settings · Sallyport')
    const hours = page.getByLabel('Send from')
    await hours.waitFor()
    await expect
      .poll(() =>
        page.getByText('Reminders', { exact: true }).evaluate((at) => at.getBoundingClientRect().top),
      )
      .toBeLessThan(200)
  })

  test('a bought gift can be used by whoever bought it, for what it is for', async () => {
    const page = await open('/keys')
    await heading(page, 'Gifts')
    await page.getByRole('link', { name: 'Use it myself' }).click()
    await heading(page, 'A gift for you')
    await page.getByText(account.giftCode).waitFor()
    await choose(page, 'A new connection')
    expect(new URL(page.url()).hash).toBe('')
  })

  test('home leads to support where the operator has named it', async () => {
    const page = await open('/')
    await expect.poll(() => page.locator('a[href="https://t.me/help"]').count()).toBe(1)
  })

  test('a router is told of links and files, of a separate link too; a link that is gone says so', async () => {
    const page = await open(`/connect?for=${account.subscriptionId}`)
    await page.getByLabel('What are you connecting?').selectOption('router')
    await page.getByText('Anyone who has this link can use your servers.').first().waitFor()
    await page.getByRole('button', { name: 'Choose a server' }).click()
    await page.getByRole('heading', { name: 'Single servers' }).waitFor()
    await page.locator('#keys summary').filter({ hasText: 'Ноутбук' }).waitFor()
    const gone = await open('/connect?for=999999')
    await gone.getByRole('link', { name: 'Separate links' }).waitFor()
  })
})
