import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { type FullAccount, makeFullAccount, pagesOf } from '../support/cabinet/account.ts'
import { clockOf } from '../support/cabinet/clock.ts'
import { launchBrowser } from '../support/cabinet/person.ts'
import { isKept, settled } from '../support/cabinet/visit.ts'
import { desk, openCabinet, type Pages, phone } from '../support/cabinet/walk.ts'
import { judge, judgeColours, nameOf, picture } from '../support/judge.ts'
import type { Sight, Viewer } from '../support/viewer.ts'

/** Of these the browser says by itself that they failed. */
const ignores = /status of (429|500)|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_FAILED/

const refuse = (status: number, errorCode: number, message: string) => (route: Route) =>
  route.fulfill({
    status,
    headers: { 'retry-after': '7' },
    json: { status: false, statusCode: status, errorCode, message },
  })

/** Every screen where the service does not answer as it should. */
describeWith(chromium, 'the cabinet in trouble', () => {
  let service: TestService
  let browser: Browser
  let account: FullAccount

  beforeAll(async () => {
    const opening = launchBrowser()
    service = await startTestService({ withoutLimits: true })
    browser = await opening
    account = await makeFullAccount(service)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const walk = async (
    viewer: Viewer,
    at: { readonly sight: Sight; readonly trouble: string; readonly pages: Pages },
    settle: (page: Page) => Promise<void>,
  ): Promise<string[]> => {
    const { sight, trouble, pages } = at
    const wrong: string[] = []
    for (const [name, address] of pages) {
      await viewer.page.goto('about:blank')
      // What never comes would hold back the load of the page.
      await viewer.page.goto(service.running.url + address, { waitUntil: 'commit' })
      await settle(viewer.page)
      await picture(viewer, nameOf(`${trouble}-${name}`, sight))
      const found = await judge(viewer, () => settle(viewer.page))
      if (sight === phone) found.push(...(await judgeColours(viewer, sight.theme)))
      wrong.push(...found.map((one) => `${name} ${sight.device}: ${one}`))
    }
    return wrong
  }

  const pagesOut = (): Pages => [
    ['sign-in', '/sign-in'],
    ['subscription', `/subscription#${account.user.subscription_key}`],
  ]

  /** Nothing more is on its way, but for what never comes. */
  const stands = async (page: Page): Promise<void> => {
    await page.locator('main h1').first().waitFor()
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  }

  describe.each([
    ['failed', refuse(500, 40, 'INTERNAL'), settled, [phone, desk]],
    ['often', refuse(429, 3, 'TOO_MANY_REQUESTS'), settled, [desk]],
    ['loading', () => undefined, stands, [phone, desk]],
  ] as const)('%s', (trouble, answer, settle, sights) => {
    test.each(sights)('$language, $device', async (sight) => {
      const wrong: string[] = []
      for (const [user, pages] of [
        [account.user, pagesOf(account)],
        [undefined, pagesOut()],
      ] as const) {
        const viewer = await openCabinet({ browser, service }, sight, { user, ignores })
        await viewer.page.route(`${service.running.url}/v1/**`, answer)
        wrong.push(...(await walk(viewer, { sight, trouble, pages }, settle)))
        await viewer.close()
      }
      expect(wrong).toEqual([])
    })
  })

  /** What was kept of each is shown instead, and what was not says so. */
  test.each([phone, desk])('offline: $language, $device', async (sight) => {
    const viewer = await openCabinet({ browser, service }, sight, { user: account.user, ignores })
    const { page } = viewer
    await page.addInitScript(clockOf(service.clock.now() * 1000 - Date.now()))
    await page.goto(service.running.url)
    await settled(page)
    await isKept(page, true)
    const pages = pagesOf(account)
    for (const [, address] of pages) {
      await viewer.look(service.running.url + address)
      await settled(page)
    }
    await service.whileAway(async () => {
      await page.context().setOffline(true)
      viewer.troubles.splice(0)
      expect(await walk(viewer, { sight, trouble: 'offline', pages }, settled)).toEqual([])
    })
    await viewer.close()
  })
})
