import { type Browser, chromium as chromiumBrowser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { certificateBytes, curtainBytes, openCurtain } from '../../test/support/curtain.ts'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService, type TestUser } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { makeFullPage } from '../support/cabinet/account.ts'
import { settled, signInBrowser } from '../support/cabinet/visit.ts'

/** Whoever is behind such a network has seen nothing of the cabinet before: no file is kept, and no worker helps. */

describeWith(chromium, 'the cabinet behind a curtain that falls after 16 KB of a connection', () => {
  let service: TestService
  let browser: Browser
  let user: TestUser

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    service = await startTestService({ withoutLimits: true })
    browser = await opening
    user = await makeFullPage(service)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const openThrough = async (passes: number, path: string, isSignedIn: boolean): Promise<Page> => {
    const curtain = await openCurtain(service.running.url, passes)
    const context = await browser.newContext({ locale: 'ru' })
    onTestFinished(async () => {
      await context.close()
      await curtain.close()
    })
    if (isSignedIn) await signInBrowser(context, service, user)
    const page = await context.newPage()
    await page.goto(curtain.url + path, { waitUntil: 'commit' })
    return page
  }

  const setClosing = async (isClosing: boolean) => {
    const answer = await service.operator('PATCH', '/cabinet/settings', { closes_connections: isClosing })
    expect(answer.status).toBe(200)
  }

  /** What passes when TLS has taken its part: whatever comes through this also does through the whole. */
  const leavesTls = curtainBytes - certificateBytes
  const signIn = ['/sign-in', false, 'input[type=email]', 1] as const
  const home = ['/', true, '.tiles > *', 20] as const

  describe('with a connection for each answer', () => {
    beforeAll(() => setClosing(true))

    test.each([
      signIn,
      home,
      ['/connect', true, '.steps > li', 3],
      ['/shop', true, 'main a[href^="/shop/"]', 1],
      ['/balance', true, 'main form, main .card', 1],
    ] as const)('%s opens at once', async (path, isSignedIn, content, least) => {
      const page = await openThrough(leavesTls, path, isSignedIn)
      await settled(page)
      await expect.poll(() => page.locator(content).count()).toBeGreaterThanOrEqual(least)
    })
  })

  /** As behind a proxy that knows nothing of this: which file meets the curtain is chance, and the page then says what helps. */
  describe('with connections that are used again', () => {
    beforeAll(() => setClosing(false))

    const isThere = (page: Page, content: string, least: number): Promise<boolean> =>
      page
        .locator(content)
        .nth(least - 1)
        .waitFor({ timeout: 10_000 })
        .then(
          () => true,
          () => false,
        )

    test.each([
      signIn,
      home,
    ])('%s opens, or does after a few reloads', async (path, isSignedIn, content, least) => {
      const page = await openThrough(leavesTls, path, isSignedIn)
      let tries = 1
      while (tries < 5 && !(await isThere(page, content, least))) {
        expect(await page.locator('main, .slow').first().isVisible()).toBe(true)
        await page.reload({ waitUntil: 'commit' })
        tries++
      }
      expect(await page.locator(content).count()).toBeGreaterThanOrEqual(least)
    })

    test.each([
      ['kit', '.slow'],
      ['home', 'main button'],
    ])('a page whose %s never comes says that a reload may help, and it does', async (file, said) => {
      const context = await browser.newContext({ locale: 'ru' })
      onTestFinished(() => context.close())
      await signInBrowser(context, service, user)
      const page = await context.newPage()
      const frozen = new RegExp(`/assets/${file}-`)
      await page.route(frozen, () => undefined)
      await page.clock.install()
      await page.goto(service.running.url, { waitUntil: 'commit' })
      if (said !== '.slow') {
        await page.locator('main .loading').waitFor()
        await page.clock.runFor(15_000)
      }
      const opacity = `(() => { const said = document.querySelector('${said}')
        return said && getComputedStyle(said).opacity })()`
      await expect.poll(() => page.evaluate(opacity)).toBe('1')
      await page.unroute(frozen)
      await page.reload({ waitUntil: 'commit' })
      await settled(page)
      await expect.poll(() => page.locator('.tiles > *').count()).toBe(20)
    })
  })
})
