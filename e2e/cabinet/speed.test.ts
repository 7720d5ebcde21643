import { type Browser, chromium as chromiumBrowser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService, type TestUser } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { makeFullPage } from '../support/cabinet/account.ts'
import { signInBrowser } from '../support/cabinet/visit.ts'
import { android } from '../support/viewer.ts'

/** A phone of some years, which does in a second what this machine does in a quarter of one. */
const slowerBy = 4

const networks = [
  ['slow 4G', { latency: 562, down: 1_470_000, up: 675_000 }, 2000],
  ['256 kbit/s', { latency: 800, down: 256_000, up: 256_000 }, 3000],
] as const

/** When the last card stood there, and when the page then had time for whoever touches it. */
const watch = `(() => {
  window.tasks = []
  new PerformanceObserver((list) => tasks.push(...list.getEntries()
    .map(({ startTime, duration }) => ({ start: startTime, end: startTime + duration }))))
    .observe({ type: 'longtask', buffered: true })
  const look = () => {
    if (document.querySelectorAll('.tiles > *').length < 20) return
    window.cardsAt ??= performance.now()
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true })
})()`

describeWith(chromium, 'home with 20 configurations on a slow phone', () => {
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

  const load = async ({ latency, down, up }: (typeof networks)[number][1]) => {
    const context = await browser.newContext({
      locale: 'ru',
      viewport: { width: 360, height: 740 },
      userAgent: android,
      isMobile: true,
      hasTouch: true,
    })
    await signInBrowser(context, service, user)
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: down / 8,
      uploadThroughput: up / 8,
    })
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowerBy })
    await page.addInitScript(watch)
    await page.goto(service.running.url, { waitUntil: 'commit' })
    await expect.poll(() => page.evaluate('window.cardsAt !== undefined')).toBe(true)
    // A task that is on its way when the cards are put in ends within this.
    await page.waitForTimeout(1000)
    const readyAt = await page.evaluate<number>(
      // What begins after the cards stand is no part of them, however long it takes.
      'Math.round(Math.max(cardsAt, ...tasks.filter(({ start }) => start <= cardsAt).map(({ end }) => end)))',
    )
    await context.close()
    return readyAt
  }

  // What else goes on at the machine makes it slower and never quicker, so the quickest counts.
  test.each(networks)('%s', { retry: 1 }, async (name, network, most) => {
    const times: number[] = []
    for (let n = 0; n < 5; n++) times.push(await load(network))
    times.sort((a, b) => a - b)
    console.log(`Home on ${name}: ${times.join(', ')} ms`)
    expect(times[0]).toBeLessThanOrEqual(most)
  })
})
