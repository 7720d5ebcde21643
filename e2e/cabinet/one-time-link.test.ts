import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import jsQR from 'jsqr'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium } from '../../test/support/pieces.ts'
import { startTestService, type TestService, type TestUser } from '../../test/support/service.ts'
import { heading, launchBrowser, phone } from '../support/cabinet/person.ts'
import { settled, signInBrowser, speak } from '../support/cabinet/visit.ts'
import { Viewer } from '../support/viewer.ts'

const pictures = process.env.SALLYPORT_PICTURES

/** One connection goes to another device by a link that shows it once. */
describeWith(chromium, 'a one-time link', () => {
  let service: TestService
  let browser: Browser
  let owner: TestUser

  beforeAll(async () => {
    const opening = launchBrowser()
    service = await startTestService({ withoutLimits: true })
    browser = await opening
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })
  beforeEach(async () => {
    await service.heartbeat()
    owner = await service.createUser({ balance: 2000 })
  })

  /** A device that has nothing of the service. */
  const device = async (): Promise<Page> => {
    const context = await phone(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
    onTestFinished(() => context.close())
    return context.newPage()
  }

  const linkTo = async (config_id: number): Promise<string> => {
    const { body } = await service.customer(owner, 'POST', '/one-time-links', { config_id })
    return `${service.running.url}/once${new URL(body.data.url).hash}`
  }

  const show = (page: Page) => page.getByRole('button', { name: 'Show the connection' })

  const picture = async (page: Page, name: string): Promise<void> => {
    if (!pictures) return
    mkdirSync(pictures, { recursive: true })
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
  }

  test('is made in the cabinet, opened elsewhere, shown once, and refused the second time', async () => {
    const config = await service.buy(owner)
    const own = await device()
    await signInBrowser(own.context(), service, owner)
    await own.goto(`${service.running.url}/configs/${config.id}`)
    await settled(own)
    await own.getByText('One-time link', { exact: true }).click()
    await own.getByRole('button', { name: 'Create a one-time link' }).click()
    const link = own.locator('code', { hasText: '/once#' })
    await link.waitFor()
    await own.getByText('Not opened yet').waitFor()
    await picture(own, 'one-time-made')
    const address = `${service.running.url}/once${new URL(await link.innerText()).hash}`

    const mother = await device()
    await mother.goto(address)
    await heading(mother, 'A connection for you')
    expect(await mother.locator('body').innerText()).not.toContain('vless:')
    await show(mother).click()
    await mother.getByText('This link will not open again').waitFor()
    expect(await mother.locator('code').innerText()).toBe(config.connection_url)
    expect(mother.url()).not.toContain('#')
    // Whoever comes back to the page, thrown away meanwhile, finds it once more.
    await mother.reload()
    await mother.getByText('This link will not open again').waitFor()

    const stranger = await device()
    await stranger.goto(address)
    await show(stranger).click()
    await heading(stranger, 'This link has already been opened')
    expect(await stranger.locator('body').innerText()).not.toContain('vless:')

    await own.reload()
    await settled(own)
    await own.getByText('One-time link', { exact: true }).click()
    await own
      .getByText(/^.*Opened /)
      .first()
      .waitFor()
  })

  test('is not spent by whoever only looks, nor by opening the page without a press', async () => {
    const address = await linkTo((await service.buy(owner)).id)
    for (const agent of ['TelegramBot (like TwitterBot)', 'WhatsApp/2.24.1', 'Slackbot-LinkExpanding 1.0'])
      expect((await fetch(address, { headers: { 'user-agent': agent } })).status).toBe(200)
    const page = await device()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') asked.push(request.url())
    })
    await page.goto(address)
    await settled(page)
    await page.waitForTimeout(500)
    expect(asked).toEqual([])
    const [link] = (await service.customer(owner, 'GET', '/one-time-links')).body.data
    expect(link.used_at).toBeNull()
  })

  test('whose answer is lost is shown by the next press', async () => {
    const config = await service.buy(owner)
    const page = await device()
    await page.goto(await linkTo(config.id))
    await page.route('**/v1/one-time-links/open', async (route) => {
      await route.fetch()
      await route.abort()
      await page.unroute('**/v1/one-time-links/open')
    })
    await show(page).click()
    await page.getByRole('alert').waitFor()
    await show(page).click()
    await page.getByText('This link will not open again').waitFor()
    expect(await page.locator('code').innerText()).toBe(config.connection_url)
  })

  test('whose making was never answered is taken back, and the next one works', async () => {
    const config = await service.buy(owner)
    const own = await device()
    await signInBrowser(own.context(), service, owner)
    const links = async () => {
      await own.goto(`${service.running.url}/configs/${config.id}`)
      await settled(own)
      await own.getByText('One-time link', { exact: true }).click()
    }
    const make = own.getByRole('button', { name: 'Create a one-time link' })
    await links()
    await own.route('**/v1/one-time-links', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      await route.abort()
      await own.unroute('**/v1/one-time-links')
    })
    await make.click()
    await own.getByRole('alert').waitFor()
    await links()
    await own.getByRole('button', { name: /^Revoke/ }).click()
    await own.getByText('Not opened yet').waitFor({ state: 'detached' })
    await make.click()
    const link = own.locator('code', { hasText: '/once#' })
    await link.waitFor()
    const page = await device()
    await page.goto(`${service.running.url}/once${new URL(await link.innerText()).hash}`)
    await show(page).click()
    await page.getByText('This link will not open again').waitFor()
  })

  test('that was taken back or came without its end says what to do', async () => {
    const address = await linkTo((await service.buy(owner)).id)
    const [link] = (await service.customer(owner, 'GET', '/one-time-links')).body.data
    await service.customer(owner, 'DELETE', `/one-time-links/${link.id}`)
    const page = await device()
    await page.goto(address)
    await show(page).click()
    await heading(page, 'This link does not work')
    const other = await device()
    await other.goto(`${service.running.url}/once`)
    await heading(other, 'The link is incomplete')
  })

  test.each([
    { language: 'ru', theme: 'dark', device: 'narrow' },
    { language: 'en', theme: 'light', device: 'desktop' },
  ] as const)('reads well: $language, $theme, $device', async (sight) => {
    const { language } = sight
    for (const wish of [{}, { protocol: 'amnezia-wg-2', location_id: 12 }]) {
      const config = await service.buy(owner, wish)
      const viewer = await Viewer.open(browser, sight, new URL(service.running.url).host)
      onTestFinished(() => viewer.close())
      const { page } = viewer
      await speak(page.context(), service, language)
      await viewer.look(await linkTo(config.id))
      await settled(page)
      await page.locator('main button.p').click()
      await page.locator('ol.steps').waitFor()
      await picture(page, `once-shown-${config.protocol ?? 'x'}-${language}`)
      // Dark on white with room around it, whatever the theme.
      const { data, width, height } = await viewer.pixelsOf('.qr img')
      const row = (x: number) => (6 * width + x) * 4
      const edge = data.slice(row(20), row(width - 20))
      expect(edge.every((part) => part > 250)).toBe(true)
      const read = jsQR.default(data, width, height, { inversionAttempts: 'dontInvert' })
      expect(read?.data).toBe(config.awg_config ?? config.connection_url)
      await viewer.openEverything()
      const wrong = [
        ...(await viewer.axe()),
        ...(await viewer.overflow()),
        ...(await viewer.smallTargets(24)),
      ]
      expect([...wrong, ...viewer.troubles]).toEqual([])
    }
  })
})
