import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { protocols } from '@sallyport/contract/shapes'
import jsQR from 'jsqr'
import { type Browser, chromium as chromiumBrowser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../test/support/engines/engines.ts'
import { chromium, chromiumPath } from '../test/support/pieces.ts'
import { startTestService, type TestService, type TestUser } from '../test/support/service.ts'
import { browserArgs } from './support/browser.ts'
import { type Sight, Viewer, type ViewerOptions } from './support/viewer.ts'

/** A folder for pictures of every page, for those who change how pages look. */
const pictures = process.env.SALLYPORT_PICTURES

const finger = 40
const namedDevice = { 'x-hwid': 'browser-0123456789' }

/** The page of a subscription as its customer meets it. */
describeWith(chromium, 'the page of a subscription in a browser', () => {
  let service: TestService
  let browser: Browser
  let live: TestUser
  let expired: TestUser
  let empty: TestUser
  let limited: TestUser
  let closed: TestUser
  let mixed: TestUser

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    service = await startTestService({ withoutLimits: true })
    browser = await opening
    const newcomer = () => service.createUser({ balance: 10_000 })
    expired = await newcomer()
    await service.buy(expired)
    service.clock.advance(2 * 86_400)
    await service.heartbeat()
    mixed = await newcomer()
    const option = { paid_option_id: 2, payment_method_id: 1, tariff_id: 21 }
    await service.customer(mixed, 'POST', '/paid-options', option)
    service.clock.advance(29 * 86_400)
    await service.running.runJobs()
    await service.heartbeat()
    await service.buy(mixed)
    empty = await newcomer()
    live = await newcomer()
    for (const protocol of protocols) await service.buy(live, { protocol })
    limited = await newcomer()
    await service.buy(limited)
    await service.customer(limited, 'PATCH', '/profile/devices/settings', { device_limit: 1 })
    closed = await newcomer()
    await service.buy(closed)
    await service.customer(closed, 'PATCH', '/profile/devices/settings', { block_unknown_devices: true })
    await service.heartbeat()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const viewer = async (sight: Sight, options?: ViewerOptions): Promise<Viewer> =>
    Viewer.open(browser, sight, new URL(service.running.url).host, options)
  const addressOf = ({ subscription_key }: TestUser, query = ''): string =>
    `${service.running.url}/sub/${subscription_key}${query}`

  const pages = (): readonly [
    name: string,
    url: string,
    owner: TestUser,
    headers?: Record<string, string>,
  ][] => [
    ['live', addressOf(live), live],
    ['item', addressOf(live, '?format=page&item=1'), live],
    ['item-file', addressOf(live, `?format=page&item=${protocols.indexOf('amnezia-wg-2') + 1}`), live],
    ['open', `${service.running.url}/open/happ#${live.subscription_key}`, live],
    ['open-nothing', `${service.running.url}/open/happ`, live],
    ['expired', addressOf(expired), expired],
    ['empty', addressOf(empty), empty],
    ['mixed', addressOf(mixed), mixed],
    ['limited', addressOf(limited), limited],
    ['refused', addressOf(limited, '?format=page&item=1'), limited],
    ['lost', `${service.running.url}/whatever`, live],
    ['refused-device', addressOf(closed), closed, namedDevice],
    ['unknown', `${service.running.url}/sub/${'A'.repeat(32)}`, live],
  ]

  /** Whether they can be read and pressed, whatever is folded open. */
  const expectRoom = async (seen: Viewer): Promise<void> => {
    expect(await seen.overflow()).toEqual([])
    await seen.openEverything()
    expect(await seen.overflow()).toEqual([])
    expect(await seen.smallTargets(finger)).toEqual([])
  }

  const picture = async ({ page }: Viewer, name: string): Promise<void> => {
    if (!pictures) return
    mkdirSync(pictures, { recursive: true })
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
  }

  /** Of what axe looks at only colours differ between themes, and nothing between languages. */
  test.each([
    ['phone', 'ru', true],
    ['phone', 'en', false],
    ['desktop', 'ru', false],
    ['desktop', 'en', true],
  ] as const)('on a %s in %s: easy to read and to press, quiet, asking nobody else', async (device, language, isJudged) => {
    const seen = await viewer({ device, theme: 'light', language })
    const { page } = seen
    for (const [what, url, { subscription_key: key }, headers] of pages()) {
      await page.setExtraHTTPHeaders(headers ?? {})
      await page.emulateMedia({ colorScheme: 'light' })
      await seen.look(url)
      expect([await page.getAttribute('html', 'lang'), await page.evaluate('document.referrer')]).toEqual([
        language,
        '',
      ])
      expect(await page.title()).not.toContain(key)
      await picture(seen, `${what}-${device}-light-${language}`)
      await expectRoom(seen)
      if (isJudged) expect(await seen.axe(), what).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      if (isJudged) expect(await seen.axe(['color-contrast']), `${what} in the dark`).toEqual([])
      if (pictures) await seen.look(url)
      await picture(seen, `${what}-${device}-dark-${language}`)
    }
    expect(seen.troubles).toEqual([])
    await seen.close()
  })

  const phone: Sight = { device: 'phone', theme: 'dark', language: 'ru' }
  const desktop: Sight = { device: 'desktop', theme: 'light', language: 'en' }

  test.each([
    { ...phone, platform: 'ios' },
    { ...desktop, platform: 'windows' },
  ])('$device in $language: the code is the address, the own platform is open, one button copies', async ({
    platform,
    ...sight
  }) => {
    const seen = await viewer(sight)
    await seen.look(addressOf(live))
    const { data, width, height } = await seen.pixelsOf('.qr')
    expect(jsQR.default(data, width, height)?.data).toBe(addressOf(live))
    const open = await seen.page.locator('details[open]').evaluateAll((all) => all.map(({ id }) => id))
    expect(open).toEqual([platform])
    const said = sight.language === 'ru' ? 'Скопировано' : 'Copied'
    await Promise.all([
      seen.page.locator('button[data-of=address]', { hasText: said }).waitFor(),
      seen.page.locator('button[data-of=address]').click(),
    ])
    expect(await seen.page.evaluate('navigator.clipboard.readText()')).toBe(addressOf(live))
    const links = await seen.page.locator(`#${platform} a.p`).evaluateAll((all) => all.map(String))
    expect(links).toContain(`happ://add/${addressOf(live)}`)
    await seen.close()
  })

  test('without scripts the page is whole', async () => {
    const seen = await viewer(phone, { javaScriptEnabled: false })
    const asked: string[] = []
    seen.page.on('request', (request) => {
      if (!request.url().startsWith('data:')) asked.push(request.url())
    })
    await seen.look(addressOf(live))
    expect(asked, 'one document').toEqual([addressOf(live)])
    expect(await seen.page.locator('#address').inputValue()).toBe(addressOf(live))
    const { data, width, height } = await seen.pixelsOf('.qr')
    expect(jsQR.default(data, width, height)?.data).toBe(addressOf(live))
    expect(await seen.page.locator('button:visible').count()).toBe(0)
    await seen.page.locator('#android > summary').click()
    expect(await seen.page.locator('#android a.p:visible').count()).toBe(3)
    expect(await seen.page.locator('#ios a.p:visible').count(), 'one block at a time').toBe(0)
    expect(await seen.page.locator('#entries li a').count()).toBe(protocols.length)
    await seen.page.locator('#entries li a').first().click()
    expect(await seen.page.locator('#link').inputValue()).toMatch(/^vless:/)
    await seen.look(`${service.running.url}/open/happ#${live.subscription_key}`)
    expect(await seen.page.locator('noscript').textContent()).toContain('JavaScript')
    expect(await seen.page.locator('#ready:visible').count()).toBe(0)
    expect(seen.troubles).toEqual([])
    await seen.close()
  })

  test('is one document also for whoever takes nothing compressed', async () => {
    const answer = await fetch(addressOf(live), {
      headers: { accept: 'text/html', 'accept-encoding': 'identity' },
    })
    const text = await answer.text()
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    expect(text).toMatch(/^<!doctype html>[\s\S]*<\/html>\s*$/)
  })

  test('the way through the pages keeps language and key, and tells nobody of the key', async () => {
    const seen = await viewer(desktop)
    const { page } = seen
    const heading = () => page.locator('h1').textContent()
    await seen.look(addressOf(live))
    await page.locator('#lang').click()
    expect(await page.getAttribute('html', 'lang')).toBe('ru')
    await page.locator('#entries li a').first().click()
    expect([await page.getAttribute('html', 'lang'), await heading()]).toEqual([
      'ru',
      expect.stringContaining('Нидерланды'),
    ])
    expect(await page.evaluate('document.referrer')).toBe('')
    await page.locator('.back').click()
    expect(await page.getAttribute('html', 'lang')).toBe('ru')
    await page.locator('.wide > .go a.b').click()
    await page.waitForURL(/\/subscription$/)
    expect(await page.evaluate('document.referrer')).toBe('')
    expect(seen.troubles).toEqual([])

    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url() + JSON.stringify(request.headers())))
    await seen.look(`${service.running.url}/open/happ#${live.subscription_key}`)
    await page.locator('#lang').click()
    await page.waitForURL(/lang=ru/)
    expect(await page.getAttribute('html', 'lang')).toBe('ru')
    expect(await page.getAttribute('#go', 'href')).toBe(`happ://add/${addressOf(live)}`)
    expect(asked.filter((one) => one.replace(/#[^"{]*/, '').includes(live.subscription_key))).toEqual([])
    await seen.close()
  })
})
