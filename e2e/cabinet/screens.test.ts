import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium as chromiumBrowser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { type FullAccount, makeFullAccount, pagesOf } from '../support/cabinet/account.ts'
import { settled, signInBrowser, speak } from '../support/cabinet/visit.ts'
import { type Sight, Viewer } from '../support/viewer.ts'

/** A folder for pictures of every page, for those who change how pages look. */
const pictures = process.env.SALLYPORT_PICTURES

const finger = 24

const sights = (['ru', 'en'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    (['narrow', 'desktop'] as const).map((device): Sight => ({ language, theme, device })),
  ),
)

/** Every screen of the cabinet as its customer meets it. */
describeWith(chromium, 'the cabinet in a browser', () => {
  let service: TestService
  let browser: Browser
  let account: FullAccount

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    service = await startTestService({ withoutLimits: true })
    browser = await opening
    account = await makeFullAccount(service)
    await service.heartbeat()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const open = async (sight: Sight, isSignedIn: boolean): Promise<Viewer> => {
    const viewer = await Viewer.open(browser, sight, new URL(service.running.url).host)
    const context = viewer.page.context()
    await speak(context, service, sight.language)
    if (isSignedIn) await signInBrowser(context, service, account.user)
    return viewer
  }

  const judge = async (viewer: Viewer, name: string): Promise<string[]> => {
    await viewer.openEverything()
    await settled(viewer.page)
    const wrong = [
      ...(await viewer.axe()),
      ...(await viewer.overflow()),
      ...(await viewer.smallTargets(finger)),
      ...viewer.troubles.splice(0),
    ]
    return wrong.map((one) => `${name}: ${one}`)
  }

  const picture = async ({ page }: Viewer, name: string): Promise<void> => {
    if (!pictures) return
    mkdirSync(pictures, { recursive: true })
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
  }

  test.each(sights)('every screen: $language, $theme, $device', async (sight) => {
    const viewer = await open(sight, true)
    const wrong: string[] = []
    for (const [name, address] of pagesOf(account)) {
      await viewer.look(service.running.url + address)
      await settled(viewer.page)
      expect(await viewer.page.getAttribute('html', 'lang')).toBe(sight.language)
      await picture(viewer, `${name}-${sight.device}-${sight.theme}-${sight.language}`)
      wrong.push(...(await judge(viewer, name)))
    }
    await viewer.close()
    expect(wrong).toEqual([])
  })

  test.each(sights)('whoever is not signed in: $language, $theme, $device', async (sight) => {
    const viewer = await open(sight, false)
    const wrong: string[] = []
    for (const [name, address] of [
      ['sign-in', '/'],
      ['sign-in-kept', '/shop'],
      ['subscription', `/subscription#${account.user.subscription_key}`],
      ['rules-out', '/rules'],
    ] as const) {
      await viewer.look(service.running.url + address)
      await settled(viewer.page)
      await picture(viewer, `${name}-${sight.device}-${sight.theme}-${sight.language}`)
      wrong.push(...(await judge(viewer, name)))
    }
    await viewer.close()
    expect(wrong).toEqual([])
  })
})
