import { type Browser, type BrowserContext, chromium as chromiumBrowser, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService, type TestUser } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { isKept, settled, signInBrowser } from '../support/cabinet/visit.ts'

/** Whoever has been here once and whose network is cut since. */

describeWith(chromium, 'the cabinet without its service', () => {
  let service: TestService
  let browser: Browser
  let user: TestUser
  let link: string

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    service = await startTestService({ withoutLimits: true })
    browser = await opening
    user = await service.createUser({ balance: 10_000 })
    const config = await service.buy(user)
    await service.customer(user, 'PATCH', `/configs/title/${config.id}`, { title: 'Ноутбук' })
    link = `${service.running.url}/sub/${user.subscription_key}`
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const begin = async (): Promise<{ context: BrowserContext; page: Page }> => {
    const context = await browser.newContext({ locale: 'ru' })
    onTestFinished(() => context.close())
    return { context, page: await context.newPage() }
  }

  const expectKnown = async (page: Page): Promise<void> => {
    await page.goto(service.running.url)
    await page.getByRole('heading', { name: 'Ноутбук' }).waitFor()
    await page.getByText('Нет связи').first().waitFor()
    await page.goto(`${service.running.url}/connect`)
    await settled(page)
    await page.getByText('Нет связи').first().waitFor()
    await page.locator('#ways > summary').click()
    expect(await page.locator('#ways code').first().textContent()).toBe(link)
  }

  test('shows what was last known and the link to copy, and comes back', async () => {
    const { context, page } = await begin()
    await signInBrowser(context, service, user)
    await page.goto(service.running.url)
    await page.getByRole('heading', { name: 'Ноутбук' }).waitFor()
    await isKept(page, true)
    await service.whileAway(() => expectKnown(page))
    await page.reload()
    await settled(page)
    expect(await page.getByText('Нет связи').count()).toBe(0)
  })

  test('does so for whoever signed in on that visit, and forgets it all when they sign out', async () => {
    const { page } = await begin()
    const made = await service.call('POST', '/v1/profile/signInCode', { token: user.session_token })
    await page.goto(`${service.running.url}/sign-in`)
    await isKept(page, false)
    await page.goto('about:blank')
    await page.goto(`${service.running.url}/#sign_in_code=${made.body.data.code}`)
    await page.getByRole('button', { name: 'Да, войти' }).click()
    await page.getByRole('heading', { name: 'Ноутбук' }).waitFor()
    await isKept(page, true)
    await service.whileAway(() => expectKnown(page))

    await page.goto(`${service.running.url}/settings`)
    await page.getByRole('button', { name: 'Выйти', exact: true }).click()
    await page.locator('input[type=email]').waitFor()
    await isKept(page, false)
    const left = await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')
    expect(left).not.toContain(user.subscription_key)
    expect(left).not.toContain('Ноутбук')
    await service.whileAway(async () => {
      await page.goto(`${service.running.url}/connect`)
      await page.locator('main h1').waitFor()
      expect(await page.content()).not.toContain(user.subscription_key)
      expect(await page.getByText('Ноутбук').count()).toBe(0)
    })
  })
})
