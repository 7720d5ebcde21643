import { type Browser, chromium as chromiumBrowser, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService, type TestUser } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { settled, signInBrowser } from '../support/cabinet/visit.ts'

const blocked = 'https://blocked.example'
const open = 'https://open.example:8443'

describeWith(chromium, 'mirrors of a service that does not answer', () => {
  let service: TestService
  let browser: Browser
  let user: TestUser

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    service = await startTestService({ withoutLimits: true })
    browser = await opening
    user = await service.createUser()
    const answer = await service.operator('PATCH', '/cabinet/settings', { mirrors: [blocked, open] })
    expect(answer.status).toBe(200)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** A page that has come to rest, and which mirrors it has asked. */
  const visit = async (): Promise<{ page: Page; asked: string[] }> => {
    const context = await browser.newContext({ locale: 'ru' })
    onTestFinished(() => context.close())
    const asked: string[] = []
    await context.route(/^https:/, (route) => {
      const { origin } = new URL(route.request().url())
      asked.push(origin)
      return origin === open ? route.fulfill({ body: 'ok' }) : route.abort()
    })
    await signInBrowser(context, service, user)
    const page = await context.newPage()
    await page.goto(service.running.url)
    await settled(page)
    await expect
      .poll(() => page.evaluate("caches.match('/', { cacheName: 'shell' }).then((shell) => !!shell)"))
      .toBe(true)
    return { page, asked }
  }

  const expectOffered = async (page: Page, path: string): Promise<void> => {
    const link = page.getByRole('link', { name: 'open.example:8443' })
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe(open + path)
    expect(await page.locator(`a[href^="${blocked}"]`).count()).toBe(0)
  }

  test('the one that answers is offered where a screen does not come', async () => {
    const { page, asked } = await visit()
    expect(asked, 'nobody is asked while the service answers').toEqual([])
    await service.whileAway(async () => {
      await page.getByRole('link', { name: 'Друзья' }).click()
      await expectOffered(page, '/friends')
    })
    await page.getByRole('link', { name: 'Главная' }).click()
    await settled(page)
    await expect.poll(() => page.getByRole('link', { name: 'open.example:8443' }).count()).toBe(0)
  })

  test('and where a page was kept from before', async () => {
    const { page, asked } = await visit()
    await service.whileAway(async () => {
      await page.reload()
      await expectOffered(page, '/')
      expect(asked.toSorted()).toEqual([blocked, open])
    })
  })

  test('the link of apps can be taken under each of them', async () => {
    const { page, asked } = await visit()
    const addresses = [service.running.url, blocked, open].map((at) => `${at}/sub/${user.subscription_key}`)
    await page.goto(`${service.running.url}/settings#link`)
    await expect.poll(() => page.locator('.copyable code').allTextContents()).toEqual([...addresses])
    await page.goto(`${service.running.url}/connect`)
    await page.getByText('Другие способы', { exact: true }).click()
    await expect.poll(() => page.locator('#ways .copyable code').allTextContents()).toEqual([...addresses])
    await page.getByRole('button', { name: 'Скопировать ссылку на open.example:8443' }).waitFor()
    expect(asked).toEqual([])
  })
})
