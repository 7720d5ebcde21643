import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cabinetReads } from '@sallyport/domain/cabinet/reads'
import { type Browser, chromium as chromiumBrowser, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildCabinet } from '../../test/support/cabinet-build.ts'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'

/** Passes everything on, and remembers what was asked for. */
const counting = async (to: string): Promise<{ url: string; asked: IncomingMessage[] }> => {
  const asked: IncomingMessage[] = []
  const server = createServer((incoming, outgoing) => {
    asked.push(incoming)
    const { method, headers, url = '/' } = incoming
    const passed = request(new URL(url, to), { method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const troublesOf = (page: Page): string[] => {
  const troubles: string[] = []
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()))
  page.on('pageerror', (error) => troubles.push(String(error)))
  page.on(
    'response',
    (answer) => answer.status() >= 400 && troubles.push(`${answer.status()} ${answer.url()}`),
  )
  return troubles
}

describeWith(chromium, 'the page of the cabinet in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
  })
  afterAll(() => browser?.close())

  test('names in advance what the screen then needs, and nothing of it is fetched twice', async () => {
    const entry = `import './runtime-1a.js'
await import('./home-en.js')
const read = (path) => fetch('/v1' + path, { credentials: 'same-origin', headers: { 'x-sallyport-cabinet': '1', 'accept-language': 'en' } })
const answers = await Promise.all(['/profile', '/configs?limit=20', '/paid-options'].map(read))
document.title = answers.map(({ status }) => status).join(' ')`
    const modules = Object.fromEntries(
      ['runtime-1a', 'kit-en', 'home-en', 'qr-2b'].map((name) => [`assets/${name}.js`, 'export {}']),
    )
    const built = buildCabinet({ ...modules, 'assets/main-en.js': entry, 'assets/style-3c.css': 'b{}' })
    const service = await startTestService({ cabinetDir: built.folder })
    onTestFinished(async () => {
      await service.stop()
      built.remove()
    })
    const { url, asked } = await counting(service.running.url)
    const context = await browser.newContext({ locale: 'en' })
    await context.addCookies([
      { name: 'sallyport-cabinet', value: 'nobody', url, httpOnly: true, sameSite: 'Lax' },
    ])
    const page = await context.newPage()
    await page.goto(url)
    await expect.poll(() => page.title()).toMatch(/^\d+ \d+ \d+$/)
    for (const address of cabinetReads['/'] ?? []) {
      const hits = asked.filter((one) => one.url === `/v1${address}`)
      expect(hits, address).toHaveLength(1)
      // The preload itself is what was sent: no script had said its header yet.
      expect(hits[0]?.headers).toMatchObject({
        cookie: 'sallyport-cabinet=nobody',
        'sec-fetch-site': 'same-origin',
      })
      expect(hits[0]?.headers['x-sallyport-cabinet']).toBeUndefined()
    }
    const files = asked.map((one) => one.url ?? '').filter((one) => one.startsWith('/assets/'))
    expect(files.toSorted()).toEqual([
      '/assets/home-en.js',
      '/assets/kit-en.js',
      '/assets/main-en.js',
      '/assets/qr-2b.js',
      '/assets/runtime-1a.js',
      '/assets/style-3c.css',
    ])
    await context.close()
  })

  test('opens as it is built, in both languages, within its policy', async () => {
    const service: TestService = await startTestService({ withoutLimits: true })
    onTestFinished(() => service.stop())
    for (const locale of ['ru', 'en']) {
      const context = await browser.newContext({ locale })
      const page = await context.newPage()
      const troubles = troublesOf(page)
      for (const path of ['/', '/sign-in', '/rules']) {
        await page.goto(service.running.url + path)
        await expect.poll(() => page.locator('#root main').count()).toBe(1)
        expect(await page.locator('html').getAttribute('lang')).toBe(locale)
      }
      const accent = await page.evaluate(
        "getComputedStyle(document.documentElement).getPropertyValue('--accent')",
      )
      expect(accent, 'the style in the page is let in by its hash').toBe('#0b6e5f')
      await context.addCookies([{ name: 'theme', value: 'dark', url: service.running.url }])
      await page.goto(service.running.url)
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
      const manifest = await page.evaluate("fetch('/manifest.webmanifest').then((answer) => answer.json())")
      expect(manifest).toMatchObject({ start_url: '/' })
      expect(troubles).toEqual([])
      await context.close()
    }
  })
})
