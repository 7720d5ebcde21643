import { type Browser, chromium as chromiumBrowser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { type FullAccount, makeFullAccount } from '../support/cabinet/account.ts'
import { settled, signInBrowser, speak } from '../support/cabinet/visit.ts'
import { type Sight, Viewer } from '../support/viewer.ts'

/** Some seconds after a page has come the browser names what was fetched in advance and not used. */
const unusedMs = 7000

describeWith(chromium, 'the first load of a page', () => {
  let service: TestService
  let browser: Browser
  let account: FullAccount

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    service = await startTestService({ withoutLimits: true })
    browser = await opening
    account = await makeFullAccount(service)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const open = async (language: Sight['language'], isSignedIn: boolean): Promise<Viewer> => {
    const sight: Sight = { device: 'narrow', theme: 'light', language }
    const viewer = await Viewer.open(browser, sight, new URL(service.running.url).host)
    await speak(viewer.page.context(), service, language)
    if (isSignedIn) await signInBrowser(viewer.page.context(), service, account.user)
    return viewer
  }

  const loads = ['/', '/sign-in', '/shop', '/connect', '/balance'].flatMap((path) =>
    [true, false].map((isSignedIn) => ({ path, isSignedIn })),
  )

  test.each([
    'ru',
    'en',
  ] as const)('asks no other host, breaks no policy and uses all that it named in advance: %s', async (language) => {
    const visits = []
    // One after another: a code to sign in by ends the one before.
    for (const load of loads) visits.push({ ...load, viewer: await open(language, load.isSignedIn) })
    const troubles = await Promise.all(
      visits.map(async ({ path, isSignedIn, viewer }) => {
        await viewer.page.goto(service.running.url + path)
        await settled(viewer.page)
        await viewer.page.waitForTimeout(unusedMs)
        await viewer.close()
        return viewer.troubles.map((one) => `${path} ${isSignedIn ? 'in' : 'out'}: ${one}`)
      }),
    )
    expect(troubles.flat()).toEqual([])
  })

  test('which the browser does say', async () => {
    const viewer = await open('ru', false)
    await viewer.page.route(`${service.running.url}/`, async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text()).replace(
        '</head>',
        '<link rel="preload" as="fetch" href="/healthz" crossorigin><img src="https://elsewhere.example/a.png"></head>',
      )
      await route.fulfill({ response: answer, body })
    })
    await viewer.page.goto(service.running.url)
    await expect
      .poll(() => viewer.troubles)
      .toEqual(
        expect.arrayContaining([
          expect.stringContaining('was preloaded'),
          expect.stringContaining('Content Security Policy'),
        ]),
      )
    await viewer.close()
  })
})
